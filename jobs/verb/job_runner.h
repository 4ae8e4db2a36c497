// Makes the runner that --runner names, with a verb's options.
#pragma once

#include <memory>

#include "arrow/result.h"
#include "jobs/verb/job_options.h"
#include "jobs/verb/verb.h"
#include "runtime/job/runner.h"

namespace trawl {

// `store` is the root's and outlives it. REQUIRES: JobOptionGroup is among the verb's groups.
arrow::Result<std::unique_ptr<Runner>> MakeRunner(const VerbContext& context, const JobOptions& job, Store* store);

// Puts the number of tasks that run at once on a cluster in the place of this machine's cores. Jobs are cut by it.
arrow::Status CutForTheCluster(VerbContext& context);

}  // namespace trawl
