// The door of jobs/fetch: the fetch job as a value, for the verb, for trawl crawl, and for tests.
#pragma once

#include <optional>

#include "jobs/segment/choice.h"
#include "jobs/stats/fetch_stats.h"
#include "runtime/job/job.h"

namespace trawl {

// Fetches the lists of a segment that ChooseSegment gave. It reads the option groups fetch, robots and urls. `store` is
// the crawl's and must outlive the request. The job counts the fetch rows for its report; if it is the one that did the
// step, `counted` (may be null) gets the numbers, so that nobody reads the rows again for them.
JobRequest FetchRequest(Store* store, const SegmentChoice& segment, std::optional<FetchStats>* counted = nullptr);

}  // namespace trawl
