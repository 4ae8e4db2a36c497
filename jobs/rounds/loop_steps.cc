// Members of CrawlLoop: the steps of one round.
#include <algorithm>
#include <optional>
#include <utility>

#include "jobs/fetch/fetch.h"
#include "jobs/generate/generate.h"
#include "jobs/graph/graph.h"
#include "jobs/graph/rescore.h"
#include "jobs/parse/parse.h"
#include "jobs/reparse/reparse.h"
#include "jobs/rounds/loop.h"
#include "jobs/settle/settle.h"
#include "jobs/stats/totals.h"
#include "jobs/updatedb/updatedb.h"
#include "jobs/upkeep/compact.h"
#include "jobs/upkeep/gc.h"
#include "jobs/verb/job_options.h"
#include "runtime/process/free_memory.h"
#include "runtime/root/segment_data.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Result<JobResult> CrawlLoop::RunStep(const JobRequest& request) {
  if (beside_ != nullptr && beside_->has_ended()) TakeLiveLine();
  MoveClock();
  ARROW_ASSIGN_OR_RAISE(JobResult result, crawl_.Run(context_, request));
  GiveBackFreeMemory();
  CountStep(request, result);
  return result;
}

void CrawlLoop::CountStep(const JobRequest& request, const JobResult& result) {
  for (const auto& [name, count] : result.output.counters.counts()) {
    totals_.counters[request.spec.name + "." + name] += count;
  }
}

Result<bool> CrawlLoop::ReadStoredAgain() {
  ARROW_ASSIGN_OR_RAISE(const ReparseOptions options, context_.Read(ReparseOptionGroup()));
  if (options.pages == 0) return false;
  const auto run = [this](const JobRequest& request) { return RunStep(request); };
  const ReadingRequest request = {.most = options.pages, .asks_documents = true};
  ARROW_ASSIGN_OR_RAISE(const Reading reading,
                        ReadAgain(crawl_.store(), context_.options.texts(), request, context_.process.stop, run));
  if (reading.pages == 0) return false;
  totals_.found += reading.urls_new;
  const bool has_more = reading.left.value_or(0) > 0;
  Say("read again: " + ReadableCount(reading.pages, "stored page") + ", " + ReadableCount(reading.urls_new, "new URL") +
      (has_more ? "; " + ReadableCount(*reading.left, "page") + " left" : "") + "; segment " + reading.segment);
  return has_more;
}

int64_t CrawlLoop::TriesOf(const GenerateOutcome& outcome) {
  const Counters& counters = outcome.job.output.counters;
  return counters.Get("limited") == counters.Get("urls") ? counters.Get("limited") : 0;
}

// Opens a segment. Returns its id; empty where nothing can be fetched.
Result<std::string> CrawlLoop::Generate(const std::string& named) {
  const auto run = [this](const JobRequest& request) { return RunStep(request); };
  ARROW_ASSIGN_OR_RAISE(const GenerateOutcome outcome, GenerateSegment(named, context_.global.threads, run));
  totals_.outlook = OutlookOf(outcome.selection, context_.global.now_ms);
  const int64_t tried = TriesOf(outcome);
  has_only_tries_ = tried > 0;
  only_tries_again_ = has_only_tries_ && tried <= last_tried_;
  last_tried_ = tried;
  is_beside_another_ = false;
  more_may_be_due_ = outcome.assignment.more;
  return outcome.segment;
}

// What is due once all rounds are over.
Status CrawlLoop::LookAhead() {
  MoveClock();
  GenerateOutcome outcome;
  ARROW_RETURN_NOT_OK(crawl_.RunWith(
      context_,
      [&](const JobEnvironment& environment) {
        return TryGenerate(environment, context_.global.threads).Value(&outcome);
      },
      /*here=*/true));
  totals_.outlook = OutlookOf(outcome.selection, context_.global.now_ms);
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(crawl_.store()));
  totals_.had_pages = !present.manifest.totals || present.manifest.totals->pages > 0;
  return Status::OK();
}

Status CrawlLoop::Finish(const std::string& segment) {
  ARROW_RETURN_NOT_OK(Fetch(segment));
  ARROW_RETURN_NOT_OK(FinishFetched(segment));
  return Collect();
}

Status CrawlLoop::FinishFetched(const std::string& segment) {
  const auto choose = [&](SegmentStep step) -> Result<SegmentChoice> {
    ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(crawl_.store()));
    return ChooseSegment(crawl_.store(), present.manifest, step, segment);
  };
  ARROW_ASSIGN_OR_RAISE(const SegmentChoice parse, choose(SegmentStep::kParse));
  if (!parse.is_done) ARROW_RETURN_NOT_OK(RunStep(ParseRequest(crawl_.store(), segment)).status());
  ARROW_ASSIGN_OR_RAISE(const SegmentChoice updatedb, choose(SegmentStep::kUpdatedb));
  if (!updatedb.is_done) ARROW_RETURN_NOT_OK(Apply(segment));
  // Also where the segment was applied before: a command that was killed may not have come to it.
  return Upkeep();
}

Status CrawlLoop::Fetch(const std::string& segment) {
  std::optional<FetchStats> counted;
  JobResult result;
  ARROW_ASSIGN_OR_RAISE(const std::optional<JobRequest> fetch, FetchOf(segment, &counted));
  if (fetch) {
    ARROW_ASSIGN_OR_RAISE(result, RunStep(*fetch));
  }
  return NoteFetch(segment, result, std::move(counted));
}

// Nothing where the segment was fetched before.
Result<std::optional<JobRequest>> CrawlLoop::FetchOf(const std::string& segment, std::optional<FetchStats>* counted) {
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(crawl_.store()));
  ARROW_ASSIGN_OR_RAISE(const SegmentChoice choice,
                        ChooseSegment(crawl_.store(), present.manifest, SegmentStep::kFetch, segment));
  if (choice.is_done) return std::nullopt;
  MoveClock();
  turns_->Forget(context_.global.now_ms);
  return FetchRequest(crawl_.store(), choice, counted, turns_);
}

// Counts stored rows, so that a round begun by another run counts in full.
Status CrawlLoop::NoteFetch(const std::string& segment, const JobResult& result, std::optional<FetchStats> counted) {
  ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> fetched, ReadStep(crawl_.store(), segment, kFetchStep));
  if (!fetched) return Status::IOError("segment ", segment, " was fetched and its record is not there");
  if (!counted) {
    ARROW_ASSIGN_OR_RAISE(counted, ReadFetchStats(crawl_.store(), *fetched));
  }
  FetchStats& stats = *counted;
  fetched_in_round_ = stats.requests;
  const bool has_nothing = totals_.fetch.succeeded == 0 && stats.succeeded == 0;
  if (has_nothing && totals_.failures.empty()) {
    ARROW_ASSIGN_OR_RAISE(totals_.failures, ReadFailures(crawl_.store(), *fetched));
  }
  totals_.fetch.Merge(std::move(stats));
  totals_.robots_asked += GetInt(fetched->counters, "robots_requests").ValueOr(0);
  totals_.tasks += static_cast<int64_t>(fetched->tasks.size());
  for (const StepTask& task : fetched->tasks) {
    const Result<int64_t> ran_ms = GetInt(task.facts, "ran_ms");
    if (!ran_ms.ok()) continue;
    totals_.task_ms += *ran_ms;
    totals_.fetch_ms += std::max(*ran_ms, static_cast<int64_t>(result.seconds * 1000));
  }
  return Status::OK();
}

Status CrawlLoop::Apply(const std::string& segment) {
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context_.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const JobResult result, RunStep(UpdatedbRequest(crawl_.store(), segment, job)));
  ForgetAttempts(crawl_.store(), segment);
  ++totals_.rounds;
  const int64_t found = result.output.counters.Get("urls_new");
  totals_.found += found;
  if (result.details.is_object() && result.details.contains("classes"))
    ARROW_RETURN_NOT_OK(totals_.refreshed.Merge(result.details["classes"]));
  if (!says_rounds_) return Status::OK();
  Say("round " + std::to_string(totals_.rounds) + ": " + ReadableCount(fetched_in_round_, "outcome") + ", " +
      ReadableCount(found, "new URL") + "; segment " + segment);
  return Status::OK();
}

namespace {

bool HasUnsettledRound(const Manifest& present) {
  const auto mark = present.read_to.find(kSettleMark);
  const int64_t settled = mark == present.read_to.end() ? -1 : mark->second;
  return std::any_of(present.closed_segments.begin(), present.closed_segments.end(),
                     [settled](const ClosedSegment& segment) {
                       return segment.end == SegmentEnd::kApplied && segment.snapshot > settled;
                     });
}

}  // namespace

Status CrawlLoop::SettleRounds() {
  ARROW_ASSIGN_OR_RAISE(const SettleOptions options, context_.Read(SettleOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const Snapshot before, ReadPresent(crawl_.store()));
  if (!options.enabled || !HasUnsettledRound(before.manifest)) return Status::OK();
  const auto run = [this](const JobRequest& request) { return RunStep(request); };
  ARROW_ASSIGN_OR_RAISE(const Settled settled,
                        Settle(crawl_.store(), context_.options.texts(), {}, context_.process.stop, run));
  if (!says_rounds_ || settled.exact + settled.near + settled.cleared == 0) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const Snapshot after, ReadPresent(crawl_.store()));
  const std::string text = DuplicatesText(DuplicatesJson(after.manifest.totals.value_or(Totals())));
  Say("settled: " + (text.empty() ? "no duplicates any more" : text));
  return Status::OK();
}

Status CrawlLoop::Rank() {
  ARROW_ASSIGN_OR_RAISE(const GraphOptions options, context_.Read(GraphOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(crawl_.store()));
  ARROW_ASSIGN_OR_RAISE(const bool is_due, IsGraphDue(crawl_.store(), present.manifest, options));
  if (!is_due) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context_.Read(JobOptionGroup()));
  ARROW_RETURN_NOT_OK(RunStep(GraphRequest(job, context_.global.threads)).status());
  return RunStep(RescoreRequest(context_.global.threads)).status();
}

Status CrawlLoop::Upkeep() {
  ARROW_RETURN_NOT_OK(SettleRounds());
  ARROW_RETURN_NOT_OK(Rank());
  return RunStep(CompactRequest(/*by_policy=*/true, context_.global.threads)).status();
}

Status CrawlLoop::Collect() {
  ARROW_ASSIGN_OR_RAISE(const GcOptions gc, context_.Read(GcOptionGroup()));
  MoveClock();
  ARROW_ASSIGN_OR_RAISE(const GcResult collected, CollectByPolicy(context_, crawl_, gc));
  totals_.counters["gc.files"] += collected.files;
  totals_.counters["gc.bytes"] += collected.bytes;
  return Status::OK();
}

}  // namespace trawl
