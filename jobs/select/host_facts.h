// The facts that generate needs of a host: its row, and the Crawl-delay and outages of its robots.txt. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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

// Origins whose robots.txt cannot be reached, with the time until which their pages wait.
struct Deferral {
  TimeMs until_ms = 0;
  bool is_dead = false;  // nobody is there
};
using DeferredOrigins = std::map<std::string, Deferral, std::less<>>;

// Origins that were dead when they were asked last, and are tried again in this round: with one URL each, since all the
// others would fail or succeed with it.
class DeadOrigins {
 public:
  void Clear() { tried_.clear(); }
  void Add(std::string origin) { tried_.emplace(std::move(origin), false); }
  bool empty() const { return tried_.empty(); }
  bool Has(std::string_view origin) const { return tried_.contains(origin); }
  // Whether the round leaves the URL to another one of its origin. REQUIRES: due URLs that the scope accepts, each once.
  bool LeavesOut(std::string_view key);

 private:
  std::map<std::string, bool, std::less<>> tried_;  // whether a URL of it came along
};

struct HostFact {
  HostRow row;             // its key alone where the table has no row
  CrawlDelay crawl_delay;  // the longest of its origins
  DeferredOrigins deferred;
  DeadOrigins dead;
};

class HostFacts {
 public:
  // `fetch` and `robots` outlive it.
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

// The same as RobotsRules::Parse(…).crawl_delay_ms(), but cheap for texts without a Crawl-delay, as most are.
std::optional<int64_t> CrawlDelayOf(std::string_view robots_text, std::string_view agent);

}  // namespace trawl
