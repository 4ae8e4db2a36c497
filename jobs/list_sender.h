// The map side of generate's second job: sends the rows of chosen hosts to their lists.
#pragma once

#include <vector>

#include "arrow/status.h"
#include "formats/candidate_row.h"
#include "formats/slot_range.h"
#include "formats/url_policy.h"
#include "jobs/robots_options.h"
#include "runtime/task.h"

namespace trawl {

// `robots` outlives the call. Of each host its row, its robots rows, and its due URLs up to the rank that was chosen;
// `chosen` comes in the order of the tables and lies within `slots`.
arrow::Status SendLists(TaskContext& context, SlotRange slots, const std::vector<ChosenHostRow>& chosen,
                        const UrlPolicy& policy, const RobotsOptions& robots, RowSink& sink);

}  // namespace trawl
