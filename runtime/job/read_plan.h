// Reads the plan that a job has stored. Any thread.
#pragma once

#include <string>

#include "arrow/result.h"
#include "runtime/job/plan.h"
#include "runtime/store/store.h"

namespace trawl {

// NotFound (runtime/store/status.h) where the job has no plan (any more).
arrow::Result<Plan> ReadPlan(Store* store, const std::string& job);

}  // namespace trawl
