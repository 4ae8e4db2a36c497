// Walks the rows of a table forwards, from place to place: one side of a join of tables that sort alike. Rows between
// two places that lie far apart are not read. One thread.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "arrow/result.h"
#include "formats/rows/row_codec.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

class RowWalk {
 public:
  static arrow::Result<RowWalk> Open(std::shared_ptr<const Table> table, const ScanOptions& options);

  bool at_end() const { return at_end_; }
  // The row that the walk is at. REQUIRES: !at_end(). Good until it goes on.
  std::string_view key() const { return KeyAt(at_); }
  template <typename Row>
  void Read(Row* row) const {
    ReadFromBatch(*span_.batch, at_, row);
  }

  arrow::Status Next() { return ++at_ < span_.end ? arrow::Status::OK() : NextSpan(); }

  // Goes on to the first row that is not before `place`.
  arrow::Status SeekTo(RowPlace place);

  // The rows that are there to be read at once from where the walk is, as far as they come before `place`; empty where
  // the next one does not. Good until the walk goes on.
  RowSpan RowsBefore(RowPlace place) const;
  // Goes on behind them.
  arrow::Status Pass(const RowSpan& rows) {
    at_ = rows.end;
    return at_ < span_.end ? arrow::Status::OK() : NextSpan();
  }

 private:
  RowWalk(std::unique_ptr<MergeScan> scan, size_t key_column) : scan_(std::move(scan)), key_column_(key_column) {}
  std::string_view KeyAt(int64_t row) const { return span_.batch->columns[key_column_].GetBytes(row); }
  // The first row of the span, at or behind the walk's, that is not before `place`; its end where there is none.
  int64_t FirstNotBefore(RowPlace place) const;
  arrow::Status NextSpan();

  std::unique_ptr<MergeScan> scan_;
  size_t key_column_;
  RowSpan span_;
  int64_t at_ = 0;
  bool at_end_ = false;
};

}  // namespace trawl
