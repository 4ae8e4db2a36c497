// The map side of generate's second job: sends the rows of chosen hosts to their lists.
#pragma once

#include <vector>

#include "arrow/status.h"
#include "formats/rows/candidate_row.h"
#include "formats/scope/crawl_scope.h"
#include "formats/url/slot_range.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/generate_options.h"
#include "jobs/policy/robots_options.h"
#include "runtime/job/task.h"

namespace trawl {

// Sends each host's row, its robots rows, and its due URLs up to the rank that was chosen, without those that the budgets of
// their patterns hold; after them the host's probe, where one is due (jobs/select/probe.h). REQUIRES: `chosen` is in the
// order of the tables and lies within `slots`.
arrow::Status SendLists(TaskContext& context, SlotRange slots, const std::vector<ChosenHostRow>& chosen,
                        const CrawlScope& scope, const RobotsOptions& robots, const FetchOptions& fetch,
                        const GenerateOptions& generate, RowSink& sink);

}  // namespace trawl
