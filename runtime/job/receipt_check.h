// Believes no task: checks that the reports of all tasks of a job fit together before a snapshot names their files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/receipt.h"
#include "runtime/job/plan.h"
#include "runtime/job/run_task.h"

namespace trawl {

// Returns the files of each table, in the order of their rows. Invalid where a task is missing or reports twice, where
// the slots are not all covered, and where files are empty, overlap, or reach beyond their task's slots.
arrow::Result<std::map<std::string, std::vector<FileReceipt>>> FilesOfReceipts(
    const Plan& plan, const std::vector<TaskReceipt>& receipts);

}  // namespace trawl
