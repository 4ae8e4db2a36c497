#include "runtime/tables/run_cursor.h"

#include <algorithm>

#include "runtime/tables/sidecar_search.h"

namespace trawl {

using arrow::Status;

RunCursor::RunCursor(std::shared_ptr<const Table> table, size_t run, std::vector<bool> wanted, int64_t batch_rows)
    : table_(std::move(table)),
      run_(table_->runs()[run]),
      wanted_(std::move(wanted)),
      batch_rows_(batch_rows),
      key_column_(static_cast<size_t>(table_->ColumnNumber("key"))) {}

Status RunCursor::SeekTo(RowPlace from) {
  const auto& files = run_.record.files;
  const auto file = std::partition_point(files.begin(), files.end(), [from](const FileReceipt& receipt) {
    return RowPlace{receipt.last_slot, receipt.last_key} < from;
  });
  file_ = static_cast<size_t>(file - files.begin());
  batch_ = ColumnBatch();
  at_ = 0;
  reader_.reset();
  if (file_ == files.size()) return Status::OK();
  ARROW_RETURN_NOT_OK(OpenFile(file_, from));
  ARROW_RETURN_NOT_OK(NextBatch());
  while (!at_end()) {
    const int64_t row = FirstNotBefore(from);
    ARROW_RETURN_NOT_OK(AdvanceTo(row));
    if (row < batch_.rows && at_ == row) break;
  }
  return Status::OK();
}

Status RunCursor::SkipTo(RowPlace place) {
  int64_t passed = 0;
  while (!at_end() && head_ < place) {
    const int64_t row = FirstNotBefore(place);
    if (row < batch_.rows) return AdvanceTo(row);
    passed += batch_.rows;
    if (passed > 2 * kOrcStride) return SeekTo(place);
    ARROW_RETURN_NOT_OK(NextBatch());
  }
  return Status::OK();
}

Status RunCursor::OpenFile(size_t file, RowPlace from) {
  const FileReceipt& receipt = run_.record.files[file];
  int64_t first_row = 0;
  if (RowPlace{receipt.first_slot, receipt.first_key} < from) {
    ARROW_ASSIGN_OR_RAISE(const auto sidecar, table_->OpenSidecar(run_, receipt));
    first_row = BlockHolding(*sidecar, 0, from) * kSidecarBlockRows;
  }
  ARROW_ASSIGN_OR_RAISE(reader_, table_->OpenData(run_, receipt));
  return reader_->Scan(first_row, wanted_, batch_rows_);
}

Status RunCursor::NextBatch() {
  at_ = 0;
  while (reader_ != nullptr) {
    ARROW_ASSIGN_OR_RAISE(const bool more, reader_->Next(&batch_));
    if (more) {
      SetHead();
      return Status::OK();
    }
    reader_.reset();
    if (++file_ < run_.record.files.size()) ARROW_RETURN_NOT_OK(OpenFile(file_, RowPlace{}));
  }
  batch_ = ColumnBatch();
  return Status::OK();
}

void RunCursor::SetHead() {
  const std::string_view key = KeyAt(at_);
  head_ = {slot_of_(key), key};
}

int64_t RunCursor::FirstNotBefore(RowPlace place) const {
  // Gallops: the answer is near where runs interleave, and far where they do not.
  int64_t low = at_;
  int64_t step = 1;
  while (low + step <= batch_.rows && PlaceAt(low + step - 1) < place) {
    low += step;
    step *= 2;
  }
  int64_t high = std::min(low + step - 1, batch_.rows);
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (PlaceAt(middle) < place) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

Status RunCursor::AdvanceTo(int64_t row) {
  if (row >= batch_.rows) return NextBatch();
  at_ = row;
  SetHead();
  return Status::OK();
}

}  // namespace trawl
