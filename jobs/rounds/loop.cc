#include "jobs/rounds/loop.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "jobs/fetch/fetch.h"
#include "jobs/generate/generate.h"
#include "jobs/graph/graph.h"
#include "jobs/graph/rescore.h"
#include "jobs/parse/parse.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/refresh/refresh_rules.h"
#include "jobs/reparse/reparse.h"
#include "jobs/segment/known_segments.h"
#include "jobs/segment/life.h"
#include "jobs/settle/settle.h"
#include "jobs/stats/round.h"
#include "jobs/stats/totals.h"
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
      asked_now_ms_(context.global.now_ms),
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

// A round never goes back in time; whoever asked for it hears of it.
void CrawlLoop::SayLaterClock() {
  constexpr TimeMs kClocksDiffer = 60'000;  // of two machines
  const bool is_pinned = context_.options.SourceOf("now") > OptionSource::kDefault;
  const TimeMs later_ms = start_now_ms_ - asked_now_ms_;
  if (later_ms <= (is_pinned ? 0 : kClocksDiffer)) return;
  const std::string asked = (is_pinned ? "--now " : "the clock's time, ") + FormatTimestamp(asked_now_ms_);
  Warn(asked + (is_pinned ? " is" : ", is") + " before the newest snapshot; the time here begins with that one's, " +
       FormatTimestamp(start_now_ms_));
}

void CrawlLoop::Warn(const std::string& line) {
  if (!context_.global.quiet && !context_.global.json) trawl::Warn(context_.process.err, line + "\n");
}

int32_t RoundsBegun(const Manifest& present, std::optional<TimeMs> since_ms) {
  // Jobs are named by the second in which they began.
  const std::string first =
      since_ms ? NewJobId("", *since_ms).substr(0, std::string_view("20260101T120000").size()) : "";
  int32_t begun = 0;
  for (const Segment& segment : SegmentsOf(present)) {
    if (segment.is_reading()) continue;
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

namespace {

// A mistake in the file of classes is better said before the requests than by updatedb after them.
Status CheckRefreshRules(const VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const RefreshOptions options, context.Read(RefreshOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const std::string text, ReadRefreshRules(options));
  return RefreshRules::Parse(text, options.rules).status();
}

}  // namespace

Result<CrawlTotals> CrawlLoop::Run(int32_t rounds, int32_t begun) {
  says_rounds_ = true;
  SayLaterClock();
  ARROW_RETURN_NOT_OK(CheckRefreshRules(context_));
  bool has_begun_one = false, has_looked = false;
  while (true) {
    ARROW_RETURN_NOT_OK(context_.process.stop.Check());
    ARROW_ASSIGN_OR_RAISE(std::string segment, FindUnfinished());
    if (!segment.empty()) {
      ARROW_RETURN_NOT_OK(TakeUp(segment).status());
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
    if (has_begun_one && rounds == 0 && only_tries_again_) {
      totals_.ended = "only patterns that yield little have due URLs (trawl host HOST --patterns)";
      break;
    }
    ARROW_RETURN_NOT_OK(SettleRounds());
    ARROW_ASSIGN_OR_RAISE(const bool reads_on, ReadStoredAgain());
    ARROW_ASSIGN_OR_RAISE(segment, Generate(""));
    if (segment.empty() && reads_on) {
      has_begun_one = false;  // what is read next may find something to fetch
      continue;
    }
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
  SayLaterClock();
  ARROW_RETURN_NOT_OK(CheckRefreshRules(context_));
  OneRound round;
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(crawl_.store()));
  if (named.empty()) {
    ARROW_ASSIGN_OR_RAISE(round.segment, FindUnfinished());
  } else if (const auto there = FindSegment(present.manifest, named)) {
    round.segment = named;
    if (there->has_ended(SegmentEnd::kAbandoned)) {
      return UsageError("segment ", named, " is abandoned, so there is no round to finish; give another --segment ID");
    }
    round.was_applied = there->has_ended(SegmentEnd::kApplied);
    ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> fetched, ReadStep(crawl_.store(), named, kFetchStep));
    if (there->has_ended(SegmentEnd::kExpired) && !fetched) {
      return UsageError("segment ", named, " expired before it was fetched, and its URLs are due as before; ",
                        "give another --segment ID");
    }
  }
  bool is_over = false;
  if (!round.segment.empty()) {
    if (!round.was_applied) {
      ARROW_ASSIGN_OR_RAISE(is_over, TakeUp(round.segment));
    }
    ARROW_RETURN_NOT_OK(Finish(round.segment));
    if (totals_.rounds == 0) ARROW_RETURN_NOT_OK(ReadFound(round.segment));
  }
  // Of a segment whose time is over only what was fetched before was recorded, which is no round.
  if (round.segment.empty() || (is_over && named.empty())) {
    ARROW_RETURN_NOT_OK(SettleRounds());
    ARROW_RETURN_NOT_OK(ReadStoredAgain().status());
    ARROW_ASSIGN_OR_RAISE(const std::string segment, Generate(named));
    if (!segment.empty()) {
      round.segment = segment;
      ARROW_RETURN_NOT_OK(Finish(segment));
      if (totals_.rounds == 0) ARROW_RETURN_NOT_OK(ReadFound(segment));
    } else if (is_over && totals_.fetch.requests == 0) {
      round.segment.clear();
    }
  }
  if (!round.segment.empty()) ARROW_RETURN_NOT_OK(LookAhead());
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
Result<bool> CrawlLoop::TakeUp(const std::string& segment) {
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(crawl_.store()));
  TakenUp taken = {.segment = segment};
  for (const OpenSegment& open : present.manifest.open_segments) {
    if (open.id == segment) taken.opened_ms = open.opened_ms;
  }
  const std::optional<Segment> known = FindSegment(present.manifest, segment);
  if (!known) return false;  // it was finished or dropped just now
  ARROW_ASSIGN_OR_RAISE(const StepRecord lists, ReadLists(crawl_.store(), segment, known->job, known->lists));
  for (const StepTask& list : lists.tasks) taken.urls += GetInt(list.facts, "urls").ValueOr(0);
  ARROW_ASSIGN_OR_RAISE(const bool is_over, IsOver(*known));
  const std::string about = segment + " first: " + ReadableCount(taken.urls, "URL") +
                            (taken.opened_ms == 0 ? "" : ", opened " + FormatTimestamp(taken.opened_ms));
  if (is_over) {
    Warn("recording the expired segment " + about +
         "; nothing more of it is asked for, what was not fetched is due as before");
  } else {
    Say("taking up the unfinished segment " + about +
        "; to drop it instead, stop this and type  trawl segments abandon " + segment);
  }
  totals_.taken_up.push_back(std::move(taken));
  return is_over;
}

// Whether no request for a page of the segment may begin any more, though some are not fetched.
Result<bool> CrawlLoop::IsOver(const Segment& segment) {
  MoveClock();
  ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> fetched, ReadStep(crawl_.store(), segment.id, kFetchStep));
  if (fetched) return false;
  ARROW_ASSIGN_OR_RAISE(const FetchOptions options, context_.Read(FetchOptionGroup()));
  return segment.is_open() && segment.until_ms - options.timeout_ms <= context_.global.now_ms;
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

// Opens a segment. Returns its id; empty where nothing can be fetched.
Result<std::string> CrawlLoop::Generate(const std::string& named) {
  const auto run = [this](const JobRequest& request) { return RunStep(request); };
  ARROW_ASSIGN_OR_RAISE(const GenerateOutcome outcome, GenerateSegment(named, context_.global.threads, run));
  totals_.outlook = OutlookOf(outcome.selection, context_.global.now_ms);
  fetched_in_round_ = 0;
  const Counters& counters = outcome.job.output.counters;
  const int64_t tried = counters.Get("limited") == counters.Get("urls") ? counters.Get("limited") : 0;
  only_tries_again_ = tried > 0 && tried <= last_tried_;
  last_tried_ = tried;
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
  std::optional<FetchStats> counted;
  if (!choice.is_done) {
    ARROW_ASSIGN_OR_RAISE(result, RunStep(FetchRequest(crawl_.store(), choice, &counted)));
  }
  return NoteFetch(segment, result, std::move(counted));
}

// Counts stored rows, so that a round begun by another run counts in full.
Status CrawlLoop::NoteFetch(const std::string& segment, const JobResult& result, std::optional<FetchStats> counted) {
  ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> fetched, ReadStep(crawl_.store(), segment, kFetchStep));
  if (!fetched) return Status::IOError("segment ", segment, " was fetched and its record is not there");
  if (!counted) {
    ARROW_ASSIGN_OR_RAISE(counted, ReadFetchStats(crawl_.store(), *fetched));
  }
  FetchStats& stats = *counted;
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
  ARROW_RETURN_NOT_OK(RunStep(CompactRequest(/*by_policy=*/true, context_.global.threads)).status());
  ARROW_ASSIGN_OR_RAISE(const GcOptions gc, context_.Read(GcOptionGroup()));
  MoveClock();
  ARROW_ASSIGN_OR_RAISE(const GcResult collected, CollectByPolicy(context_, crawl_, gc));
  totals_.counters["gc.files"] += collected.files;
  totals_.counters["gc.bytes"] += collected.bytes;
  return Status::OK();
}

Result<int> IdleExit(const VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const IdleOptions idle, context.Read(IdleOptionGroup()));
  return idle.idle_exit;
}

Result<int> EndOfRounds(VerbContext& context, const CrawlTotals& totals) {
  if (totals.GotNothing()) {
    std::string text = "trawl: nothing was fetched: no page, no 304 and no redirect came";
    text += totals.failures.empty() ? "\n" : " of what was asked for\n" + ReadableFailures(totals.failures);
    if (totals.failures.empty()) {
      const std::string held = HeldText(ToJson(totals.outlook)["held"]);
      if (!held.empty()) text += "  " + held + "\n";
    }
    Warn(context.process.err, Printable(text));
    return kExitFailed;
  }
  return totals.rounds > 0 ? kExitDone : IdleExit(context);
}

}  // namespace trawl
