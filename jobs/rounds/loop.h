// The door of jobs/rounds: the rounds of trawl crawl and trawl round. Each step is a job like any other, so rounds that
// were killed continue where they stopped. Start at CrawlLoop::Run, or at RunOne. Its members stand in three files: loop.cc
// which rounds there are, loop_steps.cc the steps of one, loop_ahead.cc rounds that overlap.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "jobs/generate/generate.h"
#include "jobs/politeness/turns.h"
#include "jobs/refresh/refresh_numbers.h"
#include "jobs/rounds/failures.h"
#include "jobs/rounds/job_beside.h"
#include "jobs/segment/choice.h"
#include "jobs/segment/life.h"
#include "jobs/select/outlook.h"
#include "jobs/stats/fetch_stats.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/verb.h"
#include "runtime/job/counters.h"

namespace trawl {

// A segment that another command left unfinished.
struct TakenUp {
  std::string segment;
  int64_t urls = 0;
  TimeMs opened_ms = 0;  // 0: not known, for it has expired
};
Json ToJson(const std::vector<TakenUp>& taken_up);

// The sums over all rounds of one loop.
struct CrawlTotals {
  int32_t rounds = 0;  // applied
  int64_t found = 0;   // URLs that entered by links
  FetchStats fetch;
  RefreshNumbers refreshed;  // by class of pages
  Counters counters;         // counters of all jobs: "parse.pages", "updatedb.new"…
  int64_t tasks = 0;         // tasks of fetch jobs
  int64_t task_ms = 0;       // time that these tasks ran
  int64_t fetch_ms = 0;      // time that their jobs took, times the tasks
  int64_t robots_asked = 0;  // requests for robots.txt
  std::string ended;         // why there are no more rounds, in words
  Outlook outlook;           // what is due at the end, and what holds it
  std::vector<TakenUp> taken_up;
  std::vector<FailedUrl> failures;  // of the first round, where nothing in it succeeded

  bool had_pages = false;  // the crawl has stored a page, in these rounds or before

  // Whether something was tried, and no page, 304 or redirect came of all of it. What robots.txt denies is no failure of a
  // crawl that has pages, and a guess at a sitemap is none.
  bool GotNothing() const {
    return fetch.succeeded == 0 && (had_pages ? fetch.requests > DeniedByRobots() : !AskedNothing());
  }
  int64_t DeniedByRobots() const {
    const auto denied = fetch.outcomes.find(TextOf(Outcome::kRobotsDenied));
    return denied == fetch.outcomes.end() ? 0 : denied->second;
  }
  bool AskedNothing() const { return fetch.requests == 0 && robots_asked == 0; }
};

struct LoopWish {
  int32_t rounds = 0;    // at most; 0: until nothing is due
  int32_t begun = 0;     // of them, by an earlier run
  bool overlap = false;  // whether the next round is fetched while one is parsed and applied
};

class CrawlLoop {
 public:
  // Both must outlive the loop. The context's "now" advances as time passes.
  CrawlLoop(VerbContext& context, Crawl& crawl);

  // Finishes the rounds that another run left unfinished first.
  arrow::Result<CrawlTotals> Run(const LoopWish& wish);

  struct OneRound {
    std::string segment;       // empty where nothing can be fetched
    bool was_applied = false;  // an earlier command did all of it
    CrawlTotals totals;
  };
  // Runs one round: finishes that of the segment that `named` names, or makes it; without a name finishes the one that
  // is unfinished, or makes a new one. A new one also follows an unfinished segment whose time is over.
  arrow::Result<OneRound> RunOne(const std::string& named);

 private:
  void MoveClock();
  // The segment whose next step is the most advanced; empty: all segments are finished.
  arrow::Result<std::string> FindUnfinished();
  arrow::Status ReadFound(const std::string& segment);
  // Says so. Returns whether the segment's time is over.
  arrow::Result<bool> TakeUp(const std::string& segment);
  arrow::Result<bool> IsOver(const Segment& segment);
  // Reads stored pages again that were read under other rules, within --reparse.pages. Whether more of them are left, and
  // this brought them nearer.
  arrow::Result<bool> ReadStoredAgain();
  arrow::Result<std::string> Generate(const std::string& named);
  // The URLs of the list, where all of them are of patterns that have a budget; else 0.
  static int64_t TriesOf(const GenerateOutcome& outcome);
  // Does all the steps that are left.
  arrow::Status Finish(const std::string& segment);
  // The steps after the fetch, up to the upkeep, but for collecting garbage.
  arrow::Status FinishFetched(const std::string& segment);
  arrow::Status Fetch(const std::string& segment);
  arrow::Result<std::optional<JobRequest>> FetchOf(const std::string& segment, std::optional<FetchStats>* counted);
  // The same as Finish, for this segment and then for each that can be made beside the one before.
  arrow::Status FinishOverlapping(std::string segment);
  arrow::Result<std::string> GenerateNext(const std::string& fetched);
  // Finishes the one, which is fetched, while the other is fetched.
  arrow::Status FinishBesideFetch(const std::string& segment, const std::string& next);
  arrow::Status FinishMeanwhile(const std::string& segment);
  void GiveLiveLine(const JobBeside* fetch);
  void TakeLiveLine();
  arrow::Status NoteFetch(const std::string& segment, const JobResult& result, std::optional<FetchStats> counted);
  arrow::Status Apply(const std::string& segment);
  // Finds duplicates where a round was applied since they were looked for: this one, or one whose command was killed.
  arrow::Status SettleRounds();
  // Makes the graph anew where that is due.
  arrow::Status Rank();
  arrow::Status Upkeep();
  arrow::Status Collect();
  arrow::Status LookAhead();
  arrow::Result<JobResult> RunStep(const JobRequest& request);
  void CountStep(const JobRequest& request, const JobResult& result);
  void SayLaterClock();
  void SayAbove(const std::function<void()>& say);
  void Say(const std::string& line);
  void Warn(const std::string& line);

  VerbContext& context_;
  Crawl& crawl_;
  const TimeMs asked_now_ms_;
  const TimeMs start_now_ms_;
  const int64_t start_ms_;
  const std::shared_ptr<HostTurns> turns_;  // of all fetches
  CrawlTotals totals_;
  int32_t rounds_ = 0;  // LoopWish
  int32_t begun_ = 0;
  int64_t fetched_in_round_ = 0;  // by the last fetch
  // TriesOf the last segment that was made while no other was open. And whether there were no more of them than on such a
  // list before it, so that none of these patterns is about to recover.
  int64_t last_tried_ = 0;
  bool only_tries_again_ = false;
  // Of the last segment: whether all its URLs are such tries; whether it was made while another one held its domains; and
  // whether more may be due than it has.
  bool has_only_tries_ = false;
  bool is_beside_another_ = false;
  bool more_may_be_due_ = false;
  const JobBeside* beside_ = nullptr;  // the fetch that has the live line
  int live_line_fd_ = -1;              // where it shows it
  bool says_rounds_ = false;           // where there may be several
};

// Counts the rounds of a crawl that began at `since_ms` and was killed or stopped: those in progress and, with a pinned
// time, all that were begun since then.
int32_t RoundsBegun(const Manifest& present, std::optional<TimeMs> since_ms);

// --idle_exit.
arrow::Result<int> IdleExit(const VerbContext& context);
// The exit code of a command that ran these rounds. Where it got nothing, it says so on standard error.
arrow::Result<int> EndOfRounds(VerbContext& context, const CrawlTotals& totals);

}  // namespace trawl
