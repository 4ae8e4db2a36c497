// The second job of generate: writes the fetch lists of what was chosen.
#pragma once

#include "arrow/result.h"
#include "jobs/generate/assign.h"
#include "jobs/generate/selection.h"
#include "jobs/policy/generate_options.h"
#include "runtime/job/task.h"

namespace trawl {

// Its tasks. The plan is made by PlanListsJob.
JobSpec GenerateListsSpec();

// Stores which hosts were chosen, where the tasks find it, and sets parts, partitions and facts.
arrow::Status PlanListsJob(Store* store, const Selection& selection, const Assignment& assignment,
                           const GenerateOptions& options, Plan* plan);

}  // namespace trawl
