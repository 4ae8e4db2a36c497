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
  // The key of the current row; valid until the walk advances. REQUIRES: !at_end().
  std::string_view key() const { return KeyAt(at_); }
  template <typename Row>
  void Read(Row* row) const {
    ReadFromBatch(*span_.batch, at_, row);
  }

  arrow::Status Next() { return ++at_ < span_.end ? arrow::Status::OK() : NextSpan(); }

  // Advances to the first row that is not before `place`.
  arrow::Status SeekTo(RowPlace place);

  // Returns the rows from the current one on that are in memory and come before `place`; empty where the next one does
  // not. Valid until the walk advances.
  RowSpan RowsBefore(RowPlace place) const;
  // Advances past these rows.
  arrow::Status Pass(const RowSpan& rows) {
    at_ = rows.end;
    return at_ < span_.end ? arrow::Status::OK() : NextSpan();
  }

 private:
  RowWalk(std::unique_ptr<MergeScan> scan, size_t key_column) : scan_(std::move(scan)), key_column_(key_column) {}
  std::string_view KeyAt(int64_t row) const { return span_.batch->columns[key_column_].GetBytes(row); }
  // Returns the first row of the span, at or after the current one, that is not before `place`; the span's end where
  // there is no such row.
  int64_t FirstNotBefore(RowPlace place) const;
  arrow::Status NextSpan();

  std::unique_ptr<MergeScan> scan_;
  size_t key_column_;
  RowSpan span_;
  int64_t at_ = 0;
  bool at_end_ = false;
};

}  // namespace trawl
