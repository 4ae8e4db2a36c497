#include "jobs/rounds/loop.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "jobs/fetch/fetch.h"
#include "jobs/generate/generate.h"
#include "jobs/parse/parse.h"
#include "jobs/segment/life.h"
#include "jobs/updatedb/updatedb.h"
#include "jobs/upkeep/compact.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/plan.h"
#include "runtime/process/free_memory.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/segment_data.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

CrawlLoop::CrawlLoop(VerbContext& context, Crawl& crawl)
    : context_(context),
      crawl_(crawl),
      // An earlier run may have published at a later time: its clock went on while it ran, also with a pinned --now.
      start_now_ms_(std::max(context.global.now_ms, crawl.manifest().published_ms)),
      start_ms_(context.process.clock.MonotonicMs()) {}

// A pinned --now is the time at which the loop begins; time passes from there.
void CrawlLoop::MoveClock() {
  context_.global.now_ms = start_now_ms_ + (context_.process.clock.MonotonicMs() - start_ms_);
}

void CrawlLoop::Say(const std::string& line) {
  if (!context_.global.quiet && !context_.global.json) context_.process.err << line << "\n" << std::flush;
}

int32_t RoundsBegun(const Manifest& present, std::optional<TimeMs> since_ms) {
  // Jobs are named by the second in which they began.
  const std::string first =
      since_ms ? NewJobId("", *since_ms).substr(0, std::string_view("20260101T120000").size()) : "";
  int32_t begun = 0;
  for (const Segment& segment : SegmentsOf(present)) {
    begun += segment.is_open() || (since_ms && segment.job >= first) ? 1 : 0;
  }
  return begun;
}

Result<CrawlTotals> CrawlLoop::Run(int32_t rounds, int32_t begun) {
  bool has_begun_one = false;
  while (true) {
    ARROW_RETURN_NOT_OK(context_.process.stop.Check());
    ARROW_ASSIGN_OR_RAISE(const bool did, DoReadyStep());
    if (did) continue;
    if (rounds > 0 && begun >= rounds) {
      totals_.ended = "all rounds are done";
      break;
    }
    if (has_begun_one && fetched_in_round_ == 0) {
      totals_.ended = "the last round could not fetch anything";
      break;
    }
    ARROW_ASSIGN_OR_RAISE(const bool more, Generate());
    if (!more) {
      totals_.ended = "no more URLs are due";
      break;
    }
    ++begun;
    has_begun_one = true;
  }
  return std::move(totals_);
}

// Finishes the most advanced step first, so that at most one segment is in progress.
Result<bool> CrawlLoop::DoReadyStep() {
  struct {
    SegmentStep step;
    Status (CrawlLoop::*run)(const SegmentChoice& segment);
  } const kSteps[] = {{SegmentStep::kUpdatedb, &CrawlLoop::Apply},
                      {SegmentStep::kParse, &CrawlLoop::Parse},
                      {SegmentStep::kFetch, &CrawlLoop::Fetch}};
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(crawl_.store()));
  for (const auto& [step, run] : kSteps) {
    ARROW_ASSIGN_OR_RAISE(const SegmentChoice segment, ChooseSegment(crawl_.store(), present.manifest, step, ""));
    if (segment.id.empty()) continue;
    ARROW_RETURN_NOT_OK((this->*run)(segment));
    return true;
  }
  return false;
}

Result<JobResult> CrawlLoop::RunStep(const JobRequest& request) {
  MoveClock();
  ARROW_ASSIGN_OR_RAISE(JobResult result, crawl_.Run(context_, request));
  GiveBackFreeMemory();
  for (const auto& [name, count] : result.output.counters.counts()) {
    totals_.counters[request.spec.name + "." + name] += count;
  }
  return result;
}

Result<bool> CrawlLoop::Generate() {
  const auto run = [this](const JobRequest& request) { return RunStep(request); };
  ARROW_ASSIGN_OR_RAISE(const GenerateOutcome outcome, GenerateSegment("", context_.global.threads, run));
  if (outcome.job.job.empty()) return false;
  fetched_in_round_ = 0;
  return true;
}

Status CrawlLoop::Fetch(const SegmentChoice& segment) {
  ARROW_ASSIGN_OR_RAISE(const JobResult result, RunStep(FetchRequest(crawl_.store(), segment)));
  return NoteFetch(segment.id, result);
}

// Counts stored rows, so that a round begun by another run counts in full.
Status CrawlLoop::NoteFetch(const std::string& segment, const JobResult& result) {
  ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> fetched, ReadStep(crawl_.store(), segment, kFetchStep));
  if (!fetched) return Status::IOError("segment ", segment, " was fetched and its record is not there");
  ARROW_ASSIGN_OR_RAISE(FetchStats stats, ReadFetchStats(crawl_.store(), *fetched));
  fetched_in_round_ += stats.requests;
  totals_.fetch.Merge(std::move(stats));
  totals_.tasks += static_cast<int64_t>(fetched->tasks.size());
  for (const StepTask& task : fetched->tasks) {
    const Result<int64_t> ran_ms = GetInt(task.facts, "ran_ms");
    if (!ran_ms.ok()) continue;
    totals_.task_ms += *ran_ms;
    totals_.fetch_ms += std::max(*ran_ms, static_cast<int64_t>(result.seconds * 1000));
  }
  return Status::OK();
}

Status CrawlLoop::Parse(const SegmentChoice& segment) {
  return RunStep(ParseRequest(crawl_.store(), segment.id)).status();
}

Status CrawlLoop::Apply(const SegmentChoice& segment) {
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context_.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const JobResult result, RunStep(UpdatedbRequest(crawl_.store(), segment.id, job)));
  ++totals_.rounds;
  const int64_t found = result.output.counters.Get("urls_new");
  totals_.found += found;
  Say("round " + std::to_string(totals_.rounds) + ": " + ReadableCount(fetched_in_round_, "outcome") + ", " +
      ReadableCount(found, "new URL") + "; segment " + segment.id);
  return RunStep(CompactRequest(/*by_policy=*/true, context_.global.threads)).status();
}

}  // namespace trawl
