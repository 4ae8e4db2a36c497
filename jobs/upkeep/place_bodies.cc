// The second job of trawl compact --bodies.
//
//   reads        fetch of the store of bodies; the rows of urls that it names
//   shuffles by  slot and key
//   writes       urls: the rows whose body is in the store now; the store is named
//   counters     pages_moved
//
// A row whose body lies elsewhere by now stays as it is. Rows that came to point to a replaced file since the first job
// would lose their body, so the job only stands on the urls that the first one has read.
#include <algorithm>
#include <memory>
#include <optional>

#include "formats/rows/fetch_row.h"
#include "jobs/segment/life.h"
#include "jobs/stats/totals.h"
#include "jobs/upkeep/move_bodies.h"
#include "runtime/root/segment_data.h"
#include "runtime/root/snapshot.h"
#include "runtime/tables/known_rows.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

Status MapPages(TaskContext& context, const Json& part, RowSink& sink) {
  if (!HasMember(part, "file")) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const Json* json, GetObject(part, "file"));
  ARROW_ASSIGN_OR_RAISE(const FileReceipt file, FileReceiptFromJson(*json));
  std::string bytes;
  return ForEachDatasetRow<FetchRow>(context.store(), context.plan().segment(), FetchRow::kTable, file,
                                     [&](const FetchRow& row) -> Status {
                                       EncodeRow(row, &bytes);
                                       return sink.Emit(row.key, bytes);
                                     });
}

bool HaveOnePlace(const UrlRow& a, const UrlRow& b) {
  return a.body_segment == b.body_segment && a.body_file == b.body_file && a.body_row == b.body_row;
}

Status ReducePages(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<UrlRow>(context.store(), context.snapshot()));
  KnownRows<UrlRow> urls(table);
  RunWriter<UrlRow>* const run = context.OpenRun<UrlRow>(FileOptions(job));
  UrlTally tally;
  FetchRow page;
  UrlRow copied, before, after;
  std::string_view value;
  context.counters()["pages_moved"] += 0;
  for (int64_t keys = 1;; ++keys) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) break;
    if (keys % 1024 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    const RowPlace place = PlaceOfShuffleKey(groups.key());
    ARROW_ASSIGN_OR_RAISE(const bool is_there, urls.Find(place, &before));
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool has_value, groups.NextValue(&value));
      if (!has_value) break;
      if (!is_there) continue;
      ARROW_RETURN_NOT_OK(DecodeRow(value, &page));
      ARROW_RETURN_NOT_OK(DecodeRow(page.listed, &copied));
      if (!HaveOnePlace(before, copied)) continue;
      after = before;
      after.body_segment = context.plan().segment();
      after.body_file = page.content_file;
      after.body_row = page.content_row;
      if (after.parse_segment.empty()) {
        after.parse_segment = copied.parse_segment;
        after.parse_file = copied.parse_file;
        after.parse_row = copied.parse_row;
      }
      tally.Replace(before, after);
      ++context.counters()["pages_moved"];
      ARROW_RETURN_NOT_OK(run->Append(after));
      before = after;
    }
  }
  tally.Report(&context.facts());
  return Status::OK();
}

std::vector<RunReference> UrlRunsOf(const Manifest& manifest) {
  const auto urls = manifest.tables.find(UrlRow::kTable);
  return urls == manifest.tables.end() ? std::vector<RunReference>() : urls->second;
}

}  // namespace

JobSpec PlaceBodiesSpec() { return {.name = "place_bodies", .map = MapPages, .reduce = ReducePages}; }

JobRequest PlaceBodiesRequest(MovedBodies* moved) {
  JobRequest request;
  request.spec = PlaceBodiesSpec();
  request.plan = [moved](const JobEnvironment& environment, const Snapshot& base, Plan* plan) -> Status {
    plan->facts["segment"] = moved->segment;
    if (FindSegment(base.manifest, moved->segment)) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const auto copied, ReadStep(environment.store, moved->segment, kFetchStep));
    if (!copied) return Status::IOError("segment ", moved->segment, ": the record of its bodies is not there");
    ARROW_ASSIGN_OR_RAISE(const Snapshot read, ReadSnapshot(environment.store, copied->snapshot));
    moved->is_stale = UrlRunsOf(read.manifest) != UrlRunsOf(base.manifest);
    if (moved->is_stale) return Status::OK();
    plan->facts["copy_job"] = copied->job;
    for (const FileReceipt& file : copied->FilesOf(FetchRow::kTable)) plan->parts.push_back({{"file", ToJson(file)}});
    // A store without bodies is named, too: it says which files nobody needs.
    if (plan->parts.empty()) plan->parts.push_back(Json::object());
    constexpr int64_t kEventBytes = 500;
    ARROW_ASSIGN_OR_RAISE(const JobOptions job, JobOptionGroup().Read(plan->options));
    plan->partitions = PartitionsFor(job, copied->RowsOf(FetchRow::kTable) * kEventBytes);
    return PlanTotals(environment, base, plan);
  };
  request.apply = [](const Plan& plan, const JobOutput& output, Manifest* next) -> Result<bool> {
    if (FindSegment(*next, plan.segment())) return false;
    ARROW_RETURN_NOT_OK(AppendRuns(plan, output, next).status());
    ARROW_RETURN_NOT_OK(AddTotals(plan, output, next));
    ARROW_ASSIGN_OR_RAISE(const std::string job, GetString(plan.facts, "copy_job"));
    AddStoreOfBodies(plan.segment(), job, next);
    return true;
  };
  return request;
}

}  // namespace trawl
