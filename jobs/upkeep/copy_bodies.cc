// The first job of trawl compact --bodies.
//
//   reads        urls, by ranges of slots; content of the files that are replaced, and records of their segments
//   shuffles by  the place of the body: segment, file, row
//   writes       content of a store of bodies; fetch: a row for each page that points there, with the urls row that it had
//   counters     bodies, pages, bytes, bodies_gone
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "formats/digests/digest.h"
#include "formats/rows/content_row.h"
#include "formats/rows/fetch_row.h"
#include "formats/rows/some_columns.h"
#include "jobs/segment/pages.h"
#include "jobs/segment/stored_bodies.h"
#include "jobs/upkeep/move_bodies.h"
#include "runtime/job/slot_parts.h"
#include "runtime/root/dataset_rows.h"
#include "runtime/root/planned_bytes.h"
#include "runtime/store/status.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr auto kColumns =
    Columns<UrlRow>({"key", "kind", "fetched_ms", "bytes", "body_digest", "body_segment", "body_file", "body_row",
                     "parse_segment", "parse_file", "parse_row", "shares_body"});

Status MapUrls(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const SlotRange slots, SlotsOfPart(part));
  ARROW_ASSIGN_OR_RAISE(const Json* replaced, GetObject(context.plan().facts, kReplacedFiles));
  std::set<std::pair<std::string, std::string>> files;
  for (const auto& [segment, names] : replaced->items()) {
    for (const Json& name : names) files.insert({segment, name.get<std::string>()});
  }
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(context.store(), context.snapshot()));
  std::string bytes;
  int64_t rows = 0;
  return ForEachRow<UrlRow>(urls, {.slots = slots, .wanted = kColumns.Flags()}, [&](const UrlRow& row) -> Status {
    if (++rows % 4096 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    if (row.body_file.empty() || !files.contains({row.body_segment, row.body_file})) return Status::OK();
    EncodeRow(row, &bytes);
    const uint64_t partition =
        Hash64(row.body_segment + '/' + row.body_file) % static_cast<uint64_t>(sink.partitions());
    return sink.EmitTo(static_cast<int>(partition), BodyPlaceKey(row) + row.key, bytes);
  });
}

// A file has one name before it is closed, so it is one, whatever its size.
RowFileOptions OneFile(int64_t batch_rows, int64_t stripe_bytes) {
  RowFileOptions options;
  options.sorted = false;
  options.file_bytes = options.file_rows = std::numeric_limits<int64_t>::max();
  options.batch_rows = batch_rows;
  options.orc.stripe_bytes = stripe_bytes;
  return options;
}

// Copies the bodies of one partition, which come by their places.
class BodyCopier {
 public:
  explicit BodyCopier(TaskContext* context)
      : context_(*context),
        content_file_(context->plan().job + "-" + context->id().Name() + "-0.orc"),
        content_(context->OpenDataset<ContentRow>(ContentRow::kTable, OneFile(64, int64_t{1} << 20))),
        pages_(context->OpenDataset<FetchRow>(FetchRow::kTable, OneFile(256, int64_t{4} << 20))),
        stored_(context->store()) {
    for (const char* name : {"bodies", "pages", "bytes", "bodies_gone"}) context->counters()[name] += 0;
  }

  Status Add(UrlRow row) {
    const bool is_next = row.body_segment != segment_ || row.body_file != file_ || row.body_row != row_;
    if (is_next) {
      ARROW_ASSIGN_OR_RAISE(has_body_, Read(row));
      is_written_ = false;
    }
    if (!has_body_ || !IsBodyOf(row, body_)) {
      ++context_.counters()["bodies_gone"];
      return Status::OK();
    }
    if (!std::exchange(is_written_, true)) {
      ++context_.counters()["bodies"];
      context_.counters()["bytes"] += static_cast<int64_t>(body_.body.size());
      content_row_ = content_->rows();
      ARROW_RETURN_NOT_OK(content_->Append(body_));
    }
    // Rows of an older version find their parse row by the place of the body.
    if (row.parse_segment.empty() && of_segment_ != nullptr) {
      if (auto place = of_segment_->ParsePlaceOf(row.body_file, row.body_row)) {
        row.parse_segment = row.body_segment;
        row.parse_file = std::move(place->first);
        row.parse_row = place->second;
      }
    }
    ++context_.counters()["pages"];
    FetchRow page;
    page.key = row.key;
    page.kind = row.kind;
    page.fetched_ms = row.fetched_ms;
    page.bytes = row.bytes;
    page.body_digest = row.body_digest;
    page.content_file = content_file_;
    page.content_row = content_row_;
    page.shares_body = body_.key != row.key;
    EncodeRow(row, &page.listed);
    return pages_->Append(page);
  }

 private:
  Result<bool> Read(const UrlRow& row) {
    file_ = row.body_file;
    row_ = row.body_row;
    if (segment_ != row.body_segment || bodies_ == nullptr) {
      segment_ = row.body_segment;
      ARROW_ASSIGN_OR_RAISE(const auto fetched, ReadStep(context_.store(), segment_, kFetchStep));
      if (!fetched) return Status::IOError("segment ", segment_, ": the record of its fetch is not there");
      bodies_ = std::make_unique<DatasetRows<ContentRow>>(context_.store(), segment_, ContentRow::kTable,
                                                          fetched->FilesOf(ContentRow::kTable), ContentRow::kBatchRows);
      ARROW_ASSIGN_OR_RAISE(of_segment_, SegmentPages::Open(context_.store(), segment_));
    }
    ARROW_ASSIGN_OR_RAISE(const bool is_stored, stored_.Has(segment_, file_));
    if (!is_stored) return false;
    const Status read = bodies_->Read(file_, row_, &body_);
    if (read.IsIndexError() || IsNotFound(read)) return false;
    ARROW_RETURN_NOT_OK(read);
    return true;
  }

  TaskContext& context_;
  const std::string content_file_;
  RunWriter<ContentRow>* const content_;
  RunWriter<FetchRow>* const pages_;
  StoredBodies stored_;
  // Of the body that was read last.
  std::string segment_, file_;
  int64_t row_ = -1;
  std::unique_ptr<DatasetRows<ContentRow>> bodies_;
  std::unique_ptr<SegmentPages> of_segment_;  // null where it was not parsed
  ContentRow body_;
  bool has_body_ = false;
  bool is_written_ = false;
  int64_t content_row_ = 0;
};

Status ReduceBodies(TaskContext& context, GroupStream& groups) {
  if (context.id().number == 0) context.facts()[kReplacedFiles] = context.plan().facts[kReplacedFiles];
  BodyCopier copier(&context);
  UrlRow row;
  std::string_view value;
  for (int64_t pages = 1;; ++pages) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) return Status::OK();
    if (pages % 16 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool has_value, groups.NextValue(&value));
      if (!has_value) break;
      ARROW_RETURN_NOT_OK(DecodeRow(value, &row));
      ARROW_RETURN_NOT_OK(copier.Add(row));
    }
  }
}

// The same files of the same snapshot make the same store.
std::string StoreIdOf(int64_t snapshot, const Json& files) {
  return "bodies-" + std::to_string(snapshot) + "-" + ToHex(Hash64(DumpJson(files))).substr(0, 8);
}

}  // namespace

JobSpec CopyBodiesSpec() { return {.name = "copy_bodies", .map = MapUrls, .reduce = ReduceBodies}; }

JobRequest CopyBodiesRequest(TimeMs before_ms, MovedBodies* moved) {
  JobRequest request;
  request.spec = CopyBodiesSpec();
  request.commit = Commit::kStepRecord;
  request.step = kFetchStep;
  request.plan = [before_ms, moved](const JobEnvironment& environment, const Snapshot& base, Plan* plan) -> Status {
    constexpr int64_t kBytesAPartition = int64_t{256} << 20;
    *moved = {};
    ARROW_ASSIGN_OR_RAISE(moved->files, FindSparseFiles(environment.store, base.manifest, before_ms, environment.stop));
    if (moved->files.empty()) return Status::OK();
    const Json files = NamesOf(moved->files);
    moved->segment = StoreIdOf(base.manifest.number, files);
    plan->facts["segment"] = moved->segment;
    plan->facts[kReplacedFiles] = files;
    ARROW_ASSIGN_OR_RAISE(const auto copied, ReadStep(environment.store, moved->segment, kFetchStep));
    if (copied) return Status::OK();
    int64_t bytes = 0, rows = 0;
    for (const SparseFile& file : moved->files) bytes += file.bytes_pointed;
    const auto urls = base.manifest.tables.find(UrlRow::kTable);
    if (urls != base.manifest.tables.end()) {
      for (const RunReference& run : urls->second) rows += run.rows;
    }
    constexpr int64_t kRowsAMap = 500'000;
    ARROW_ASSIGN_OR_RAISE(const JobOptions job, JobOptionGroup().Read(plan->options));
    plan->parts = EvenSlotParts(static_cast<int>(std::clamp<int64_t>(rows / kRowsAMap, 1, 1024)));
    plan->work.bytes = 2 * bytes + BytesOfTables(base.manifest, {UrlRow::kTable});
    plan->partitions = job.partitions > 0
                           ? job.partitions
                           : static_cast<int>(std::clamp<int64_t>(bytes / kBytesAPartition + 1, 1, 1024));
    return Status::OK();
  };
  return request;
}

}  // namespace trawl
