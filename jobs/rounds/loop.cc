#include "jobs/rounds/loop.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "jobs/fetch/fetch.h"
#include "jobs/generate/generate.h"
#include "jobs/parse/parse.h"
#include "jobs/segment/known_segments.h"
#include "jobs/segment/life.h"
#include "jobs/stats/round.h"
#include "jobs/updatedb/updatedb.h"
#include "jobs/upkeep/compact.h"
#include "jobs/upkeep/gc.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/plan.h"
#include "runtime/process/free_memory.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/segment_data.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/timestamp.h"
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

Json ToJson(const std::vector<TakenUp>& taken_up) {
  Json json = Json::array();
  for (const TakenUp& one : taken_up) {
    json.push_back({{"segment", one.segment},
                    {"urls", one.urls},
                    {"opened", one.opened_ms == 0 ? Json(nullptr) : Json(FormatTimestamp(one.opened_ms))}});
  }
  return json;
}

Result<CrawlTotals> CrawlLoop::Run(int32_t rounds, int32_t begun) {
  bool has_begun_one = false, has_looked = false;
  while (true) {
    ARROW_RETURN_NOT_OK(context_.process.stop.Check());
    ARROW_ASSIGN_OR_RAISE(std::string segment, FindUnfinished());
    if (!segment.empty()) {
      ARROW_RETURN_NOT_OK(TakeUp(segment));
      ARROW_RETURN_NOT_OK(Finish(segment));
      continue;
    }
    if (rounds > 0 && begun >= rounds) {
      totals_.ended = "all rounds are done";
      break;
    }
    if (has_begun_one && fetched_in_round_ == 0) {
      totals_.ended = "the last round could not fetch anything";
      break;
    }
    ARROW_ASSIGN_OR_RAISE(segment, Generate(""));
    has_looked = segment.empty();
    if (segment.empty()) {
      totals_.ended = totals_.outlook.held.empty() ? "nothing more is due" : "all that is due is held";
      break;
    }
    ++begun;
    has_begun_one = true;
    ARROW_RETURN_NOT_OK(Finish(segment));
  }
  if (!has_looked) ARROW_RETURN_NOT_OK(LookAhead());
  return std::move(totals_);
}

Result<CrawlLoop::OneRound> CrawlLoop::RunOne(const std::string& named) {
  OneRound round;
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(crawl_.store()));
  std::string unfinished;
  if (named.empty()) {
    ARROW_ASSIGN_OR_RAISE(unfinished, FindUnfinished());
  } else if (const auto there = FindSegment(present.manifest, named)) {
    unfinished = named;
    if (there->has_ended(SegmentEnd::kAbandoned)) {
      return UsageError("segment ", named, " is abandoned, so there is no round to finish; give another --segment ID");
    }
    round.was_applied = there->has_ended(SegmentEnd::kApplied);
  }
  round.segment = unfinished;
  if (unfinished.empty()) {
    ARROW_ASSIGN_OR_RAISE(round.segment, Generate(named));
  } else if (!round.was_applied) {
    ARROW_RETURN_NOT_OK(TakeUp(unfinished));
  }
  if (!round.segment.empty()) {
    ARROW_RETURN_NOT_OK(Finish(round.segment));
    if (totals_.rounds == 0) ARROW_RETURN_NOT_OK(ReadFound(round.segment));
    ARROW_RETURN_NOT_OK(LookAhead());
  }
  round.totals = std::move(totals_);
  return round;
}

// Takes the new URLs of a round that this process did not apply itself from the document of that round.
Status CrawlLoop::ReadFound(const std::string& segment) {
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(crawl_.store()));
  for (const ClosedSegment& closed : present.manifest.closed_segments) {
    if (closed.id != segment) continue;
    ARROW_ASSIGN_OR_RAISE(const std::optional<Json> round, ReadRound(crawl_.store(), closed));
    if (round && round->contains("links")) totals_.found = GetInt((*round)["links"], "new").ValueOr(0);
  }
  return Status::OK();
}

// Finishes the most advanced step first, so that at most one segment is in progress.
Result<std::string> CrawlLoop::FindUnfinished() {
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(crawl_.store()));
  for (const SegmentStep step : {SegmentStep::kUpdatedb, SegmentStep::kParse, SegmentStep::kFetch}) {
    ARROW_ASSIGN_OR_RAISE(const SegmentChoice segment, ChooseSegment(crawl_.store(), present.manifest, step, ""));
    if (!segment.id.empty()) return segment.id;
  }
  return std::string();
}

// Says which segment is finished before anything new begins: it may be long, and nobody may remember it.
Status CrawlLoop::TakeUp(const std::string& segment) {
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(crawl_.store()));
  TakenUp taken = {.segment = segment};
  for (const OpenSegment& open : present.manifest.open_segments) {
    if (open.id == segment) taken.opened_ms = open.opened_ms;
  }
  const std::optional<Segment> known = FindSegment(present.manifest, segment);
  if (!known) return Status::OK();  // it was finished or dropped just now
  ARROW_ASSIGN_OR_RAISE(const StepRecord lists, ReadLists(crawl_.store(), segment, known->job, known->lists));
  for (const StepTask& list : lists.tasks) taken.urls += GetInt(list.facts, "urls").ValueOr(0);
  Say("taking up the unfinished segment " + segment + " first: " + ReadableCount(taken.urls, "URL") +
      (taken.opened_ms == 0 ? "" : ", opened " + FormatTimestamp(taken.opened_ms)) +
      "; to drop it instead, stop this and type  trawl segments abandon " + segment);
  totals_.taken_up.push_back(std::move(taken));
  return Status::OK();
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

// Opens a segment. Returns its id; empty where nothing can be fetched.
Result<std::string> CrawlLoop::Generate(const std::string& named) {
  const auto run = [this](const JobRequest& request) { return RunStep(request); };
  ARROW_ASSIGN_OR_RAISE(const GenerateOutcome outcome, GenerateSegment(named, context_.global.threads, run));
  totals_.outlook = OutlookOf(outcome.selection, context_.global.now_ms);
  fetched_in_round_ = 0;
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
  return Status::OK();
}

Status CrawlLoop::Finish(const std::string& segment) {
  const auto choose = [&](SegmentStep step) -> Result<SegmentChoice> {
    ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(crawl_.store()));
    return ChooseSegment(crawl_.store(), present.manifest, step, segment);
  };
  fetched_in_round_ = 0;
  ARROW_RETURN_NOT_OK(Fetch(segment));
  ARROW_ASSIGN_OR_RAISE(const SegmentChoice parse, choose(SegmentStep::kParse));
  if (!parse.is_done) ARROW_RETURN_NOT_OK(RunStep(ParseRequest(crawl_.store(), segment)).status());
  ARROW_ASSIGN_OR_RAISE(const SegmentChoice updatedb, choose(SegmentStep::kUpdatedb));
  if (!updatedb.is_done) ARROW_RETURN_NOT_OK(Apply(segment));
  // Also where the segment was applied before: a command that was killed may not have come to it.
  return Upkeep();
}

Status CrawlLoop::Fetch(const std::string& segment) {
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(crawl_.store()));
  ARROW_ASSIGN_OR_RAISE(const SegmentChoice choice,
                        ChooseSegment(crawl_.store(), present.manifest, SegmentStep::kFetch, segment));
  JobResult result;
  if (!choice.is_done) {
    ARROW_ASSIGN_OR_RAISE(result, RunStep(FetchRequest(crawl_.store(), choice)));
  }
  return NoteFetch(segment, result);
}

// Counts stored rows, so that a round begun by another run counts in full.
Status CrawlLoop::NoteFetch(const std::string& segment, const JobResult& result) {
  ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> fetched, ReadStep(crawl_.store(), segment, kFetchStep));
  if (!fetched) return Status::IOError("segment ", segment, " was fetched and its record is not there");
  ARROW_ASSIGN_OR_RAISE(FetchStats stats, ReadFetchStats(crawl_.store(), *fetched));
  fetched_in_round_ += stats.requests;
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
  Say("round " + std::to_string(totals_.rounds) + ": " + ReadableCount(fetched_in_round_, "outcome") + ", " +
      ReadableCount(found, "new URL") + "; segment " + segment);
  return Status::OK();
}

Status CrawlLoop::Upkeep() {
  ARROW_RETURN_NOT_OK(RunStep(CompactRequest(/*by_policy=*/true, context_.global.threads)).status());
  ARROW_ASSIGN_OR_RAISE(const GcOptions gc, context_.Read(GcOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(crawl_.store()));
  if (!IsGcDue(present.manifest, gc)) return Status::OK();
  MoveClock();
  ARROW_ASSIGN_OR_RAISE(const GcResult collected, CollectGarbage(context_, crawl_, gc, /*dry_run=*/false));
  totals_.counters["gc.files"] += collected.files;
  totals_.counters["gc.bytes"] += collected.bytes;
  return Status::OK();
}

Result<int> EndOfRounds(VerbContext& context, const CrawlTotals& totals) {
  if (totals.GotNothing()) {
    std::string text = "trawl: nothing was fetched: no page, no 304 and no redirect came";
    text += totals.failures.empty() ? "\n" : " of what was asked for\n" + ReadableFailures(totals.failures);
    if (totals.failures.empty()) {
      const std::string held = HeldText(ToJson(totals.outlook)["held"]);
      if (!held.empty()) text += "  " + held + "\n";
    }
    context.process.err << Printable(text) << std::flush;
    return kExitFailed;
  }
  if (totals.rounds > 0) return kExitDone;
  ARROW_ASSIGN_OR_RAISE(const IdleOptions idle, context.Read(IdleOptionGroup()));
  return idle.idle_exit;
}

}  // namespace trawl
