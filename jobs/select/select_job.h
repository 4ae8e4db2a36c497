// The first job of generate: selects the due URLs that a round could fetch, and ranks them.
#pragma once

#include <cstdint>
#include <string>

#include "arrow/result.h"
#include "jobs/select/selection.h"
#include "runtime/job/job.h"

namespace trawl {

// The tables that both jobs of generate read.
int64_t BytesToSelectFrom(const Manifest& present);

// Runs the job on a snapshot. Its files go into the folder of that segment.
arrow::Result<Selection> RunSelectJob(const JobEnvironment& environment, int64_t snapshot, const std::string& segment,
                                      int threads);

JobSpec GenerateSelectSpec();

}  // namespace trawl
