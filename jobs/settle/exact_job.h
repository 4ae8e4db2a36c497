// The first of the three jobs of trawl settle: which pages have the same content, and which of them stands for the others.
#pragma once

#include <cstdint>

#include "jobs/verb/job_options.h"
#include "runtime/job/job.h"

namespace trawl {

JobSpec SettleExactSpec();

// Reads the rows of urls that changed since the last settle; where `all`, every row, as if nothing were settled.
// Publishes nothing: the runs of DigestRow, SettledContentRow and VerdictRow are in its result.
JobRequest ExactJobRequest(int64_t snapshot, bool all, const JobOptions& job, int threads);

}  // namespace trawl
