// One live line about the tasks of a fetch: rates, progress, and what the other URLs wait for.
//
// Take may be called from any thread, Line from another.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "formats/documents/json.h"
#include "runtime/process/clock.h"

namespace trawl {

// A task's numbers. The first four only grow; the others are of now.
struct FetchGauges {
  int64_t pages = 0;
  int64_t bytes = 0;
  int64_t errors = 0;
  int64_t settled = 0;  // URLs
  int64_t left = 0;     // URLs that wait or are in flight
  int64_t hosts_active = 0;
  int64_t wait_for_delay = 0;    // hosts
  int64_t next_ms = 0;           // until the first of these hosts may be asked
  int64_t wait_for_names = 0;    // hosts
  int64_t wait_for_servers = 0;  // requests in flight for long
  int64_t busy_percent = 0;      // share of the time that the loop itself worked
  bool waits_for_disk = false;
  std::string waits_for_attempt;  // the attempt whose lease must end first
};
Json ToJson(const FetchGauges& gauges);
FetchGauges FetchGaugesFromJson(const Json& json);

class LiveGauges {
 public:
  // `clock` must outlive it.
  explicit LiveGauges(const Clock& clock) : clock_(clock) {}

  void Take(const std::string& task, const Json& gauges);
  // Empty while no task has shown anything.
  std::string Line();
  // The sum over the tasks, with rates: `pages_per_second`, `bytes_per_second`. Null while no task has shown anything.
  Json Numbers();

 private:
  void MeasureRates(const FetchGauges& sum);

  const Clock& clock_;
  std::mutex mutex_;
  std::map<std::string, FetchGauges> by_task_;
  int64_t measured_ms_ = -1;
  FetchGauges measured_;
  double pages_a_second_ = 0, bytes_a_second_ = 0, settled_a_second_ = 0;
};

}  // namespace trawl
