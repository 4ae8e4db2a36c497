#include "jobs/stats/holds.h"

#include <algorithm>
#include <mutex>

#include "formats/rows/some_columns.h"
#include "jobs/politeness/quota.h"
#include "jobs/stats/slot_threads.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

void HostHolds::Count(const HostRow& row, TimeMs now_ms) {
  if (row.blocked) ++blocked;
  if (row.breaker == BreakerState::kOpen && row.breaker_until_ms > now_ms) ++breaker_open;
  if (row.not_before_ms > now_ms) ++throttled;
  if (row.slow_until_ms > now_ms) ++slow;
  if (IsTrap(row)) ++suspected_trap;
  if (row.domain.blocked) ++blocked_domains;
}

void HostHolds::Add(const HostHolds& other) {
  blocked += other.blocked;
  breaker_open += other.breaker_open;
  throttled += other.throttled;
  slow += other.slow;
  suspected_trap += other.suspected_trap;
  blocked_domains += other.blocked_domains;
}

Result<HostHolds> CountHolds(const std::shared_ptr<const Table>& hosts, TimeMs now_ms, int threads,
                             const StopToken& stop) {
  const int parts = static_cast<int>(std::clamp<int64_t>(hosts->stored_rows() / 100'000, 1, threads));
  HostHolds holds;
  std::mutex mutex;
  ARROW_RETURN_NOT_OK(ForEachSlotRange(threads, parts, stop, [&](SlotRange slots, int) -> Status {
    HostHolds part;
    const ScanOptions scan = {
        .slots = slots,
        .wanted = Columns<HostRow>({"key", "blocked", "breaker", "breaker_until_ms", "not_before_ms", "slow_until_ms",
                                    "suspected_trap", "trap_cleared", "domain_blocked"})
                      .Flags()};
    ARROW_RETURN_NOT_OK(ForEachRow<HostRow>(hosts, scan, [&](const HostRow& row) {
      part.Count(row, now_ms);
      return Status::OK();
    }));
    const std::lock_guard<std::mutex> lock(mutex);
    holds.Add(part);
    return Status::OK();
  }));
  return holds;
}

Json ToJson(const HostHolds& holds) {
  return {
      {"blocked", holds.blocked}, {"breaker_open", holds.breaker_open},     {"throttled", holds.throttled},
      {"slow", holds.slow},       {"suspected_trap", holds.suspected_trap}, {"blocked_domains", holds.blocked_domains}};
}

}  // namespace trawl
