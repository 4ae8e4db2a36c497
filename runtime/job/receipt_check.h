// Believes no task: checks that what all of a job's tasks report fits together before a snapshot names it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/receipt.h"
#include "runtime/job/plan.h"
#include "runtime/job/run_task.h"

namespace trawl {

// The files of each table, in the order of their rows. Invalid where a task is missing or reports twice, where the
// slots are not all covered, where files are empty, overlap, or reach out of their task's slots.
arrow::Result<std::map<std::string, std::vector<FileReceipt>>> FilesOfReceipts(
    const Plan& plan, const std::vector<TaskReceipt>& receipts);

}  // namespace trawl
