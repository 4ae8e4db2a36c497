#include "runtime/tables/row_walk.h"

#include <algorithm>

#include "formats/url/key.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Result<RowWalk> RowWalk::Open(std::shared_ptr<const Table> table, const ScanOptions& options) {
  const auto key_column = static_cast<size_t>(table->ColumnNumber("key"));
  ARROW_ASSIGN_OR_RAISE(auto scan, MergeScan::Open(std::move(table), options));
  RowWalk walk(std::move(scan), key_column);
  ARROW_RETURN_NOT_OK(walk.NextSpan());
  return walk;
}

Status RowWalk::NextSpan() {
  ARROW_ASSIGN_OR_RAISE(const bool more, scan_->Next(&span_));
  at_end_ = !more;
  at_ = span_.begin;
  return Status::OK();
}

int64_t RowWalk::FirstNotBefore(RowPlace place) const {
  const auto is_before = [this, place](int64_t row) { return RowPlace{SlotOfKey(KeyAt(row)), KeyAt(row)} < place; };
  // Gallops: the place is usually near.
  int64_t low = at_;
  int64_t step = 1;
  while (low + step <= span_.end && is_before(low + step - 1)) {
    low += step;
    step *= 2;
  }
  int64_t high = std::min(low + step - 1, span_.end);
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (is_before(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

Status RowWalk::SeekTo(RowPlace place) {
  while (!at_end_) {
    at_ = FirstNotBefore(place);
    if (at_ < span_.end) return Status::OK();
    ARROW_RETURN_NOT_OK(scan_->SkipTo(place));
    ARROW_RETURN_NOT_OK(NextSpan());
  }
  return Status::OK();
}

RowSpan RowWalk::RowsBefore(RowPlace place) const {
  if (at_end_) return RowSpan();
  RowSpan rows = span_;
  rows.begin = at_;
  rows.end = FirstNotBefore(place);
  return rows;
}

}  // namespace trawl
