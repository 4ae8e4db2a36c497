// The reduce side of updatedb: one pass over hosts, robots.txt and URLs in the order of the tables.
#pragma once

#include "arrow/status.h"
#include "runtime/job/task.h"
#include "runtime/shuffle/record_stream.h"

namespace trawl {

// Reads these facts of the plan, beside the segment: "older_runs", the runs of urls of which the lists were made;
// "round_ms", when that was; "refresh_rules", the text of that file.
arrow::Status ReduceSegment(TaskContext& context, GroupStream& groups);

}  // namespace trawl
