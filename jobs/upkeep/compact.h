// Compaction as a value, for the verb, for crawl's loop, and for tests that let its store fail.
#pragma once

#include "jobs/verb/crawl.h"
#include "runtime/job/job.h"

namespace trawl {

JobSpec CompactSpec();

// `threads` decides into how many tasks it is cut.
JobRequest CompactRequest(bool by_policy, int threads);

}  // namespace trawl
