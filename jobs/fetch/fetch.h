// The door of jobs/fetch: the fetch job as a value, for the verb, for trawl crawl, and for tests.
#pragma once

#include <memory>
#include <optional>

#include "jobs/politeness/turns.h"
#include "jobs/segment/choice.h"
#include "jobs/stats/fetch_stats.h"
#include "runtime/job/job.h"

namespace trawl {

// Fetches the lists of a segment that ChooseSegment gave. It reads the option groups fetch, robots and urls. `store` is
// the crawl's and must outlive the request. The job counts the fetch rows for its report; if it is the one that did the
// step, `counted` (may be null) gets the numbers, so that nobody reads the rows again for them. `turns` (may be null) are
// those of the fetches before it in this process: hosts that they asked just now are asked no sooner for it.
JobRequest FetchRequest(Store* store, const SegmentChoice& segment, std::optional<FetchStats>* counted = nullptr,
                        std::shared_ptr<HostTurns> turns = nullptr);

}  // namespace trawl
