// The first job of generate: which due URLs could be fetched in a round, and how good they are.
#pragma once

#include <cstdint>
#include <string>

#include "arrow/result.h"
#include "jobs/generate/selection.h"
#include "runtime/job/job.h"

namespace trawl {

// Runs it on a snapshot; its files go to the segment of that id.
arrow::Result<Selection> RunSelectJob(const JobEnvironment& environment, int64_t snapshot, const std::string& segment,
                                      int threads);

JobSpec GenerateSelectSpec();

}  // namespace trawl
