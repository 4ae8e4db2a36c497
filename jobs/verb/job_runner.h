// The runner that --runner names, with a verb's options.
#pragma once

#include <memory>

#include "arrow/result.h"
#include "jobs/verb/job_options.h"
#include "jobs/verb/verb.h"
#include "runtime/job/runner.h"

namespace trawl {

// `store` is the root's and outlives it. REQUIRES: JobOptionGroup is among the verb's groups.
arrow::Result<std::unique_ptr<Runner>> MakeRunner(const VerbContext& context, const JobOptions& job, Store* store);

// Jobs are cut by how many tasks run at once, which on a cluster this machine's cores do not tell: puts it in their
// place.
arrow::Status CutForTheCluster(VerbContext& context);

}  // namespace trawl
