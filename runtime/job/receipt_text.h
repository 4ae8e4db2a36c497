// A task's receipt as a line of text: what a task under Hadoop Streaming writes to standard output, and the job's
// output folder then holds.
//
//   r3-1000 <TAB> 9f6c0e1b2a774d55 {"slots": [0, 21846], "files": …}
//
// The digits are Hash64 of the object's text, so that a line that was cut or changed on its way is an error. Pure.
#pragma once

#include <string>
#include <string_view>

#include "arrow/result.h"
#include "runtime/job/run_task.h"

namespace trawl {

// Without a line feed.
std::string ReceiptLine(const TaskReceipt& receipt);
// White space at the end is none of the line's: Hadoop adds some.
arrow::Result<TaskReceipt> ReceiptFromLine(std::string_view line);

// "m12-1000" and back.
arrow::Result<TaskId> TaskIdFrom(std::string_view name);

}  // namespace trawl
