// What the tables say of hosts, as generate asks: its row, and how long its robots.txt wants to be left alone. One
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/rows/host_row.h"
#include "formats/rows/robots_row.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/robots_options.h"
#include "jobs/politeness/share.h"
#include "runtime/job/task.h"
#include "runtime/process/clock.h"
#include "runtime/tables/row_walk.h"

namespace trawl {

// Origins whose robots.txt cannot be had, with the time until which their pages wait.
using DeferredOrigins = std::map<std::string, TimeMs, std::less<>>;

struct HostFact {
  HostRow row;             // nothing but its key where the table has none
  CrawlDelay crawl_delay;  // the longest of its origins
  DeferredOrigins deferred;
};

class HostFacts {
 public:
  // Both outlive it.
  static arrow::Result<HostFacts> Open(const TaskContext& context, SlotRange slots, const FetchOptions& fetch,
                                       const RobotsOptions& robots);

  // REQUIRES: hosts come in the order of the tables.
  arrow::Status Find(uint32_t slot, std::string_view host, HostFact* fact);

 private:
  HostFacts(RowWalk hosts, RowWalk robots, const FetchOptions& fetch, const RobotsOptions& options, TimeMs now_ms)
      : hosts_(std::move(hosts)), robots_(std::move(robots)), fetch_(fetch), options_(options), now_ms_(now_ms) {}

  RowWalk hosts_;
  RowWalk robots_;
  const FetchOptions& fetch_;
  const RobotsOptions& options_;
  TimeMs now_ms_;
  std::string origins_;
  RobotsRow robots_row_;
};

// The same as RobotsRules::Parse(…).crawl_delay_ms(), but cheap where the text, as most do, has none.
std::optional<int64_t> CrawlDelayOf(std::string_view robots_text, std::string_view agent);

}  // namespace trawl
