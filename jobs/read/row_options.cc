#include "jobs/read/row_options.h"

#include <algorithm>
#include <utility>

#include "jobs/politeness/quota.h"
#include "jobs/signals/signals.h"
#include "runtime/process/status_detail.h"
#include "runtime/terminal/nearest_name.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Rows that a sort may keep: some hundred bytes to a kilobyte each.
constexpr int64_t kMostSorted = 1'000'000;
constexpr int8_t kMostNumber = 126;

// The number of a name in an enumeration whose TextOf says "unknown" for numbers that it does not have.
template <typename Enum>
Result<Enum> Named(const std::string& name, const char* option) {
  std::vector<std::string> names;
  for (int8_t number = 1; number < kMostNumber; ++number) {
    const std::string text = TextOf(static_cast<Enum>(number));
    if (text.starts_with("unknown")) continue;
    if (text == name) return static_cast<Enum>(number);
    names.push_back(text);
  }
  const std::string nearest = NearestName(name, names);
  std::string all;
  for (const std::string& each : names) all += (all.empty() ? "" : ", ") + each;
  return UsageError(option, " '", name.substr(0, 80), "' does not exist",
                    nearest.empty() ? "" : "; did you mean " + nearest + "?", nearest.empty() ? "; " : " ",
                    "there are: ", all);
}

// "404", or "4xx" for 400 to 499.
Result<std::pair<int32_t, int32_t>> StatusesOf(const std::string& text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool is_class = text.size() == 3 && is_digit(text[0]) && text.substr(1) == "xx";
  if (is_class) return std::make_pair((text[0] - '0') * 100, (text[0] - '0') * 100 + 99);
  if (text.size() != 3 || !std::all_of(text.begin(), text.end(), is_digit)) {
    return UsageError("--status '", text.substr(0, 80),
                      "' is no status; write a number such as 404, or 4xx for all of 400 to 499");
  }
  const int32_t status = std::stoi(text);
  return std::make_pair(status, status);
}

// The media type without parameters, in lower case.
std::string EssenceOf(const std::string& content_type) {
  std::string essence = content_type.substr(0, content_type.find(';'));
  essence.erase(essence.find_last_not_of(" \t") + 1);
  std::transform(essence.begin(), essence.end(), essence.begin(), [](unsigned char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20U) : static_cast<char>(c);
  });
  return essence;
}

template <typename T>
bool Contains(const std::vector<T>& values, const T& value) {
  return values.empty() || std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

const OptionGroup<DumpOptions>& DumpOptionGroup() {
  static const auto group =
      OptionGroup<DumpOptions>("dump", "What is printed, and how")
          .String("prefix", &DumpOptions::prefix,
                  "only URLs that begin with this (or the hosts of such URLs): https://host/path", "URL")
          .Choice("format", &DumpOptions::format, kListFormatHelp, ListFormats())
          .Int("limit", &DumpOptions::limit, "stop after N rows; 0 prints all", AtLeast(0))
          .AllMain();
  return group;
}

const OptionGroup<UrlFilterOptions>& UrlFilterOptionGroup() {
  using F = UrlFilterOptions;
  static const auto group =
      OptionGroup<F>("filter", "Which URLs are printed")
          .List("state", &F::states, "only URLs in one of these states: unfetched, fetched, failing…", "STATE")
          .Main()
          .List("outcome", &F::outcomes, "only URLs whose last request ended so: not_modified, timeout…", "OUTCOME")
          .Main()
          .List("status", &F::statuses, "only URLs with such an HTTP status: 404, or 4xx for all of 400 to 499",
                "STATUS")
          .Main()
          .List("type", &F::types, "only URLs whose content type begins so: text/html, image/", "TYPE")
          .List("signal", &F::signals, "only pages that ask for one of these: noindex, noarchive, noai…", "SIGNAL")
          .Bool("due", &F::due, "only URLs that are due now")
          .Main()
          .Bool("needs_js", &F::needs_js, "only pages that show their text only with JavaScript")
          .Choice("sort", &F::sort, "print the rows with the largest or latest first; needs --limit",
                  {{"nothing", SortBy::kNothing},
                   {"score", SortBy::kScore},
                   {"due", SortBy::kDue},
                   {"discovered", SortBy::kDiscovered},
                   {"fetched", SortBy::kFetched},
                   {"changed", SortBy::kChanged},
                   {"bytes", SortBy::kBytes},
                   {"response", SortBy::kResponse},
                   {"inlinks", SortBy::kInlinks}})
          .Main()
          .Bool("reverse", &F::reverse, "sort the smallest or earliest first");
  return group;
}

const OptionGroup<HostFilterOptions>& HostFilterOptionGroup() {
  using F = HostFilterOptions;
  static const auto group =
      OptionGroup<F>("hosts", "Which hosts are printed")
          .Bool("blocked", &F::blocked, "only hosts and domains that the operator has blocked")
          .Bool("breaker", &F::breaker, "only hosts whose breaker is open or half-open")
          .Bool("slow", &F::slow, "only hosts that are among the slow ones now, for their errors")
          .Bool("trap", &F::trap, "only hosts that look like a trap")
          .Bool("needs_js", &F::needs_js, "only hosts with a page that shows its text only with JavaScript")
          .Choice("sort", &F::sort, "print the hosts with the largest or latest first; needs --limit",
                  {{"nothing", SortBy::kNothing},
                   {"pages", SortBy::kPages},
                   {"bytes", SortBy::kBytes},
                   {"discovered", SortBy::kDiscovered},
                   {"fetched", SortBy::kFetched},
                   {"response", SortBy::kResponse},
                   {"delay", SortBy::kDelay}})
          .Bool("reverse", &F::reverse, "sort the smallest or earliest first")
          .AllMain();
  return group;
}

Status CheckSort(SortBy sort, int64_t limit) {
  if (sort == SortBy::kNothing || (limit > 0 && limit <= kMostSorted)) return Status::OK();
  return UsageError("--sort keeps its rows in memory; add --limit N of up to ", kMostSorted,
                    ", or write  trawl export DIR  and sort the files there");
}

Result<UrlFilter> UrlFilter::Make(const UrlFilterOptions& options, Store* store, TimeMs now_ms) {
  UrlFilter filter(options, store, now_ms);
  for (const std::string& name : options.states) {
    ARROW_ASSIGN_OR_RAISE(const UrlState state, Named<UrlState>(name, "--state"));
    filter.states_.push_back(state);
  }
  for (const std::string& name : options.outcomes) {
    ARROW_ASSIGN_OR_RAISE(const Outcome outcome, Named<Outcome>(name, "--outcome"));
    filter.outcomes_.push_back(outcome);
  }
  for (const std::string& text : options.statuses) {
    ARROW_ASSIGN_OR_RAISE(const auto statuses, StatusesOf(text));
    filter.statuses_.push_back(statuses);
  }
  for (std::string& type : filter.options_.types) type = EssenceOf(type);
  for (const std::string& name : options.signals) {
    if (SignalNamed(name) == 0) {
      return UsageError("--signal '", name.substr(0, 80), "' does not exist. There are: ", SignalsText(kAllSignals));
    }
    filter.signals_ |= SignalNamed(name);
  }
  return filter;
}

Result<bool> UrlFilter::Takes(const UrlRow& row) {
  if (!Contains(states_, row.state) || !Contains(outcomes_, row.outcome)) return false;
  if (options_.due && row.due_ms > now_ms_) return false;
  if (signals_ != 0 && (row.signals & signals_) == 0) return false;
  if (!statuses_.empty() && std::none_of(statuses_.begin(), statuses_.end(), [&row](const auto& span) {
        return row.status >= span.first && row.status <= span.second;
      })) {
    return false;
  }
  if (!options_.types.empty()) {
    const std::string essence = EssenceOf(row.content_type);
    const auto begins = [&essence](const std::string& type) { return essence.starts_with(type); };
    if (essence.empty() || std::none_of(options_.types.begin(), options_.types.end(), begins)) return false;
  }
  return options_.needs_js ? scripts_.NeedsScript(row) : Result<bool>(true);
}

bool TakesHost(const HostFilterOptions& options, const HostRow& row, TimeMs now_ms) {
  return (!options.blocked || row.blocked || row.domain.blocked) &&
         (!options.breaker || row.breaker != BreakerState::kClosed) && (!options.slow || row.slow_until_ms > now_ms) &&
         (!options.trap || IsTrap(row));
}

int64_t SortNumber(SortBy sort, const UrlRow& row) {
  switch (sort) {
    case SortBy::kScore:
      return row.score;
    case SortBy::kDue:
      return row.due_ms;
    case SortBy::kDiscovered:
      return row.discovered_ms;
    case SortBy::kFetched:
      return row.fetched_ms;
    case SortBy::kChanged:
      return row.changed_ms;
    case SortBy::kBytes:
      return row.bytes;
    case SortBy::kResponse:
      return row.response_ms;
    case SortBy::kInlinks:
      return row.inlinks;
    default:
      return 0;
  }
}

int64_t SortNumber(SortBy sort, const HostRow& row) {
  switch (sort) {
    case SortBy::kPages:
      return row.pages;
    case SortBy::kBytes:
      return row.bytes;
    case SortBy::kDiscovered:
      return row.discovered;
    case SortBy::kFetched:
      return row.fetched;
    case SortBy::kResponse:
      return row.response_ms;
    case SortBy::kDelay:
      return row.delay_ms;
    default:
      return 0;
  }
}

bool BestRows::IsBefore(const Kept& a, const Kept& b) const {
  if (a.number != b.number) return reverse_ ? a.number < b.number : a.number > b.number;
  return a.order < b.order;
}

bool BestRows::WouldKeep(int64_t number) const {
  if (static_cast<int64_t>(heap_.size()) < limit_) return true;
  return reverse_ ? number < heap_.front().number : number > heap_.front().number;
}

void BestRows::Add(int64_t number, Json row) {
  if (!WouldKeep(number)) return;
  const auto is_before = [this](const Kept& a, const Kept& b) { return IsBefore(a, b); };
  heap_.push_back({number, added_++, std::move(row)});
  std::push_heap(heap_.begin(), heap_.end(), is_before);
  if (static_cast<int64_t>(heap_.size()) <= limit_) return;
  std::pop_heap(heap_.begin(), heap_.end(), is_before);
  heap_.pop_back();
}

std::vector<Json> BestRows::Take() {
  std::sort_heap(heap_.begin(), heap_.end(), [this](const Kept& a, const Kept& b) { return IsBefore(a, b); });
  std::vector<Json> rows;
  for (Kept& kept : heap_) rows.push_back(std::move(kept.row));
  heap_.clear();
  return rows;
}

}  // namespace trawl
