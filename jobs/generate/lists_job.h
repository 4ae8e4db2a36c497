// The second job of generate: writes the fetch lists of the URLs that were chosen.
#pragma once

#include "arrow/result.h"
#include "jobs/policy/generate_options.h"
#include "jobs/select/assign.h"
#include "jobs/select/selection.h"
#include "runtime/job/task.h"

namespace trawl {

// The plan is made by PlanListsJob.
JobSpec GenerateListsSpec();

// Stores the chosen hosts where the tasks find them, and sets parts, partitions and facts.
arrow::Status PlanListsJob(Store* store, const Selection& selection, const Assignment& assignment,
                           const GenerateOptions& options, Plan* plan);

}  // namespace trawl
