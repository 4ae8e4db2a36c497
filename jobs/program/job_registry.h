// Every job by its name, for tasks that run in processes of their own: they know a job from the verb of its plan.
//
// A job's file has one function `JobSpec NameSpec()`, which captures nothing; it is declared and listed in
// job_registry.cc.
#pragma once

#include <string>

#include "arrow/result.h"
#include "runtime/job/task.h"

namespace trawl {

arrow::Result<JobSpec> FindJob(const std::string& verb);

}  // namespace trawl
