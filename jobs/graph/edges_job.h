// The first of the two jobs of trawl graph: inverts the links of all pages that are there, and makes edges between hosts
// and domains of them.
#pragma once

#include "jobs/verb/job_options.h"
#include "runtime/job/job.h"

namespace trawl {

// The most sources that a row of inlinks lists.
inline constexpr size_t kMostSources = 1000;

JobSpec GraphEdgesSpec();

// Publishes nothing: the runs of inlinks, host_edges, domain_edges and ranks (hosts and their pages alone) are in its
// result.
JobRequest GraphEdgesRequest(int64_t snapshot, const JobOptions& job, int threads);

}  // namespace trawl
