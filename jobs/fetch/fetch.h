// The fetch job as a value, for the verb, for crawl, and for tests.
#pragma once

#include <string>

#include "jobs/segment/choice.h"
#include "runtime/job/job.h"

namespace trawl {

// Fetches the lists of a segment that ChooseSegment gave. Its options are those of OptionGroups fetch, robots and urls.
// `store` is the crawl's and must outlive the request.
JobRequest FetchRequest(Store* store, const SegmentChoice& segment);

}  // namespace trawl
