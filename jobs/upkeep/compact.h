// The door of jobs/upkeep: compaction as a value, for the verb, for the crawl's loop, and for tests that let its store
// fail.
#pragma once

#include "jobs/verb/crawl.h"
#include "runtime/job/job.h"

namespace trawl {

JobSpec CompactSpec();

// `threads` decides how many tasks it is cut into.
JobRequest CompactRequest(bool by_policy, int threads);

}  // namespace trawl
