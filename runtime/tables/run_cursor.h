// Reads the rows of one run in order, from any place on. One thread.
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
  // `wanted` has a flag a column of the table and includes the key, or is empty for all.
  RunCursor(std::shared_ptr<const Table> table, size_t run, std::vector<bool> wanted, int64_t batch_rows);

  // Goes to the first row at or behind `from`.
  arrow::Status SeekTo(RowPlace from);

  // The same from where the cursor is, REQUIRES: at_end(), or it is not behind `place`. Goes on reading where that is
  // near, since going elsewhere costs about as much as two row groups.
  arrow::Status SkipTo(RowPlace place);

  bool at_end() const { return at_ >= batch_.rows; }
  // The row under the cursor. REQUIRES: !at_end(). `head` is good until the cursor leaves the batch.
  RowPlace head() const { return head_; }
  const ColumnBatch& batch() const { return batch_; }
  int64_t at() const { return at_; }

  // The first row of the batch, at or behind the one under the cursor, that is not before `place`; batch().rows where
  // all are.
  int64_t FirstNotBefore(RowPlace place) const;
  // Goes on to that row of the batch; batch().rows: to the next batch.
  arrow::Status AdvanceTo(int64_t row);

 private:
  std::string_view KeyAt(int64_t row) const { return batch_.columns[key_column_].GetBytes(row); }
  RowPlace PlaceAt(int64_t row) const { return {SlotOfKey(KeyAt(row)), KeyAt(row)}; }
  arrow::Status OpenFile(size_t file, RowPlace from);
  arrow::Status NextBatch();
  void SetHead();

  std::shared_ptr<const Table> table_;
  const Table::Run& run_;  // of table_
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
