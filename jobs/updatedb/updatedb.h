// updatedb as a value, for the verb, for crawl's loop, and for tests.
#pragma once

#include <string>

#include "jobs/verb/job_options.h"
#include "runtime/job/job.h"

namespace trawl {

// Applies the segment to the crawldb. One that is applied already ends the job without a change; one that is not parsed
// yet, or was abandoned, is an error of making the plan. `store` outlives the request.
JobRequest UpdatedbRequest(Store* store, const std::string& segment, const JobOptions& job);

// Defaults of the options that updatedb's tasks read, as a plan has them.
OptionTexts UpdatedbOptionTexts();

}  // namespace trawl
