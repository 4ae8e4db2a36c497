#include "jobs/select/host_facts.h"

#include <algorithm>
#include <utility>

#include "formats/robots/robots.h"
#include "formats/rows/some_columns.h"
#include "formats/text/ascii.h"
#include "formats/url/key.h"
#include "jobs/politeness/robots_standing.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Result<HostFacts> HostFacts::Open(const TaskContext& context, SlotRange slots, const FetchOptions& fetch,
                                  const RobotsOptions& options) {
  ARROW_ASSIGN_OR_RAISE(auto hosts, Table::Open<HostRow>(context.store(), context.snapshot()));
  ARROW_ASSIGN_OR_RAISE(auto robots, Table::Open<RobotsRow>(context.store(), context.snapshot()));
  const std::vector<bool> wanted =
      Columns<RobotsRow>({"key", "outcome", "due_ms", "failures", "text", "text_ms", "redirect_to", "is_dead"}).Flags();
  ARROW_ASSIGN_OR_RAISE(RowWalk host_walk, RowWalk::Open(std::move(hosts), {.slots = slots}));
  ARROW_ASSIGN_OR_RAISE(RowWalk robots_walk, RowWalk::Open(std::move(robots), {.slots = slots, .wanted = wanted}));
  return HostFacts(std::move(host_walk), std::move(robots_walk), fetch, options, context.plan().now_ms);
}

Status HostFacts::Find(uint32_t slot, std::string_view host, HostFact* fact) {
  ARROW_RETURN_NOT_OK(hosts_.SeekTo({slot, host}));
  *fact = HostFact();
  fact->row.key.assign(host);
  if (!hosts_.at_end() && hosts_.key() == host) hosts_.Read(&fact->row);
  origins_.assign(host).push_back(')');
  ARROW_RETURN_NOT_OK(robots_.SeekTo({slot, origins_}));
  while (!robots_.at_end() && robots_.key().starts_with(origins_)) {
    robots_.Read(&robots_row_);
    const std::optional<int64_t> delay_ms = CrawlDelayOf(robots_row_.text, fetch_.agent);
    if (delay_ms && *delay_ms >= fact->crawl_delay.ms.value_or(0)) fact->crawl_delay = {delay_ms, robots_row_.due_ms};
    const TimeMs deferred_ms = DeferredUntil(robots_row_, options_, now_ms_);
    if (deferred_ms > 0) {
      fact->deferred.emplace(robots_row_.key, Deferral{deferred_ms, robots_row_.is_dead});
    } else if (robots_row_.is_dead) {
      fact->dead.Add(robots_row_.key);
    }
    ARROW_RETURN_NOT_OK(robots_.Next());
  }
  return Status::OK();
}

bool DeadOrigins::LeavesOut(std::string_view key) {
  const auto origin = tried_.find(OriginPartOfKey(key));
  return origin != tried_.end() && std::exchange(origin->second, true);
}

std::optional<int64_t> CrawlDelayOf(std::string_view robots_text, std::string_view agent) {
  if (AsciiLower(robots_text).find("delay") == std::string::npos) return std::nullopt;
  return RobotsRules::Parse(robots_text, agent).crawl_delay_ms();
}

}  // namespace trawl
