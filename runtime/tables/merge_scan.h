// Scans the present rows of a table: all runs merged, only the newest row of a key, tombstones hidden.
//
// Rows come as spans of a batch of columns, so that a long stretch without newer rows has no cost per row. Memory is
// bounded by the number of runs. One thread; many scans may share a Table.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/rows/row_codec.h"
#include "formats/tables/columns.h"
#include "formats/url/slot_range.h"
#include "runtime/tables/run_cursor.h"
#include "runtime/tables/table.h"

namespace trawl {

struct ScanOptions {
  // Rows at or after `from`, before `to`. By default all.
  SlotRange slots;
  std::string from_key;  // within the first slot; with to_key: REQUIRES that `slots` is one slot
  std::string to_key;    // empty: to the end of the slots
  // One flag per column (Columns<Row>); empty: all columns. The key is always read.
  std::vector<bool> wanted;
  bool include_removed = false;
  int64_t batch_rows = 4096;
};

// Rows [begin, end) of `batch`.
struct RowSpan {
  const ColumnBatch* batch = nullptr;
  int64_t begin = 0;
  int64_t end = 0;
  size_t run = 0;  // number of the run in the table
};

class MergeScan {
 public:
  static arrow::Result<std::unique_ptr<MergeScan>> Open(std::shared_ptr<const Table> table, const ScanOptions& options);

  // Returns the next span, never empty; false at the end. It is valid until the next call.
  arrow::Result<bool> Next(RowSpan* span);
  // From now on Next gives no row before `place`; a long stretch up to `place` is not read.
  arrow::Status SkipTo(RowPlace place);

 private:
  MergeScan(std::shared_ptr<const Table> table, const ScanOptions& options);
  arrow::Result<bool> NextVersioned(RowSpan* span);
  int64_t SkipFlagged(const RowSpan& span, bool removed) const;

  const std::shared_ptr<const Table> table_;
  const ScanOptions options_;
  const size_t removed_column_;
  RowPlace to_;
  std::vector<std::unique_ptr<RunCursor>> cursors_;  // cursors of the runs with rows left, oldest first
  std::vector<size_t> run_of_;
  // The rows that the last span used up: passed before the next span is looked for, since a span lives until then.
  RunCursor* used_ = nullptr;
  int64_t used_to_ = 0;
  RowSpan rest_;  // newest rows, not yet given out; it does not begin with a hidden row
};

// Calls `visit(const Row&)`, which returns a Status, for each row of a scan.
template <typename Row, typename Visit>
arrow::Status ForEachRow(std::shared_ptr<const Table> table, const ScanOptions& options, Visit&& visit) {
  ARROW_ASSIGN_OR_RAISE(const auto scan, MergeScan::Open(std::move(table), options));
  RowSpan span;
  Row row;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, scan->Next(&span));
    if (!more) return arrow::Status::OK();
    for (int64_t i = span.begin; i < span.end; ++i) {
      ReadFromBatch(*span.batch, i, &row);
      ARROW_RETURN_NOT_OK(visit(row));
    }
  }
}

}  // namespace trawl
