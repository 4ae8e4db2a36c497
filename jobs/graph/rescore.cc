// The third job of trawl graph.
//
//   reads        urls, by ranges of slots; hosts, ranks, inlinks
//   shuffles by  nothing
//   writes       urls: the rows whose score changes
//   counters     rescored
#include "jobs/graph/rescore.h"

#include <string>

#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/policy/score_standings.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/refresh/refresh.h"
#include "jobs/stats/totals.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/slot_parts.h"
#include "runtime/tables/known_rows.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// What the score of a row depends on.
constexpr auto kColumns =
    Columns<UrlRow>({"key", "state", "outcome", "depth", "score", "is_seed", "fixed_score", "stated_priority"});

Status MapSlots(TaskContext& context, const Json&, RowSink&) {
  ARROW_ASSIGN_OR_RAISE(const RefreshOptions refresh, context.Read(RefreshOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const SitemapOptions sitemaps, context.Read(SitemapOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(auto standings, ScoreStandings::Open(context.store(), context.snapshot(), sitemaps.priority));
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(context.store(), context.snapshot()));
  KnownRows<UrlRow> whole(urls);
  RunWriter<UrlRow>* const run = context.OpenRun<UrlRow>(FileOptions(job));
  UrlTally tally;
  SlotOfKeys slot_of;
  UrlRow before, after;
  int64_t rows = 0;
  const auto visit = [&](const UrlRow& row) -> Status {
    if (++rows % 4096 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    if (!HasScoreByRule(row) || IsDropped(row)) return Status::OK();
    const RowPlace place = {slot_of(row.key), row.key};
    ARROW_ASSIGN_OR_RAISE(const ScoreStanding standing, standings->Of(place));
    const int32_t score = ScoreByRule(row, standing);
    if (score == row.score) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const bool found, whole.Find(place, &before));
    if (!found) return Status::IOError("the row of ", row.key, " is not where its table has it");
    after = before;
    after.score = score;
    LeaveTop(refresh, before.score, &after);
    EnterTop(refresh, before.score, &after);
    ++context.counters()["rescored"];
    tally.Replace(before, after);
    return run->Append(after);
  };
  ARROW_RETURN_NOT_OK(ForEachRow<UrlRow>(urls, {.slots = context.slots(), .wanted = kColumns.Flags()}, visit));
  tally.Report(&context.facts());
  return Status::OK();
}

}  // namespace

JobSpec RescoreSpec() { return {.name = "rescore", .map = MapSlots}; }

JobRequest RescoreRequest(int threads) {
  JobRequest request;
  request.spec = RescoreSpec();
  request.plan = [threads](const JobEnvironment& environment, const Snapshot& base, Plan* plan) -> Status {
    const auto urls = base.manifest.tables.find(UrlRow::kTable);
    if (urls == base.manifest.tables.end()) return Status::OK();
    int64_t rows = 0;
    for (const RunReference& run : urls->second) rows += run.rows;
    plan->parts = SlotParts(rows, threads);
    return PlanTotals(environment, base, plan);
  };
  request.apply = AppendRunsAndTotals;
  return request;
}

}  // namespace trawl
