#include "jobs/upkeep/sparse_bodies.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "formats/documents/step_record.h"
#include "formats/rows/content_row.h"
#include "formats/rows/fetch_row.h"
#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "jobs/segment/life.h"
#include "jobs/segment/stored_bodies.h"
#include "jobs/upkeep/move_bodies.h"
#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Which rows of a file are pointed to: a bit for each.
using Pointed = std::map<std::pair<std::string, std::string>, std::vector<bool>>;  // by segment and file

Result<Pointed> FindPointed(Store* store, const Manifest& present, const StopToken& stop) {
  constexpr int64_t kMostRows = int64_t{1} << 32;  // of a file; more is damage
  Pointed pointed;
  ARROW_ASSIGN_OR_RAISE(const auto urls, Table::Open<UrlRow>(store, present));
  const auto segment = ColumnIndex<UrlRow>("body_segment");
  const auto file = ColumnIndex<UrlRow>("body_file");
  const auto body_row = ColumnIndex<UrlRow>("body_row");
  ARROW_ASSIGN_OR_RAISE(
      const auto scan,
      MergeScan::Open(urls, {.wanted = Columns<UrlRow>({"body_segment", "body_file", "body_row"}).Flags()}));
  RowSpan span;
  while (true) {
    ARROW_RETURN_NOT_OK(stop.Check());
    ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
    if (!more) return pointed;
    for (int64_t row = span.begin; row < span.end; ++row) {
      const std::string_view name = span.batch->columns[file].GetBytes(row);
      const auto at = span.batch->columns[body_row].Get<int64_t>(row);
      if (name.empty() || at < 0 || at >= kMostRows) continue;
      auto& bits = pointed[{std::string(span.batch->columns[segment].GetBytes(row)), std::string(name)}];
      if (bits.size() <= static_cast<size_t>(at)) bits.resize(static_cast<size_t>(at) + 1);
      bits[static_cast<size_t>(at)] = true;
    }
  }
}

// The bytes of each body of some files of a segment, from the rows of its fetch.
using Sizes = std::map<std::string, std::vector<int64_t>>;
Status ReadSizes(Store* store, const StepRecord& fetched, Sizes* sizes) {
  const auto take = [sizes](const FetchRow& row) {
    const auto file = sizes->find(row.content_file);
    const auto at = static_cast<size_t>(row.content_row);
    if (file != sizes->end() && at < file->second.size()) file->second[at] = std::max(file->second[at], row.bytes);
    return Status::OK();
  };
  for (const FileReceipt& file : fetched.FilesOf(FetchRow::kTable)) {
    ARROW_RETURN_NOT_OK(ForEachDatasetRow<FetchRow>(
        store, fetched.segment, FetchRow::kTable, file, take,
        {.columns = {"content_file", "content_row", "bytes"}, .batch_rows = kNarrowBatchRows}));
  }
  return Status::OK();
}

// Adds the sparse ones of these files.
void TakeSparse(const std::string& segment, const std::vector<FileReceipt>& files, const Pointed& pointed,
                const Sizes& sizes, std::vector<SparseFile>* sparse) {
  for (const FileReceipt& file : files) {
    SparseFile one = {.segment = segment, .file = file.name, .stored_bytes = file.seal.size_bytes};
    const std::vector<int64_t>& of_rows = sizes.at(file.name);
    const auto bits = pointed.find({segment, file.name});
    for (size_t row = 0; row < of_rows.size(); ++row) {
      // An empty body takes a row, too.
      const int64_t bytes = std::max<int64_t>(of_rows[row], 1);
      one.bytes += bytes;
      if (bits == pointed.end() || row >= bits->second.size() || !bits->second[row]) continue;
      ++one.bodies_pointed;
      one.bytes_pointed += bytes;
    }
    if (2 * one.bytes_pointed < one.bytes) sparse->push_back(std::move(one));
  }
}

// Whether every body of the file is pointed to, so that nobody has to look at their sizes.
bool IsFull(const Pointed& pointed, const std::string& segment, const FileReceipt& file) {
  const auto bits = pointed.find({segment, file.name});
  return bits != pointed.end() && std::count(bits->second.begin(), bits->second.end(), true) >= file.rows;
}

}  // namespace

Result<std::vector<SparseFile>> FindSparseFiles(Store* store, const Manifest& present, TimeMs before_ms,
                                                const StopToken& stop) {
  ARROW_ASSIGN_OR_RAISE(const Pointed pointed, FindPointed(store, present, stop));
  std::set<std::string> replaced;  // paths
  for (const Segment& segment : SegmentsOf(present)) {
    if (!segment.is_store) continue;
    ARROW_ASSIGN_OR_RAISE(const auto paths, FilesReplacedBy(store, segment.id));
    replaced.insert(paths.begin(), paths.end());
  }
  StoredBodies stored(store);
  std::vector<SparseFile> sparse;
  for (const Segment& segment : SegmentsOf(present)) {
    if (!segment.has_ended(SegmentEnd::kApplied)) continue;
    ARROW_RETURN_NOT_OK(stop.Check());
    ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> fetched, ReadStep(store, segment.id, kFetchStep));
    if (!fetched || fetched->now_ms >= before_ms) continue;
    std::vector<FileReceipt> files;
    Sizes sizes;
    for (const FileReceipt& file : fetched->FilesOf(ContentRow::kTable)) {
      if (IsFull(pointed, segment.id, file)) continue;
      if (replaced.contains(DatasetFilePath(segment.id, ContentRow::kTable, file.name))) continue;
      ARROW_ASSIGN_OR_RAISE(const bool is_there, stored.Has(segment.id, file.name));
      if (!is_there) continue;
      files.push_back(file);
      sizes[file.name].resize(static_cast<size_t>(file.rows));
    }
    if (files.empty()) continue;
    ARROW_RETURN_NOT_OK(ReadSizes(store, *fetched, &sizes));
    TakeSparse(segment.id, files, pointed, sizes, &sparse);
  }
  return sparse;
}

Json NamesOf(const std::vector<SparseFile>& files) {
  Json names = Json::object();
  for (const SparseFile& file : files) names[file.segment].push_back(file.file);
  return names;
}

Result<std::vector<std::string>> FilesReplacedBy(Store* store, const std::string& store_segment) {
  std::vector<std::string> paths;
  ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> record, ReadStep(store, store_segment, kFetchStep));
  if (!record) return paths;
  for (const StepTask& task : record->tasks) {
    if (!task.facts.is_object() || !HasMember(task.facts, kReplacedFiles)) continue;
    ARROW_ASSIGN_OR_RAISE(const Json* segments, GetObject(task.facts, kReplacedFiles));
    for (const auto& [segment, files] : segments->items()) {
      ARROW_ASSIGN_OR_RAISE(const std::vector<std::string> names, GetStrings(*segments, segment.c_str()));
      for (const std::string& name : names) paths.push_back(DatasetFilePath(segment, ContentRow::kTable, name));
    }
  }
  return paths;
}

}  // namespace trawl
