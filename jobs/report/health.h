// The state of a crawl against limits, for schedulers and monitors: trawl health. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "runtime/options/options.h"
#include "runtime/process/clock.h"

namespace trawl {

struct HealthOptions {
  double max_error_rate = 0.2;
  int64_t max_round_age_ms = kDayMs;
  double min_in_time = 0.95;
  int64_t max_p99_ms = 5 * kSecondMs;
  int32_t max_silent_workers = 0;
  double max_segment_hold = 0.8;
  double min_disk_days = 7;
  double max_filter_false_positives = 0;  // 0: twice --job.bloom_false_positives
  int64_t max_due_wait_ms = kHourMs;
};
const OptionGroup<HealthOptions>& HealthOptionGroup();

// What is known of a crawl; nothing where it is not.
struct HealthFacts {
  const Json& round;  // the newest document, or null
  const Manifest& manifest;
  TimeMs now_ms = 0;
  std::optional<TimeMs> applied_ms;  // of the newest round
  int64_t due = 0;                   // URLs that are due now
  std::optional<int64_t> silent_workers;
  std::optional<double> disk_days;
  std::optional<double> filter_false_positives;
  double filter_rate = 0;  // that the filters were asked for
};

struct HealthCheck {
  std::string name;
  std::optional<double> value;  // nothing where it is not known; then the check does not fail
  double limit = 0;
  bool is_least = false;  // the value must not be below the limit
  std::string unit;       // "ratio", "ms", "count", "days"

  bool ok() const { return !value || (is_least ? *value >= limit : *value <= limit); }
};

std::vector<HealthCheck> CheckHealth(const HealthFacts& facts, const HealthOptions& options);

// {"ok", "checks": [{"name", "ok", "value" (null: not known), "limit", "unit", "is_least"}]}
Json ToJson(const std::vector<HealthCheck>& checks);
// A line each.
std::string ReadableHealth(const std::vector<HealthCheck>& checks);

}  // namespace trawl
