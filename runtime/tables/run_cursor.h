// Reads the rows of one run in order, starting at any place. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/tables/orc.h"
#include "formats/url/key.h"
#include "formats/url/slot_range.h"
#include "runtime/tables/table.h"

namespace trawl {

class RunCursor {
 public:
  // `wanted` has one flag per column of the table and includes the key, or is empty for all.
  RunCursor(std::shared_ptr<const Table> table, size_t run, std::vector<bool> wanted, int64_t batch_rows);

  // Goes to the first row at or after `from`.
  arrow::Status SeekTo(RowPlace from);

  // The same, starting from the current row. Reads on where `place` is near, since jumping costs about as much as
  // reading two row groups. REQUIRES: at_end(), or the cursor is not after `place`.
  arrow::Status SkipTo(RowPlace place);

  bool at_end() const { return at_ >= batch_.rows; }
  // The place of the current row; valid until the cursor leaves the batch. REQUIRES: !at_end().
  RowPlace head() const { return head_; }
  const ColumnBatch& batch() const { return batch_; }
  int64_t at() const { return at_; }

  // Returns the first row of the batch, at or after the current one, that is not before `place`; batch().rows where all
  // are before it.
  int64_t FirstNotBefore(RowPlace place) const;
  // Advances to that row of the batch; batch().rows: to the next batch.
  arrow::Status AdvanceTo(int64_t row);

 private:
  std::string_view KeyAt(int64_t row) const { return batch_.columns[key_column_].GetBytes(row); }
  RowPlace PlaceAt(int64_t row) const { return {SlotOfKey(KeyAt(row)), KeyAt(row)}; }
  arrow::Status OpenFile(size_t file, RowPlace from);
  arrow::Status NextBatch();
  void SetHead();

  std::shared_ptr<const Table> table_;
  const Table::Run& run_;  // a run of table_
  const std::vector<bool> wanted_;
  const int64_t batch_rows_;
  const size_t key_column_;

  size_t file_ = 0;
  std::unique_ptr<OrcReader> reader_;
  ColumnBatch batch_;
  int64_t at_ = 0;
  SlotOfKeys slot_of_;
  RowPlace head_;
};

}  // namespace trawl
