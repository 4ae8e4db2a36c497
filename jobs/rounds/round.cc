// trawl round: one whole round, for schedulers: generate, fetch, parse, updatedb, and the upkeep after it.
#include <algorithm>

#include "jobs/fetch/identity.h"
#include "jobs/graph/options.h"
#include "jobs/parse/parse.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/generate_options.h"
#include "jobs/policy/robots_options.h"
#include "jobs/policy/scope.h"
#include "jobs/policy/settle_options.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/refresh/refresh.h"
#include "jobs/reparse/reparse.h"
#include "jobs/rounds/loop.h"
#include "jobs/segment/life.h"
#include "jobs/stats/totals.h"
#include "jobs/upkeep/gc.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "jobs/verb/lasting.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The snapshot that applied the segment.
int64_t SnapshotOf(const Manifest& present, const std::string& segment) {
  for (const ClosedSegment& closed : present.closed_segments) {
    if (closed.id == segment) return closed.snapshot;
  }
  return present.number;
}

Json RoundJson(const CrawlLoop::OneRound& round, const Manifest& present, double seconds) {
  const CrawlTotals& totals = round.totals;
  Json json = {{"segment", round.segment.empty() ? Json(nullptr) : Json(round.segment)},
               {"changed", totals.rounds > 0},
               {"snapshot", SnapshotOf(present, round.segment)}};
  json.update(ToJson(totals.fetch));
  json["found"] = totals.found;
  json.update(ToJson(totals.outlook));
  json["duplicates"] = DuplicatesJson(present.totals.value_or(Totals()));
  json["seconds"] = seconds;
  json["counters"] = ToJson(totals.counters);
  json["classes"] = ToJson(totals.refreshed);
  json["taken_up"] = ToJson(totals.taken_up);
  if (totals.GotNothing()) json["failures"] = ToJson(totals.failures);
  return json;
}

std::string RoundText(const CrawlLoop::OneRound& round, const Json& json, TimeMs now_ms) {
  if (round.segment.empty()) return IdleText(round.totals.outlook, now_ms) + "\n";
  std::string text = "segment " + round.segment + (round.was_applied ? " was applied before: " : ": ") +
                     ReadableCount(json["fetched"].get<int64_t>(), "request") + ", " +
                     ReadableCount(json["pages"].get<int64_t>(), "page") + " stored, " +
                     ReadableSize(json["bytes"].get<int64_t>());
  text += ", " + ReadableCount(round.totals.found, "new URL");
  const std::string held = HeldText(json["held"]);
  const std::string duplicates = DuplicatesText(json["duplicates"]);
  if (!duplicates.empty()) text += "; " + duplicates;
  text += "; snapshot " + std::to_string(json["snapshot"].get<int64_t>()) + "\n";
  text += "due " + ReadableCount(json["due"].get<int64_t>()) + " now" + (held.empty() ? "" : "; " + held);
  if (!json["next_due"].is_null()) text += "; next " + json["next_due"].get<std::string>();
  return text + "\n";
}

Result<int> RunRound(VerbContext& context) {
  const int64_t started_ms = context.process.clock.MonotonicMs();
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const SegmentOptions named, context.Read(SegmentOptionGroup()));
  if (!named.segment.empty() && !IsValidId(named.segment)) {
    return UsageError("--segment '", named.segment, "': an id has 1 to 100 letters, digits, '-', '_' and '.'");
  }
  ARROW_ASSIGN_OR_RAISE(const FetchOptions fetch, context.Read(FetchOptionGroup()));
  ARROW_RETURN_NOT_OK(CheckContact(fetch));
  ARROW_RETURN_NOT_OK(KeepQuotas(context, *crawl));
  CrawlLoop loop(context, *crawl);
  ARROW_ASSIGN_OR_RAISE(const CrawlLoop::OneRound round, loop.RunOne(named.segment));
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(crawl->store()));
  const double seconds = static_cast<double>(context.process.clock.MonotonicMs() - started_ms) / 1000.0;
  const Json json = RoundJson(round, present.manifest, seconds);
  ARROW_RETURN_NOT_OK(context.Conclude(json, RoundText(round, json, context.global.now_ms), ""));
  if (round.totals.GotNothing()) return EndOfRounds(context, round.totals);
  // Nothing was due, or the time of the segment was over.
  if (round.segment.empty() || round.totals.AskedNothing()) return IdleExit(context);
  return kExitDone;  // also where another process finished it, now or before
}

}  // namespace

Verb RoundVerb() {
  return {.name = "round",
          .summary = "one whole round with its upkeep, for schedulers",
          .purpose = VerbPurpose::kStep,
          .description =
              "Does what one round of trawl crawl does, for a scheduler: chooses what is due, fetches and parses it, "
              "records the outcome, settles duplicates, merges runs where it pays, and collects garbage after every "
              "tenth round. An "
              "unfinished round is finished first, and is then the round. With --segment the round has that id: the "
              "same command again finishes it, or answers what came of it. The exit code is 1 (or --idle_exit) where "
              "nothing can be fetched, and 3 where something was asked for and nothing came of it.",
          .examples = {{"What a cron job runs", "trawl round --root /data/crawl --json"},
                       {"A scheduler's round, which a retry repeats", "trawl round --segment 2026-01-01"}},
          .groups = {&SegmentOptionGroup(), &GenerateOptionGroup(), &FetchOptionGroup(), &IdleOptionGroup()},
          .other_groups = {&ScopeOptionGroup(), &RobotsOptionGroup(), &ParseOptionGroup(), &RefreshOptionGroup(),
                           &SitemapOptionGroup(), &SettleOptionGroup(), &GraphOptionGroup(), &ReparseOptionGroup(),
                           &GcOptionGroup(), &JobOptionGroup()},
          .other_main_options = {"gc.every_rounds", "job.runner"},
          .run = RunRound};
}

}  // namespace trawl
