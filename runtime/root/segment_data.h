// A segment's data: the records of its steps, and the rows of its datasets. Any thread.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/step_record.h"
#include "formats/rows/row_codec.h"
#include "formats/rows/some_columns.h"
#include "formats/tables/orc.h"
#include "runtime/store/store.h"

namespace trawl {

// The record of fetch or parse; nothing where the step is not done.
arrow::Result<std::optional<StepRecord>> ReadStep(Store* store, const std::string& segment, const std::string& step);

// The record of the lists that a snapshot names by job and seal.
arrow::Result<StepRecord> ReadLists(Store* store, const std::string& segment, const std::string& job,
                                    const std::string& seal);

// A file of a dataset, open for reading.
arrow::Result<std::unique_ptr<OrcReader>> OpenDatasetFile(Store* store, const std::string& segment,
                                                          const std::string& dataset, const FileReceipt& file,
                                                          std::vector<ColumnSpec> columns);

// Rows [begin, end) of a file.
struct RowRange {
  int64_t begin = 0;
  int64_t end = std::numeric_limits<int64_t>::max();
};

// A batch of rows of which few or short columns are read.
inline constexpr int64_t kNarrowBatchRows = 4096;

// What of a dataset's file is read, and how many rows are in memory at once.
template <typename Row>
struct DatasetScan {
  Columns<Row> columns = {};
  RowRange rows = {};
  int64_t batch_rows = 512;
};

// Calls `visit(const Row&)`, which returns a Status, for the rows of a file.
template <typename Row, typename Visit>
arrow::Status ForEachDatasetRow(Store* store, const std::string& segment, const std::string& dataset,
                                const FileReceipt& file, Visit&& visit, const DatasetScan<Row>& scan = {}) {
  if (file.rows == 0) return arrow::Status::OK();  // there is no such file
  ARROW_ASSIGN_OR_RAISE(const auto reader, OpenDatasetFile(store, segment, dataset, file, ColumnsOf<Row>()));
  ARROW_RETURN_NOT_OK(reader->Scan(scan.rows.begin, scan.columns.Flags(), scan.batch_rows));
  ColumnBatch batch;
  Row row;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, reader->Next(&batch));
    if (!more || batch.first_row >= scan.rows.end) return arrow::Status::OK();
    const int64_t end = std::min(batch.rows, scan.rows.end - batch.first_row);
    for (int64_t i = std::max<int64_t>(scan.rows.begin - batch.first_row, 0); i < end; ++i) {
      ReadFromBatch(batch, i, &row);
      ARROW_RETURN_NOT_OK(visit(std::as_const(row)));
    }
  }
}

}  // namespace trawl
