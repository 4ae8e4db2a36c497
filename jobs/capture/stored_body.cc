#include "jobs/capture/stored_body.h"

#include <algorithm>
#include <optional>

#include "arrow/record_batch.h"
#include "formats/rows/some_columns.h"
#include "runtime/root/segment_data.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Each has a file open and one body in memory.
constexpr size_t kMostOpenSegments = 4;
constexpr auto kColumns = Columns<ContentRow>({"body", "body_digest"});

}  // namespace

Status BodiesByPlace::Open(const std::string& segment, const std::string& file, Segment* open) const {
  open->reader.reset();
  const auto receipt = std::find_if(open->files.begin(), open->files.end(),
                                    [&file](const FileReceipt& one) { return one.name == file; });
  if (receipt == open->files.end()) return Status::IndexError("there is no content file ", file);
  ARROW_ASSIGN_OR_RAISE(open->reader,
                        OpenDatasetFile(store_, segment, ContentRow::kTable, *receipt, ColumnsOf<ContentRow>()));
  open->file = file;
  open->batch = {};
  return open->reader->Scan(0, kColumns.Flags(), ContentRow::kBatchRows);
}

// Goes to the row: it is in the batch then. The rows of the batch before were read, and are not there any more.
Status BodiesByPlace::Find(const std::string& segment, const std::string& file, int64_t row, Segment* open) const {
  if (open->reader == nullptr || open->file != file) ARROW_RETURN_NOT_OK(Open(segment, file, open));
  ColumnBatch& batch = open->batch;
  const int64_t next = batch.first_row + batch.rows;
  if (row < next || row >= next + kOrcStride) {
    ARROW_RETURN_NOT_OK(open->reader->Scan(row, kColumns.Flags(), ContentRow::kBatchRows));
    batch = {};
  }
  while (row >= batch.first_row + batch.rows) {
    ARROW_ASSIGN_OR_RAISE(const bool more, open->reader->Next(&batch));
    if (more) continue;
    open->reader.reset();
    return Status::IndexError("content file ", file, " has no row ", row);
  }
  return Status::OK();
}

Status BodiesByPlace::Read(const std::string& segment, const std::string& file, int64_t row,
                           const std::string& body_digest, ContentRow* body) {
  auto open = segments_.find(segment);
  if (open == segments_.end()) {
    if (segments_.size() >= kMostOpenSegments) segments_.clear();
    ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> fetched, ReadStep(store_, segment, kFetchStep));
    if (!fetched) return Status::IOError("segment ", segment, ": the record of its fetch is gone");
    open = segments_.try_emplace(segment).first;
    open->second.files = fetched->FilesOf(ContentRow::kTable);
  }
  const Status found = Find(segment, file, row, &open->second);
  if (!found.ok()) {
    return found.WithMessage("segment ", segment, ": ", found.message(),
                             "; where a gc has removed bodies while they were archived, begin anew with --overwrite");
  }
  ColumnBatch& batch = open->second.batch;
  ReadFromBatch(batch, row - batch.first_row, body);
  // A body may have 50 MiB: it is in memory once.
  batch.columns.clear();
  batch.owner.reset();
  return body->body_digest == body_digest
             ? Status::OK()
             : Status::IOError("segment ", segment, ": row ", row, " of content file ", file, " is another body");
}

}  // namespace trawl
