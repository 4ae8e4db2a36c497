// What processes took of their machines: time of the processor, and bytes that went to the disk. Any thread.
//
// Tasks that share a process share its numbers, so each task reports the process's sums at its beginning and its end, and
// the sums of a process are the difference of the last and the first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/documents/json.h"
#include "runtime/process/clock.h"

namespace trawl {

// The sums of this process since it began.
struct ProcessUse {
  int64_t at_ms = 0;
  int64_t cpu_ms = 0;  // user and system, of all threads
  int64_t disk_read = 0;
  int64_t disk_written = 0;

  static ProcessUse Now(const Clock& clock);
};

// The fact of a task: its process and what that had used when the task began and ended.
Json UseFact(const ProcessUse& began, const ProcessUse& ended);

// The sums of some tasks' facts. `wire_bytes` came over the network for them.
//   processes, seconds, cpu_seconds, cpu_share (of the cores of their machines), disk_read_bytes, disk_written_bytes,
//   disk_bytes_per_second, wire_bytes_per_second
Json SumUse(const std::vector<Json>& facts, int64_t wire_bytes);

}  // namespace trawl
