#include "jobs/operate/host_policy.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "formats/rows/times.h"
#include "runtime/options/type.h"
#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kBlanks[] = " \t\r";
constexpr char kUsual[] = "usual";
constexpr char kNames[] = "host, domain, delay, pages_a_day, pages, blocked and reason";

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

struct Pair {
  std::string_view name;
  std::string_view value;
};

// Takes the first pair off the line.
Result<Pair> TakePair(std::string_view* line) {
  const size_t word_end = std::min(line->find_first_of(kBlanks), line->size());
  const size_t equals = line->substr(0, word_end).find('=');
  if (equals == std::string_view::npos)
    return UsageError("'", line->substr(0, std::min<size_t>(word_end, 80)), "' is no NAME=VALUE; the names are ",
                      kNames);
  Pair pair = {.name = line->substr(0, equals)};
  const size_t end = pair.name == "reason" ? line->size() : word_end;
  pair.value = line->substr(equals + 1, end - equals - 1);
  *line = Trimmed(line->substr(end));
  return pair;
}

Status BadValue(const Pair& pair, const std::string& allowed) {
  return UsageError(pair.name, "=", pair.value.substr(0, 80), ": write ", allowed);
}

Result<int64_t> PagesOf(const Pair& pair) {
  if (pair.value == kUsual) return 0;
  const OptionType type = {.kind = OptionKind::kInt, .min = 1, .max = std::numeric_limits<int32_t>::max()};
  const Result<OptionValue> value = ParseOptionText(type, pair.value);
  if (!value.ok()) return BadValue(pair, DescribeAllowed(type) + ", or usual");
  return std::get<int64_t>(*value);
}

Result<int32_t> DelayOf(const Pair& pair) {
  if (pair.value == kUsual) return 0;
  if (pair.value == "0") return -1;
  const OptionType type = {.kind = OptionKind::kDuration, .min = 0, .max = kDayMs};
  const Result<OptionValue> value = ParseOptionText(type, pair.value);
  if (!value.ok()) return BadValue(pair, DescribeAllowed(type) + ", or 0, or usual");
  const auto delay_ms = static_cast<int32_t>(std::get<int64_t>(*value));
  return delay_ms == 0 ? -1 : delay_ms;
}

Result<bool> BlockedOf(const Pair& pair) {
  if (pair.value == "yes") return true;
  if (pair.value == "no") return false;
  return BadValue(pair, "yes or no");
}

Status TakeValue(const Pair& pair, NormalForm form, HostPolicy* policy) {
  HostChange* const change = &policy->change;
  if (pair.name == "host") return HostTargetOf(std::string(pair.value), form).Value(&policy->target);
  if (pair.name == "domain") return DomainTargetOf(std::string(pair.value), form).Value(&policy->target);
  if (pair.name == "delay") {
    ARROW_ASSIGN_OR_RAISE(change->delay_ms, DelayOf(pair));
  } else if (pair.name == "pages_a_day") {
    ARROW_ASSIGN_OR_RAISE(change->pages_a_day, PagesOf(pair));
  } else if (pair.name == "pages") {
    ARROW_ASSIGN_OR_RAISE(change->pages, PagesOf(pair));
  } else if (pair.name == "blocked") {
    ARROW_ASSIGN_OR_RAISE(change->blocked, BlockedOf(pair));
  } else if (pair.name == "reason") {
    change->reason = std::string(Trimmed(pair.value));
  } else {
    return UsageError("'", pair.name.substr(0, 80), "' is not known; the names are ", kNames);
  }
  return Status::OK();
}

}  // namespace

bool IsEmptyPolicy(std::string_view line) {
  line = Trimmed(line);
  return line.empty() || line[0] == '#';
}

Result<HostPolicy> ParseHostPolicy(std::string_view line, NormalForm form) {
  HostPolicy policy;
  line = Trimmed(line);
  while (!line.empty()) {
    ARROW_ASSIGN_OR_RAISE(const Pair pair, TakePair(&line));
    const bool is_target = pair.name == "host" || pair.name == "domain";
    if (is_target && !policy.target.key.empty())
      return UsageError("it names two hosts or domains; write one line for each");
    ARROW_RETURN_NOT_OK(TakeValue(pair, form, &policy));
  }
  if (policy.target.key.empty()) return UsageError("it names no host; write host=NAME or domain=NAME");
  if (!policy.change.IsAny())
    return UsageError("it changes nothing; write delay=, pages_a_day=, pages= or blocked= after the name");
  return policy;
}

}  // namespace trawl
