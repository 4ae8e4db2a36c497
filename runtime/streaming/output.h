// The receipts that a finished Streaming job left in its output folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "runtime/job/plan.h"
#include "runtime/job/run_task.h"
#include "runtime/store/store.h"

namespace trawl {

// Reads `<folder>/part-*` of a job that has committed (there is a `_SUCCESS`): one receipt of each task of the plan,
// maps first, in the order of their numbers. An error where one is missing, damaged, or there twice.
arrow::Result<std::vector<TaskReceipt>> ReadReceipts(Store* work, const std::string& folder, const Plan& plan);

// The same of the text of all parts.
arrow::Result<std::vector<TaskReceipt>> ReceiptsIn(std::string_view text, const Plan& plan);

}  // namespace trawl
