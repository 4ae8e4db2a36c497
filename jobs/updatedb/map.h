// The map side of updatedb: sends the rows of a segment's files as events to the keys that they concern.
#pragma once

#include <vector>

#include "arrow/status.h"
#include "formats/documents/step_record.h"
#include "runtime/job/task.h"

namespace trawl {

// The parts of the plan: the files of the segment's datasets, a few MiB per part. At least one part.
std::vector<Json> UpdatedbParts(const StepRecord& fetch, const StepRecord& parse);
// About how many bytes the mappers send.
int64_t UpdatedbShuffleBytes(const StepRecord& fetch, const StepRecord& parse);

// The fact of a plan whose segment read stored bodies again and has no fetch.
inline constexpr char kReadsAgain[] = "reads_again";
bool ReadsAgain(const Plan& plan);

arrow::Status MapSegment(TaskContext& context, const Json& part, RowSink& sink);

}  // namespace trawl
