// How many hosts are held back, by the kind of hold. Reads the hosts table.
#pragma once

#include <cstdint>
#include <memory>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/rows/host_row.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"
#include "runtime/tables/table.h"

namespace trawl {

// A host may be held in several ways at once.
struct HostHolds {
  int64_t blocked = 0;          // by the operator
  int64_t breaker_open = 0;     // after failures in a row
  int64_t throttled = 0;        // asked to be left alone for a while
  int64_t slow = 0;             // among the slow hosts
  int64_t suspected_trap = 0;   // and not cleared by the operator
  int64_t blocked_domains = 0;  // registrable domains, not hosts

  void Count(const HostRow& row, TimeMs now_ms);
  void Add(const HostHolds& other);
};

arrow::Result<HostHolds> CountHolds(const std::shared_ptr<const Table>& hosts, TimeMs now_ms, int threads,
                                    const StopToken& stop);

Json ToJson(const HostHolds& holds);

}  // namespace trawl
