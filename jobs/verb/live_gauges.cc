#include "jobs/verb/live_gauges.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "runtime/terminal/units.h"

namespace trawl {

namespace {

// Rates are those of the last seconds.
constexpr int64_t kMeasureMs = 2'000;
// A wait longer than usual delays is shown with its length, for example while failed pages wait for their retry.
constexpr int64_t kLongWaitMs = 5'000;
// A loop that works this much of its time has no reserve left.
constexpr int64_t kBusyPercent = 90;

// A document may say anything: sums of many such numbers stay far below the limits of int64.
constexpr int64_t kMostOfGauge = int64_t{1} << 48;

int64_t IntOf(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_number_integer()) return 0;
  return std::clamp<int64_t>(found->get<int64_t>(), 0, kMostOfGauge);
}

FetchGauges SumOf(const std::map<std::string, FetchGauges>& by_task) {
  FetchGauges sum;
  for (const auto& [task, one] : by_task) {
    sum.pages += one.pages;
    sum.bytes += one.bytes;
    sum.errors += one.errors;
    sum.settled += one.settled;
    sum.left += one.left;
    sum.hosts_active += one.hosts_active;
    if (one.wait_for_delay > 0) {
      sum.next_ms = sum.wait_for_delay > 0 ? std::min(sum.next_ms, one.next_ms) : one.next_ms;
    }
    sum.wait_for_delay += one.wait_for_delay;
    sum.wait_for_names += one.wait_for_names;
    sum.wait_for_servers += one.wait_for_servers;
    sum.busy_percent = std::max(sum.busy_percent, one.busy_percent);
    sum.waits_for_disk |= one.waits_for_disk;
    if (!one.waits_for_attempt.empty()) sum.waits_for_attempt = one.waits_for_attempt;
  }
  return sum;
}

std::string WaitsOf(const FetchGauges& sum) {
  std::vector<std::string> waits;
  if (sum.wait_for_delay > 0) {
    const bool is_long = sum.hosts_active == 0 && sum.next_ms >= kLongWaitMs;
    const std::string how_long = ReadableDuration(sum.next_ms / 1000 * 1000) + " (delay or retry)";
    waits.push_back(ReadableCount(sum.wait_for_delay, "host") + " for " + (is_long ? how_long : "delay"));
  }
  if (sum.wait_for_names > 0) waits.push_back(ReadableCount(sum.wait_for_names) + " for DNS");
  if (sum.wait_for_servers > 0) waits.push_back(ReadableCount(sum.wait_for_servers) + " for slow servers");
  if (sum.busy_percent >= kBusyPercent) waits.push_back("all for the CPU");
  if (sum.waits_for_disk) waits.push_back("all for the disk");
  if (!sum.waits_for_attempt.empty()) waits.push_back("a list that another attempt holds, " + sum.waits_for_attempt);
  std::string text;
  for (const std::string& wait : waits) text += (text.empty() ? "; waiting: " : ", ") + wait;
  return text;
}

}  // namespace

Json ToJson(const FetchGauges& gauges) {
  return {{"pages", gauges.pages},
          {"bytes", gauges.bytes},
          {"errors", gauges.errors},
          {"settled", gauges.settled},
          {"left", gauges.left},
          {"hosts_active", gauges.hosts_active},
          {"wait_for_delay", gauges.wait_for_delay},
          {"next_ms", gauges.next_ms},
          {"wait_for_names", gauges.wait_for_names},
          {"wait_for_servers", gauges.wait_for_servers},
          {"busy_percent", gauges.busy_percent},
          {"waits_for_disk", gauges.waits_for_disk ? 1 : 0},
          {"waits_for_attempt", gauges.waits_for_attempt}};
}

FetchGauges FetchGaugesFromJson(const Json& json) {
  FetchGauges gauges;
  gauges.pages = IntOf(json, "pages");
  gauges.bytes = IntOf(json, "bytes");
  gauges.errors = IntOf(json, "errors");
  gauges.settled = IntOf(json, "settled");
  gauges.left = IntOf(json, "left");
  gauges.hosts_active = IntOf(json, "hosts_active");
  gauges.wait_for_delay = IntOf(json, "wait_for_delay");
  gauges.next_ms = IntOf(json, "next_ms");
  gauges.wait_for_names = IntOf(json, "wait_for_names");
  gauges.wait_for_servers = IntOf(json, "wait_for_servers");
  gauges.busy_percent = IntOf(json, "busy_percent");
  gauges.waits_for_disk = IntOf(json, "waits_for_disk") != 0;
  gauges.waits_for_attempt = GetString(json, "waits_for_attempt").ValueOr("");
  return gauges;
}

void LiveGauges::Take(const std::string& task, const Json& gauges) {
  const std::lock_guard<std::mutex> lock(mutex_);
  by_task_[task] = FetchGaugesFromJson(gauges);
}

void LiveGauges::MeasureRates(const FetchGauges& sum) {
  const int64_t now_ms = clock_.MonotonicMs();
  const int64_t passed_ms = now_ms - measured_ms_;
  if (measured_ms_ >= 0 && passed_ms < kMeasureMs) return;
  if (measured_ms_ >= 0) {
    const double seconds = static_cast<double>(passed_ms) / 1000;
    pages_a_second_ = static_cast<double>(sum.pages - measured_.pages) / seconds;
    bytes_a_second_ = static_cast<double>(sum.bytes - measured_.bytes) / seconds;
    settled_a_second_ = static_cast<double>(sum.settled - measured_.settled) / seconds;
  }
  measured_ms_ = now_ms;
  measured_ = sum;
}

Json LiveGauges::Numbers() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (by_task_.empty()) return nullptr;
  const FetchGauges sum = SumOf(by_task_);
  MeasureRates(sum);
  Json json = ToJson(sum);
  json["pages_per_second"] = pages_a_second_;
  json["bytes_per_second"] = bytes_a_second_;
  json["tasks"] = by_task_.size();
  return json;
}

std::string LiveGauges::Line() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (by_task_.empty()) return "";
  const FetchGauges sum = SumOf(by_task_);
  MeasureRates(sum);
  // The most telling part comes first: a terminal of 80 columns cuts off the end.
  std::string text = ReadableCount(sum.settled) + " of " + ReadableCount(sum.settled + sum.left) + " done, " +
                     ReadableCount(std::llround(pages_a_second_), "page") + "/s" + WaitsOf(sum);
  if (settled_a_second_ > 0 && sum.left > 0) {
    const auto left_s = static_cast<int64_t>(std::ceil(static_cast<double>(sum.left) / settled_a_second_));
    text += "; " + ReadableDuration(left_s * 1000) + " left";
  }
  text += "; " + ReadableCount(sum.errors, "error") + ", " + ReadableCount(sum.hosts_active, "host") + " active, " +
          ReadableSize(std::llround(bytes_a_second_)) + "/s";
  return text;
}

}  // namespace trawl
