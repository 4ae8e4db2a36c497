// How many tasks a cluster runs at once for a crawl. Any thread.
#pragma once

#include "arrow/result.h"
#include "runtime/streaming/options.h"

namespace trawl {

// The number that --streaming.task_slots gives, else what fits into the queue by YARN's own answers, beside the
// application master.
arrow::Result<int> TaskSlots(const StreamingOptions& options);

}  // namespace trawl
