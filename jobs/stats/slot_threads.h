// Reads a table on several threads, each of which takes ranges of slots until all are done. For verbs that look; jobs
// have runners.
#pragma once

#include <functional>

#include "arrow/status.h"
#include "formats/url/slot_range.h"
#include "runtime/process/stop.h"

namespace trawl {

// Calls `work(range, number)` for `parts` even ranges of all slots, on up to `threads` threads. The first failure ends
// it.
arrow::Status ForEachSlotRange(int threads, int parts, const StopToken& stop,
                               const std::function<arrow::Status(SlotRange range, int number)>& work);

}  // namespace trawl
