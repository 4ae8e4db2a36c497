#include "jobs/report/health.h"

#include <algorithm>
#include <cmath>

#include "formats/charts/charts.h"
#include "jobs/report/json_numbers.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/units.h"

namespace trawl {

namespace {

std::optional<double> ErrorRate(const Json& round) {
  const Json& fetch = MemberOf(round, "fetch");
  if (CountOf(fetch, "fetched") == 0 || !HasNumber(fetch, "success_rate")) return std::nullopt;
  return 1 - NumberOf(fetch, "success_rate");
}

std::optional<double> InTime(const Json& round) {
  const int64_t refreshed = CountOf(round, "refreshed");
  if (refreshed == 0) return std::nullopt;
  return static_cast<double>(CountOf(round, "within_window")) / static_cast<double>(refreshed);
}

std::optional<double> P99(const Json& round) {
  const Json& fetch = MemberOf(round, "fetch");
  // A fetch without an answer has a quantile of zero.
  if (!MemberOf(fetch, "answered").is_object()) return std::nullopt;
  return NumberOf(MemberOf(fetch, "response_ms"), "p99");
}

std::optional<double> RoundAge(const HealthFacts& facts) {
  if (!facts.applied_ms) return std::nullopt;
  return static_cast<double>(std::max<int64_t>(facts.now_ms - *facts.applied_ms, 0));
}

// The part of its time that the oldest open segment has used up; 0 where none is open.
double SegmentHold(const HealthFacts& facts) {
  double most = 0;
  for (const OpenSegment& segment : facts.manifest.open_segments) {
    const auto whole = static_cast<double>(std::max<int64_t>(segment.until_ms - segment.opened_ms, 1));
    most = std::max(most, static_cast<double>(facts.now_ms - segment.opened_ms) / whole);
  }
  return most;
}

// How long URLs that are due wait for a round: 0 where nothing is due, or a segment is open.
double DueWait(const HealthFacts& facts) {
  if (facts.due == 0 || !facts.manifest.open_segments.empty()) return 0;
  // Before the first round, since the crawl was changed last: they came with that snapshot or before it.
  const TimeMs since_ms = facts.applied_ms.value_or(facts.manifest.published_ms);
  return static_cast<double>(std::max<int64_t>(facts.now_ms - since_ms, 0));
}

std::string ValueText(double value, const std::string& unit) {
  if (unit == "ratio") return ChartNumber(100 * value, ChartUnit::kPercent);
  if (unit == "ms") return ReadableDuration(static_cast<int64_t>(value));
  if (unit == "days") return std::isinf(value) ? "for ever" : ChartNumber(value, ChartUnit::kRatio) + " d";
  return ChartNumber(value, ChartUnit::kCount);
}

}  // namespace

const OptionGroup<HealthOptions>& HealthOptionGroup() {
  static const auto group =
      OptionGroup<HealthOptions>("health", "When a crawl counts as ill")
          .Real("max_error_rate", &HealthOptions::max_error_rate,
                "share of the last round's requests that may fail, from 0 to 1", {0, 1})
          .Main()
          .Duration("max_round_age", &HealthOptions::max_round_age_ms, "time since the last round was applied")
          .Main()
          .Real("min_in_time", &HealthOptions::min_in_time,
                "share of the pages fetched again in the last round that must have been in time", {0, 1})
          .Main()
          .Duration("max_p99", &HealthOptions::max_p99_ms, "time within which 99 of 100 answers of the last round came")
          .Main()
          .Int("max_silent_workers", &HealthOptions::max_silent_workers,
               "fetch tasks without a sign of life for two leases", AtLeast(0))
          .Main()
          .Real("max_segment_hold", &HealthOptions::max_segment_hold,
                "share of its time that an open segment may have used up", {0, 1})
          .Main()
          .Real("min_disk_days", &HealthOptions::min_disk_days,
                "days until the local disk is full, as fast as the last rounds wrote", {0, 1e6})
          .Main()
          .Real("max_filter_false_positives", &HealthOptions::max_filter_false_positives,
                "share of unknown keys that the Bloom filters may let through; 0: twice --job.bloom_false_positives",
                {0, 1})
          .Main()
          .Duration("max_due_wait", &HealthOptions::max_due_wait_ms, "time that URLs may be due while no round begins")
          .Main();
  return group;
}

std::vector<HealthCheck> CheckHealth(const HealthFacts& facts, const HealthOptions& options) {
  const auto as_double = [](const std::optional<int64_t>& count) {
    return count ? std::optional<double>(static_cast<double>(*count)) : std::nullopt;
  };
  const double filter_limit =
      options.max_filter_false_positives > 0 ? options.max_filter_false_positives : 2 * facts.filter_rate;
  return {
      {.name = "error_rate", .value = ErrorRate(facts.round), .limit = options.max_error_rate, .unit = "ratio"},
      {.name = "round_age",
       .value = RoundAge(facts),
       .limit = static_cast<double>(options.max_round_age_ms),
       .unit = "ms"},
      {.name = "in_time",
       .value = InTime(facts.round),
       .limit = options.min_in_time,
       .is_least = true,
       .unit = "ratio"},
      {.name = "p99", .value = P99(facts.round), .limit = static_cast<double>(options.max_p99_ms), .unit = "ms"},
      {.name = "silent_workers",
       .value = as_double(facts.silent_workers),
       .limit = static_cast<double>(options.max_silent_workers),
       .unit = "count"},
      {.name = "segment_hold", .value = SegmentHold(facts), .limit = options.max_segment_hold, .unit = "ratio"},
      {.name = "disk_days", .value = facts.disk_days, .limit = options.min_disk_days, .is_least = true, .unit = "days"},
      {.name = "filter_false_positives", .value = facts.filter_false_positives, .limit = filter_limit, .unit = "ratio"},
      {.name = "due_wait",
       .value = DueWait(facts),
       .limit = static_cast<double>(options.max_due_wait_ms),
       .unit = "ms"}};
}

Json ToJson(const std::vector<HealthCheck>& checks) {
  Json list = Json::array();
  for (const HealthCheck& check : checks) {
    // JSON has no infinity: a disk that never fills up has the value null, like one that is not known.
    const bool has_value = check.value && std::isfinite(*check.value);
    list.push_back({{"name", check.name},
                    {"ok", check.ok()},
                    {"value", has_value ? Json(*check.value) : Json()},
                    {"limit", check.limit},
                    {"unit", check.unit},
                    {"is_least", check.is_least}});
  }
  const bool ok = std::all_of(checks.begin(), checks.end(), [](const HealthCheck& check) { return check.ok(); });
  return {{"ok", ok}, {"checks", list}};
}

std::string ReadableHealth(const std::vector<HealthCheck>& checks) {
  std::string text;
  for (const HealthCheck& check : checks) {
    const std::string state = !check.value ? "unknown" : check.ok() ? "ok" : "FAILED";
    const std::string value = check.value ? ValueText(*check.value, check.unit) : "not known";
    text += PadRight(state, 9) + PadRight(check.name, 24) + value + " (" + (check.is_least ? "at least " : "at most ") +
            ValueText(check.limit, check.unit) + ")\n";
  }
  return text;
}

}  // namespace trawl
