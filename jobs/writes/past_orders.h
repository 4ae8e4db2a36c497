// The orders that earlier processes carried out, by what their jobs recorded. Any thread.
#pragma once

#include <cstddef>
#include <vector>

#include "arrow/result.h"
#include "formats/rows/times.h"
#include "jobs/writes/batch_order.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

// Those of jobs that began at `since_ms` or later. Of many jobs the newest `most_jobs` are read.
arrow::Result<std::vector<PastOrder>> ReadPastOrders(Store* store, TimeMs since_ms, size_t most_jobs,
                                                     const StopToken& stop);

}  // namespace trawl
