// The door of jobs/updatedb: updatedb as a value, for the verb, for crawl's loop, and for tests. The rules of a URL's
// states, which explain reads, too, are in next_state.h.
#pragma once

#include <string>

#include "jobs/verb/job_options.h"
#include "runtime/job/job.h"

namespace trawl {

// Applies the segment to the crawldb. The job ends without a change where the segment is applied already. A segment that
// is not parsed yet, or was abandoned, is an error while the plan is made. `store` outlives the request.
JobRequest UpdatedbRequest(Store* store, const std::string& segment, const JobOptions& job);

// Removes what nobody reads once the segment is applied: the chains of its fetch tasks. What cannot be removed is left
// to gc.
void ForgetAttempts(Store* store, const std::string& segment);

// Defaults of the options that updatedb's tasks read, as a plan has them.
OptionTexts UpdatedbOptionTexts();

}  // namespace trawl
