// The third of the three jobs of trawl settle: puts the verdicts into the rows of urls, and counts what patterns yield.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/documents/manifest.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/job.h"

namespace trawl {

inline constexpr char kSettleJob[] = "settle";

JobSpec SettleVerdictsSpec();

// What the first two jobs left.
struct SettleRuns {
  std::vector<RunReference> exact_verdicts, near_verdicts;
  std::vector<RunReference> digests;  // those of the first job; of the snapshot, too, unless `all`
  bool all = false;
};

// Fills in facts, parts and partitions. REQUIRES: the snapshot has rows of urls.
arrow::Status PlanVerdicts(const Manifest& snapshot, const SettleRuns& runs, const JobOptions& job, int threads,
                           Plan* plan);

}  // namespace trawl
