// What all tasks of trawl archive know from their plan, and the files that they hand to each other: rows below
// DIR/_trawl/NAME, under names that do not depend on the attempt. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/archive_begin.h"
#include "formats/rows/row_codec.h"
#include "formats/tables/orc.h"
#include "runtime/job/plan.h"
#include "runtime/store/store.h"
#include "runtime/tables/row_file_writer.h"

namespace trawl {

struct ArchiveFacts {
  ArchiveBegin begin;
  std::string directory;
};
// Also names the segments as those that the job reads, so that gc leaves their bodies alone meanwhile.
void AddArchiveFacts(const ArchiveBegin& begin, const std::string& directory, Plan* plan);
arrow::Result<ArchiveFacts> ArchiveFactsOf(const Plan& plan);

// The files of a segment's fetch dataset.
arrow::Result<std::vector<FileReceipt>> FetchFilesOf(Store* store, const std::string& segment);

// "part-00007": the files of a task are part-00007-0.orc and so on.
std::string KeptPrefix(int number);
RowFileOptions KeptFileOptions();
Json ToJson(const std::vector<FileReceipt>& files);
arrow::Result<std::vector<FileReceipt>> FileReceiptsFromJson(const Json& json);

// Opens a file in that folder below DIR.
arrow::Result<std::unique_ptr<OrcReader>> OpenKeptFile(Store* to, const std::string& folder, const FileReceipt& file,
                                                       std::vector<ColumnSpec> columns);

// Calls `visit(const Row&)`, which returns a Status, for the rows of the file.
template <typename Row, typename Visit>
arrow::Status ForEachKeptRow(Store* to, const std::string& folder, const FileReceipt& file, Visit&& visit) {
  constexpr int64_t kBatchRows = 1024;
  if (file.rows == 0) return arrow::Status::OK();
  ARROW_ASSIGN_OR_RAISE(const auto reader, OpenKeptFile(to, folder, file, ColumnsOf<Row>()));
  ARROW_RETURN_NOT_OK(reader->Scan(0, {}, kBatchRows));
  ColumnBatch batch;
  Row row;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, reader->Next(&batch));
    if (!more) return arrow::Status::OK();
    for (int64_t i = 0; i < batch.rows; ++i) {
      ReadFromBatch(batch, i, &row);
      ARROW_RETURN_NOT_OK(visit(std::as_const(row)));
    }
  }
}

}  // namespace trawl
