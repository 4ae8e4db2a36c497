#include "jobs/refresh/refresh_numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "formats/rows/times.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Status;

namespace {

constexpr double kStep = 1.1;

}  // namespace

int AgeCounts::BucketOf(int64_t age_ms) {
  if (age_ms <= kSecondMs) return 0;
  return static_cast<int>(std::log(static_cast<double>(age_ms) / kSecondMs) / std::log(kStep)) + 1;
}

int64_t AgeCounts::Quantile(double share) const {
  int64_t all = 0, seen = 0;
  for (const auto& [bucket, count] : buckets_) all += count;
  const auto wanted = static_cast<int64_t>(std::ceil(share * static_cast<double>(all)));
  for (const auto& [bucket, count] : buckets_) {
    seen += count;
    if (seen < wanted || seen == 0) continue;
    return static_cast<int64_t>(kSecondMs * std::pow(kStep, bucket == 0 ? 0.0 : bucket - 0.5));
  }
  return 0;
}

void AgeCounts::Merge(const AgeCounts& other) {
  for (const auto& [bucket, count] : other.buckets_) buckets_[bucket] += count;
}

Json AgeCounts::ToJson() const {
  Json json = Json::object();
  for (const auto& [bucket, count] : buckets_) json[std::to_string(bucket)] = count;
  return json;
}

Status AgeCounts::Read(const Json& json) {
  for (const auto& [name, count] : json.items()) {
    int bucket = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), bucket);
    if (error != std::errc() || end != name.data() + name.size() || !count.is_number_integer())
      return Status::Invalid("'", name, "' is no bucket of ages");
    buckets_[bucket] += count.get<int64_t>();
  }
  return Status::OK();
}

void RefreshNumbers::Add(const RefreshClass& refresh_class, const RefreshOptions& options, const UrlRow& before,
                         int64_t fetched_ms) {
  OfClass& one = classes_[refresh_class.name];
  one.longest_ms = std::max(one.longest_ms, LongestOf(refresh_class, options));
  ++one.refreshed;
  one.within_window += IsWithinWindow(before, fetched_ms) ? 1 : 0;
  one.ages.Add(fetched_ms - before.fetched_ms);
}

Status RefreshNumbers::Merge(const Json& json) {
  if (!json.is_object()) return Status::OK();
  for (const auto& [name, numbers] : json.items()) {
    OfClass& one = classes_[name];
    ARROW_ASSIGN_OR_RAISE(const int64_t longest_ms, GetInt(numbers, "longest_ms"));
    ARROW_ASSIGN_OR_RAISE(const int64_t refreshed, GetInt(numbers, "refreshed"));
    ARROW_ASSIGN_OR_RAISE(const int64_t within_window, GetInt(numbers, "within_window"));
    ARROW_ASSIGN_OR_RAISE(const Json* ages, GetObject(numbers, "ages"));
    one.longest_ms = std::max(one.longest_ms, longest_ms);
    one.refreshed += refreshed;
    one.within_window += within_window;
    ARROW_RETURN_NOT_OK(one.ages.Read(*ages));
  }
  return Status::OK();
}

Json ToJson(const RefreshNumbers& numbers) {
  Json json = Json::object();
  for (const auto& [name, one] : numbers.classes()) {
    json[name] = {{"longest_ms", one.longest_ms},
                  {"refreshed", one.refreshed},
                  {"within_window", one.within_window},
                  {"age_ms", {{"p50", one.ages.Quantile(0.5)}, {"p95", one.ages.Quantile(0.95)}}},
                  {"ages", one.ages.ToJson()}};
  }
  return json;
}

std::string ReadableClasses(const Json& numbers, const std::string& indent) {
  std::string text;
  if (!numbers.is_object()) return text;
  for (const auto& [name, one] : numbers.items()) {
    const auto number = [&one = one](const char* member) { return GetInt(one, member).ValueOr(0); };
    const Json ages = one.value("age_ms", Json::object());
    text += indent + name + ": " + ReadableCount(number("within_window")) + " of " +
            ReadableCount(number("refreshed"), "page") + " on time (at least every " +
            ReadableDuration(number("longest_ms")) + "), age " + ReadableDuration(GetInt(ages, "p50").ValueOr(0)) +
            " (median), 95 % within " + ReadableDuration(GetInt(ages, "p95").ValueOr(0)) + "\n";
  }
  return text;
}

}  // namespace trawl
