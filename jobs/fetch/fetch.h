// The door of jobs/fetch: the fetch job as a value, for the verb, for trawl crawl, and for tests.
#pragma once

#include <string>

#include "jobs/segment/choice.h"
#include "runtime/job/job.h"

namespace trawl {

// Fetches the lists of a segment that ChooseSegment gave. It reads the option groups fetch, robots and urls. `store` is
// the crawl's and must outlive the request.
JobRequest FetchRequest(Store* store, const SegmentChoice& segment);

}  // namespace trawl
