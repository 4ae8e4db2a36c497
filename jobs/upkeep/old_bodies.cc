#include "jobs/upkeep/old_bodies.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "formats/documents/step_record.h"
#include "formats/rows/content_row.h"
#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "jobs/segment/life.h"
#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

using FileNames = std::set<std::pair<std::string, std::string>>;  // segment, file

// The content files that stay for the rows of the urls table that point to them: all where old.keep_latest, else those of
// which a row has the body of another URL (UrlRow::shares_body) and was fetched later, so that its own is not that old.
Result<FileNames> KeptForRows(Store* store, const Manifest& present, const OldBodies& old, const StopToken& stop) {
  FileNames latest;
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(store, present));
  const auto segment = ColumnIndex<UrlRow>("body_segment");
  const auto file = ColumnIndex<UrlRow>("body_file");
  const auto fetched = ColumnIndex<UrlRow>("fetched_ms");
  const auto shares = ColumnIndex<UrlRow>("shares_body");
  ARROW_ASSIGN_OR_RAISE(
      const auto scan,
      MergeScan::Open(urls,
                      {.wanted = Columns<UrlRow>({"body_segment", "body_file", "fetched_ms", "shares_body"}).Flags()}));
  RowSpan span;
  while (true) {
    ARROW_RETURN_NOT_OK(stop.Check());
    ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
    if (!more) return latest;
    for (int64_t row = span.begin; row < span.end; ++row) {
      const std::string_view name = span.batch->columns[file].GetBytes(row);
      const bool is_kept = old.keep_latest || (span.batch->columns[shares].Get<int8_t>(row) != 0 &&
                                               span.batch->columns[fetched].Get<int64_t>(row) >= old.before_ms);
      if (is_kept && !name.empty())
        latest.insert({std::string(span.batch->columns[segment].GetBytes(row)), std::string(name)});
    }
  }
}

Result<TimeMs> NewestBody(Store* store, const std::string& segment, const FileReceipt& file) {
  TimeMs newest = 0;
  ARROW_RETURN_NOT_OK(ForEachDatasetRow<ContentRow>(store, segment, ContentRow::kTable, file,
                                                    [&newest](const ContentRow& row) {
                                                      newest = std::max(newest, row.fetched_ms);
                                                      return Status::OK();
                                                    },
                                                    {.columns = {"fetched_ms"}, .batch_rows = kNarrowBatchRows}));
  return newest;
}

}  // namespace

Status ForEachOldBodyFile(Store* store, const Manifest& present, const OldBodies& old, const StopToken& stop,
                          const std::function<Status(const StoreEntry& file)>& visit) {
  FileNames latest;
  if (old.keep_latest || !present.totals || present.totals->shared_bytes > 0) {
    ARROW_ASSIGN_OR_RAISE(latest, KeptForRows(store, present, old, stop));
  }
  for (const ClosedSegment& segment : present.closed_segments) {
    if (segment.end != SegmentEnd::kApplied) continue;
    ARROW_RETURN_NOT_OK(stop.Check());
    ARROW_ASSIGN_OR_RAISE(const auto entries, store->List(DatasetFolder(segment.id, ContentRow::kTable), false));
    if (entries.empty()) continue;
    ARROW_ASSIGN_OR_RAISE(const auto fetched, ReadStep(store, segment.id, kFetchStep));
    // Bodies of a store are older than the store.
    if (!fetched || (fetched->now_ms >= old.before_ms && !IsStoreOfBodies(segment))) continue;
    std::map<std::string, FileReceipt> files;
    for (FileReceipt& file : fetched->FilesOf(ContentRow::kTable)) {
      std::string path = DatasetFilePath(segment.id, ContentRow::kTable, file.name);
      files.emplace(std::move(path), std::move(file));
    }
    for (const StoreEntry& entry : entries) {
      const auto file = files.find(entry.path);
      if (file == files.end() || latest.contains({segment.id, file->second.name})) continue;
      ARROW_ASSIGN_OR_RAISE(const TimeMs newest, NewestBody(store, segment.id, file->second));
      if (newest < old.before_ms) ARROW_RETURN_NOT_OK(visit(entry));
    }
  }
  return Status::OK();
}

}  // namespace trawl
