// Walks the rows of a table forwards, from place to place: one side of a join of tables that sort alike. One thread.
#pragma once

#include <memory>
#include <string_view>

#include "arrow/result.h"
#include "formats/row_codec.h"
#include "runtime/merge_scan.h"

namespace trawl {

class RowWalk {
 public:
  static arrow::Result<RowWalk> Open(std::shared_ptr<const Table> table, const ScanOptions& options) {
    RowWalk walk;
    walk.key_column_ = static_cast<size_t>(table->ColumnNumber("key"));
    ARROW_ASSIGN_OR_RAISE(walk.scan_, MergeScan::Open(std::move(table), options));
    ARROW_RETURN_NOT_OK(walk.NextSpan());
    return walk;
  }

  bool at_end() const { return at_end_; }
  // The row that the walk is at. REQUIRES: !at_end(). Good until it goes on.
  std::string_view key() const { return span_.batch->columns[key_column_].GetBytes(at_); }
  const ColumnBatch& batch() const { return *span_.batch; }
  int64_t row() const { return at_; }
  template <typename Row>
  void Read(Row* row) const {
    ReadFromBatch(*span_.batch, at_, row);
  }

  arrow::Status Next() { return ++at_ < span_.end ? arrow::Status::OK() : NextSpan(); }

  // Goes on to the first row that is not before `place`.
  arrow::Status SeekTo(RowPlace place) {
    while (!at_end_ && RowPlace{slot_of_(key()), key()} < place) ARROW_RETURN_NOT_OK(Next());
    return arrow::Status::OK();
  }

 private:
  arrow::Status NextSpan() {
    ARROW_ASSIGN_OR_RAISE(const bool more, scan_->Next(&span_));
    at_end_ = !more;
    at_ = span_.begin;
    return arrow::Status::OK();
  }

  std::unique_ptr<MergeScan> scan_;
  RowSpan span_;
  int64_t at_ = 0;
  bool at_end_ = false;
  size_t key_column_ = 0;
  SlotOfKeys slot_of_;
};

}  // namespace trawl
