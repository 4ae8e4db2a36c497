// Every job by its name, for tasks in other processes: they know a job by the verb of its plan.
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
