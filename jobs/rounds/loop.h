// The door of jobs/rounds: the loop of trawl crawl. It runs rounds until nothing is due. Each step is a job like any
// other, so a loop that was killed continues where it stopped. Start at CrawlLoop::Run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "jobs/rounds/fetch_stats.h"
#include "jobs/segment/choice.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/verb.h"
#include "runtime/job/counters.h"

namespace trawl {

// The sums over all rounds of one loop.
struct CrawlTotals {
  int32_t rounds = 0;  // applied
  int64_t found = 0;   // URLs that entered by links
  FetchStats fetch;
  Counters counters;     // counters of all jobs: "parse.pages", "updatedb.new"…
  int64_t tasks = 0;     // tasks of fetch jobs
  int64_t task_ms = 0;   // time that these tasks ran
  int64_t fetch_ms = 0;  // time that their jobs took, times the tasks
  std::string ended;     // why there are no more rounds, in words
};

class CrawlLoop {
 public:
  // Both must outlive the loop. The context's "now" advances as time passes.
  CrawlLoop(VerbContext& context, Crawl& crawl);

  // Runs up to `rounds` rounds, `begun` of which an earlier run has begun already; 0: until nothing is due. Finishes a
  // round that another run left unfinished first.
  arrow::Result<CrawlTotals> Run(int32_t rounds, int32_t begun);

 private:
  void MoveClock();
  arrow::Result<bool> DoReadyStep();
  arrow::Result<bool> Generate();
  arrow::Status Fetch(const SegmentChoice& segment);
  arrow::Status NoteFetch(const std::string& segment, const JobResult& result);
  arrow::Status Parse(const SegmentChoice& segment);
  arrow::Status Apply(const SegmentChoice& segment);
  arrow::Result<JobResult> RunStep(const JobRequest& request);
  void Say(const std::string& line);

  VerbContext& context_;
  Crawl& crawl_;
  const TimeMs start_now_ms_;
  const int64_t start_ms_;
  CrawlTotals totals_;
  int64_t fetched_in_round_ = 0;
};

// Counts the rounds of a crawl that began at `since_ms` and was killed or stopped: those in progress and, with a pinned
// time, all that were begun since then.
int32_t RoundsBegun(const Manifest& present, std::optional<TimeMs> since_ms);

}  // namespace trawl
