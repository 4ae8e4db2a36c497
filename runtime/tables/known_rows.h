// Reads many whole rows of a table, in the table's order, at the places that KnownKeys gives.
//
// Few rows are read by the block that holds them; where the rows lie close together, their files are read through. One
// thread.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "formats/rows/row_codec.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/tables/table.h"

namespace trawl {

class KnownRowBatches {
 public:
  // `wanted` as for a scan; empty: all columns.
  KnownRowBatches(const std::shared_ptr<const Table>& table, std::vector<bool> wanted);
  ~KnownRowBatches();

  // Returns the batch that has the row; valid until the next call. REQUIRES: rows of one run come in ascending order.
  arrow::Result<const ColumnBatch*> Load(const KnownKey& known);

 private:
  class RunRows;
  const std::vector<bool> wanted_;
  std::vector<std::unique_ptr<RunRows>> runs_;
};

template <typename Row>
class KnownRows {
 public:
  // `wanted` as for a scan: a row has its other fields at zero. Empty: all columns.
  explicit KnownRows(const std::shared_ptr<const Table>& table, std::vector<bool> wanted = {})
      : keys_(table),
        batches_(table, std::move(wanted)),
        key_column_(static_cast<size_t>(table->ColumnNumber("key"))) {}

  // REQUIRES for both: places come in ascending order.
  arrow::Result<std::optional<KnownKey>> Locate(RowPlace place) { return keys_.Locate(place); }
  // Reads a row that was located. Returns false where the row belongs to another key with the same hash.
  arrow::Result<bool> Read(const KnownKey& known, std::string_view key, Row* row) {
    ARROW_ASSIGN_OR_RAISE(const ColumnBatch* batch, batches_.Load(known));
    const int64_t at = known.row - batch->first_row;
    if (batch->columns[key_column_].GetBytes(at) != key) return false;
    ReadFromBatch(*batch, at, row);
    return true;
  }
  // Reads the newest row of the key; false where there is no row, or a tombstone.
  arrow::Result<bool> Find(RowPlace place, Row* row) {
    ARROW_ASSIGN_OR_RAISE(const std::optional<KnownKey> known, Locate(place));
    if (!known || known->entry.state == 0) return false;
    return Read(*known, place.key, row);
  }

 private:
  KnownKeys keys_;
  KnownRowBatches batches_;
  const size_t key_column_;
};

}  // namespace trawl
