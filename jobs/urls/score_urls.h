// trawl score as a value, for the verb and for tests: scores that somebody else has found out.
//
//   reads        lists of lines: a URL or key, blanks, a score; the urls table: single keys
//   shuffles by  slot and key
//   writes       urls: the rows that change
//   counters     matched, changed; dropped, not_known, repeated, bad
#pragma once

#include <string>
#include <string_view>

#include "arrow/result.h"
#include "formats/url/normal.h"
#include "jobs/inject/seed_files.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/job.h"

namespace trawl {

JobSpec ScoreUrlsSpec();

// What the parts refer to must outlive the request. `inputs` as for InjectRequest.
struct ScoreUrlsParts {
  const SeedParts& lists;
  const JobOptions& job;
  bool take_back = false;  // the scores go; lines need none
  Store* inputs = nullptr;
};
JobRequest ScoreUrlsRequest(const ScoreUrlsParts& parts);

struct ScoreLine {
  std::string key;  // empty: the line says nothing
  int32_t score = 0;
};
// Invalid, with what is wrong, for a line that is neither.
arrow::Result<ScoreLine> ReadScoreLine(std::string_view line, bool take_back, NormalForm form);

}  // namespace trawl
