// Reads the plan that a job has stored. Any thread.
#pragma once

#include <string>

#include "arrow/result.h"
#include "runtime/job/plan.h"
#include "runtime/store/store.h"

namespace trawl {

// Reads the text of the file at `path`, which a message names.
arrow::Result<Plan> PlanFromText(const std::string& text, const std::string& path);

// NotFound (runtime/store/status.h) where the job has no plan (any more); IOError for the plan of another job.
arrow::Result<Plan> ReadPlan(Store* store, const std::string& job);

}  // namespace trawl
