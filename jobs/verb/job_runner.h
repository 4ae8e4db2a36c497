// Makes the runner that --runner names, with a verb's options.
#pragma once

#include <memory>

#include "arrow/result.h"
#include "jobs/verb/job_options.h"
#include "jobs/verb/verb.h"
#include "runtime/job/runner.h"

namespace trawl {

// Decides what can be decided before a job is planned: `auto` becomes `local` where no cluster can take jobs of this root.
// Where a cluster may take them, puts the number of tasks that it runs at once in the place of this machine's cores: jobs
// are cut by it. Call it once the settings of the crawl are known, before job.runner is read. Does nothing where the verb
// has no JobOptionGroup.
arrow::Status ResolveRunner(VerbContext& context);

// `store` is the root's and outlives it. REQUIRES: ResolveRunner was called, and JobOptionGroup is among the verb's groups.
arrow::Result<std::unique_ptr<Runner>> MakeRunner(const VerbContext& context, const JobOptions& job, Store* store);

}  // namespace trawl
