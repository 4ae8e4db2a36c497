// The second half of trawl config set refresh.…: gives pages the bounds of their class as they are now.
//
//   reads        urls, by ranges of slots
//   shuffles by  nothing
//   writes       urls: the rows whose interval changes
//   counters     rescheduled
#include "jobs/operate/reschedule.h"

#include <algorithm>
#include <string>

#include "formats/rows/times.h"
#include "jobs/refresh/refresh_rules.h"
#include "jobs/stats/totals.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/slot_parts.h"
#include "runtime/process/status_detail.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

// Rules:
//  1. Only a page or redirect that is asked for again by an interval: fetched, redirected or a duplicate, without an
//     interval of its own, and not "never again". Sitemaps and feeds have intervals of other options.
//  2. An interval that is longer than the longest of the class, or of a top page, is cut to it; one below
//     --refresh.min_interval is raised to it. Any other stays: a class that allows more lets intervals grow as the pages'
//     changes say, from the next fetch on.
//  3. The page is due one interval after its last fetch, a duplicate two; a due time that the operator set stays.
bool PutWithinBounds(const RefreshOptions& options, const RefreshClass& refresh_class, UrlRow* row) {
  if (row->kind != UrlKind::kPage) return false;
  const bool is_duplicate = row->state == UrlState::kDuplicate;
  if (row->state != UrlState::kFetched && row->state != UrlState::kRedirected && !is_duplicate) return false;
  if (row->interval_ms <= 0 || row->fixed_interval_ms > 0 || row->due_ms == kNever) return false;
  int64_t longest_ms = LongestOf(refresh_class, options);
  if (row->score > options.top_score) longest_ms = std::min(longest_ms, options.top_interval_ms);
  const int64_t interval_ms = std::max(std::min(row->interval_ms, longest_ms), options.min_interval_ms);
  if (interval_ms == row->interval_ms) return false;
  row->interval_ms = interval_ms;
  const int64_t wait_ms = is_duplicate ? 2 * interval_ms : interval_ms;
  if (row->due_set_ms == 0) row->due_ms = EndOfInterval({.answered_ms = row->fetched_ms}, wait_ms, options);
  return true;
}

namespace {

constexpr char kRules[] = "refresh_rules";

Status MapSlots(TaskContext& context, const Json&, RowSink&) {
  ARROW_ASSIGN_OR_RAISE(const RefreshOptions options, context.Read(RefreshOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const std::string text, GetString(context.plan().facts, kRules));
  ARROW_ASSIGN_OR_RAISE(const RefreshRules rules, RefreshRules::Parse(text, options.rules));
  ARROW_ASSIGN_OR_RAISE(auto urls, Table::Open<UrlRow>(context.store(), context.snapshot()));
  RunWriter<UrlRow>* const run = context.OpenRun<UrlRow>(FileOptions(job));
  UrlTally tally;
  UrlRow after;
  int64_t rows = 0;
  ARROW_RETURN_NOT_OK(ForEachRow<UrlRow>(std::move(urls), {.slots = context.slots()}, [&](const UrlRow& row) -> Status {
    if (++rows % 4096 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    if (row.interval_ms <= 0) return Status::OK();
    after = row;
    if (!PutWithinBounds(options, rules.ClassOf(row), &after)) return Status::OK();
    ++context.counters()["rescheduled"];
    tally.Replace(row, after);
    return run->Append(after);
  }));
  tally.Report(&context.facts());
  return Status::OK();
}

}  // namespace

JobSpec RescheduleSpec() { return {.name = "reschedule", .map = MapSlots}; }

JobRequest RescheduleRequest() {
  JobRequest request;
  request.spec = RescheduleSpec();
  request.plan = [](const JobEnvironment& environment, const Snapshot& base, Plan* plan) -> Status {
    ARROW_ASSIGN_OR_RAISE(const RefreshOptions options, RefreshOptionGroup().Read(plan->options));
    ARROW_ASSIGN_OR_RAISE(const std::string text, ReadRefreshRules(options));
    const Status sound = RefreshRules::Parse(text, options.rules).status();
    if (!sound.ok()) return UsageError(sound.message());
    plan->facts[kRules] = text;
    int64_t rows = 0;
    const auto urls = base.manifest.tables.find(UrlRow::kTable);
    if (urls == base.manifest.tables.end()) return Status::OK();
    for (const RunReference& run : urls->second) rows += run.rows;
    plan->parts = SlotParts(rows, 4);
    return PlanTotals(environment, base, plan);
  };
  request.apply = AppendRunsAndTotals;
  return request;
}

}  // namespace trawl
