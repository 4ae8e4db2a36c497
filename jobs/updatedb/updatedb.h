// The door of jobs/updatedb: updatedb as a value, for the verb, for crawl's loop, and for tests. The rules of a URL's
// states, which explain reads, too, are in next_state.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "jobs/verb/job_options.h"
#include "runtime/job/job.h"

namespace trawl {

// Applies the segment to the crawldb. The job ends without a change where the segment is applied already. A segment that
// is not parsed yet, or was abandoned, is an error while the plan is made. `store` outlives the request.
JobRequest UpdatedbRequest(Store* store, const std::string& segment, const JobOptions& job);

// What trawl reparse knows of a segment that it has made, for the document of its round.
struct ReadingAgain {
  std::string segment;
  bool has_parse = false;  // false: there was nothing to read, which the snapshot notes; the segment is none
  // The pages that are still to be read again, as far as they are known.
  std::optional<int64_t> left;
  int64_t gone = 0;  // whose body is not there any more
};
// Applies a segment that has parse and links and no fetch. No snapshot names it before: it is never open, so it holds no
// domain and waits for nobody. The job ends without a change where it is applied already.
JobRequest ApplyReadingRequest(Store* store, const ReadingAgain& reading, const JobOptions& job);

// Removes what nobody reads once the segment is applied: the chains of its fetch tasks. What cannot be removed is left
// to gc.
void ForgetAttempts(Store* store, const std::string& segment);

// Defaults of the options that updatedb's tasks read, as a plan has them.
OptionTexts UpdatedbOptionTexts();

}  // namespace trawl
