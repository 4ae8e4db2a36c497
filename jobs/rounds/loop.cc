#include "jobs/rounds/loop.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "jobs/generate/generate.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/refresh/refresh_rules.h"
#include "jobs/segment/known_segments.h"
#include "jobs/segment/life.h"
#include "jobs/stats/round.h"
#include "runtime/job/plan.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/segment_data.h"
#include "runtime/terminal/live_line.h"
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
      start_ms_(context.process.clock.MonotonicMs()),
      turns_(std::make_shared<HostTurns>()) {}

// A pinned --now is the time at which the loop begins; time passes from there.
void CrawlLoop::MoveClock() {
  context_.global.now_ms = start_now_ms_ + (context_.process.clock.MonotonicMs() - start_ms_);
}

void CrawlLoop::Say(const std::string& line) {
  SayAbove([&] { context_.process.err << line << "\n" << std::flush; });
}

// A live line of another thread gives way.
void CrawlLoop::SayAbove(const std::function<void()>& say) {
  if (context_.global.quiet || context_.global.json) return;
  if (live_line_fd_ >= 0) ClearLiveLine(live_line_fd_);
  say();
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
  SayAbove([&] { trawl::Warn(context_.process.err, line + "\n"); });
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

Result<CrawlTotals> CrawlLoop::Run(const LoopWish& wish) {
  says_rounds_ = true;
  rounds_ = wish.rounds;
  begun_ = wish.begun;
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
    if (rounds_ > 0 && begun_ >= rounds_) {
      totals_.ended = "all rounds are done";
      break;
    }
    // What a segment beside another had to leave, because that one held it, may be fetched now.
    if (has_begun_one && fetched_in_round_ == 0 && !is_beside_another_) {
      totals_.ended = "the last round could not fetch anything";
      break;
    }
    if (has_begun_one && rounds_ == 0 && only_tries_again_) {
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
    ++begun_;
    has_begun_one = true;
    ARROW_RETURN_NOT_OK(wish.overlap ? FinishOverlapping(segment) : Finish(segment));
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
