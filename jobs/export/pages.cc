// trawl export pages: writes every URL that has a stored body, with the text and facts that parse read in it.
//
//   reads        urls, by ranges of slots; the parse datasets of the segments that have the bodies
//   shuffles by  the place of the body: segment, file, row
//   writes       DIR/pages/part-00000.orc …
//   counters     pages; bodies_gone: rows whose body gc has removed; not_parsed: pages without a parse row
//
// Only places travel, not texts: all bodies of a file go to one reducer in the order in which they lie, and parse rows
// lie in the same order, so each file of parse is read once, from front to back. Memory is that of one batch of texts.
#include "jobs/export/pages.h"

#include <algorithm>

#include "formats/digests/digest.h"
#include "formats/rows/export_rows.h"
#include "formats/rows/some_columns.h"
#include "jobs/export/part.h"
#include "jobs/segment/life.h"
#include "jobs/segment/pages.h"
#include "jobs/segment/stored_bodies.h"
#include "runtime/job/slot_parts.h"
#include "runtime/root/segment_data.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Bytes of parse rows, as stored, for one file of the export.
constexpr int64_t kBytesAFile = int64_t{64} << 20;
constexpr int64_t kMostFiles = 4096;
constexpr int64_t kRowsAMap = 1'000'000;

constexpr auto kColumns = Columns<UrlRow>({"key", "state", "status", "fetched_ms", "content_type", "bytes", "truncated",
                                           "body_digest", "content_digest", "body_segment", "body_file", "body_row"});

// Sorts as segment, file, row.
std::string PlaceKey(const UrlRow& row) {
  std::string key = row.body_segment + '\0' + row.body_file + '\0';
  for (int shift = 56; shift >= 0; shift -= 8)
    key += static_cast<char>((static_cast<uint64_t>(row.body_row) >> shift) & 0xFF);
  return key;
}

Status MapUrls(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(context.store(), context.snapshot()));
  ARROW_ASSIGN_OR_RAISE(const SlotRange slots, SlotsOfPart(part));
  std::string bytes;
  int64_t rows = 0;
  return ForEachRow<UrlRow>(urls, {.slots = slots, .wanted = kColumns.Flags()}, [&](const UrlRow& row) -> Status {
    if (++rows % 4096 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    if (row.body_file.empty()) return Status::OK();
    const auto partition = Hash64(row.body_segment + '/' + row.body_file) % static_cast<uint64_t>(sink.partitions());
    EncodeRow(row, &bytes);
    // Two URLs never have one body's place, but a damaged table must not lose a row.
    return sink.EmitTo(static_cast<int>(partition), PlaceKey(row) + row.key, bytes);
  });
}

// Joins the rows of one partition, which come by place.
class PageJoin {
 public:
  explicit PageJoin(TaskContext* context)
      : context_(*context), bodies_(context->store()), part_(context, kPagesExport) {}

  Status Open(Store* to) {
    context_.counters()["bodies_gone"] += 0;
    context_.counters()["not_parsed"] += 0;
    return part_.Open(to);
  }
  Status Add(const UrlRow& row) {
    ARROW_ASSIGN_OR_RAISE(const bool is_stored, bodies_.Has(row.body_segment, row.body_file));
    if (!is_stored) {
      ++context_.counters()["bodies_gone"];
      return Status::OK();
    }
    if (segment_name_ != row.body_segment) {
      segment_name_ = row.body_segment;
      ARROW_ASSIGN_OR_RAISE(segment_, SegmentPages::Open(context_.store(), segment_name_));
    }
    bool was_parsed = false;
    if (segment_ != nullptr) {
      ARROW_ASSIGN_OR_RAISE(was_parsed, segment_->Find(row.key, row.body_file, row.body_row, &parsed_));
    }
    if (!was_parsed) ++context_.counters()["not_parsed"];
    ExportPage(row, was_parsed ? &parsed_ : nullptr, &exported_);
    return part_.Append(exported_);
  }
  Status Finish() { return part_.Finish(); }

 private:
  TaskContext& context_;
  StoredBodies bodies_;
  ExportPart<PageExport> part_;
  std::string segment_name_;
  std::unique_ptr<SegmentPages> segment_;  // null where its records are gone
  ParseRow parsed_;
  PageExport exported_;
};

Status ReducePages(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const std::string directory, GetString(context.plan().facts, "directory"));
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenStore(directory));
  PageJoin join(&context);
  ARROW_RETURN_NOT_OK(join.Open(to.get()));
  UrlRow row;
  std::string_view value;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) return join.Finish();
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool has_value, groups.NextValue(&value));
      if (!has_value) break;
      ARROW_RETURN_NOT_OK(DecodeRow(value, &row));
      ARROW_RETURN_NOT_OK(join.Add(row));
    }
  }
}

}  // namespace

JobSpec ExportPagesSpec() { return {.name = "export_pages", .map = MapUrls, .reduce = ReducePages}; }

JobRequest ExportPagesRequest(const Snapshot& snapshot, const std::string& directory, int parts) {
  JobRequest request;
  request.spec = ExportPagesSpec();
  request.base_snapshot = snapshot.manifest.number;
  request.plan = [directory, parts](const JobEnvironment&, const Snapshot& base, Plan* plan) {
    int64_t rows = 0;
    const auto urls = base.manifest.tables.find(UrlRow::kTable);
    if (urls != base.manifest.tables.end()) {
      for (const RunReference& run : urls->second) rows += run.rows;
    }
    plan->facts["directory"] = directory;
    plan->parts = EvenSlotParts(static_cast<int>(std::max<int64_t>(1, (rows + kRowsAMap - 1) / kRowsAMap)));
    plan->partitions = parts;
    return Status::OK();
  };
  request.apply = [](const Plan&, const JobOutput&, Manifest*) -> Result<bool> { return false; };
  return request;
}

Result<int> FilesOfPages(Store* store, const Manifest& manifest) {
  int64_t bytes = 0;
  for (const Segment& segment : SegmentsOf(manifest)) {
    if (!segment.has_ended(SegmentEnd::kApplied)) continue;
    ARROW_ASSIGN_OR_RAISE(const auto parsed, ReadStep(store, segment.id, kParseStep));
    if (!parsed) continue;
    for (const FileReceipt& file : parsed->FilesOf(ParseRow::kTable)) bytes += file.seal.size_bytes;
  }
  return static_cast<int>(std::clamp<int64_t>(bytes / kBytesAFile, 1, kMostFiles));
}

}  // namespace trawl
