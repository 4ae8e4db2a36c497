// Finding single keys of a table by its files' sidecars.
//
// FindRow fetches one whole row. KnownKeys settles many keys in the table's order (do we know it, and what of it?) by
// reading the sidecars once from front to back, without decoding a row. One thread each.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "formats/row_codec.h"
#include "formats/sidecar.h"
#include "formats/slot_range.h"
#include "runtime/table.h"

namespace trawl {

// Where the newest row of a key lies.
struct RowBatch {
  ColumnBatch batch;
  int64_t row = 0;
};
arrow::Result<std::optional<RowBatch>> FindRowBatch(const Table& table, std::string_view key);

// The newest row of the key, which may be a tombstone; nothing where the table has none.
template <typename Row>
arrow::Result<std::optional<Row>> FindRow(const Table& table, std::string_view key) {
  ARROW_ASSIGN_OR_RAISE(const std::optional<RowBatch> found, FindRowBatch(table, key));
  if (!found) return std::nullopt;
  Row row;
  ReadFromBatch(found->batch, found->row, &row);
  return row;
}

// Where the newest row of a key lies, and what its sidecar says of it.
struct KnownKey {
  SidecarEntry entry;
  size_t run = 0;   // of the table
  size_t file = 0;  // of the run
  int64_t row = 0;  // of the file
};

class KnownKeys {
 public:
  explicit KnownKeys(std::shared_ptr<const Table> table);
  ~KnownKeys();

  // Nothing where no run has the key. REQUIRES: places come in ascending order.
  arrow::Result<std::optional<KnownKey>> Locate(RowPlace place);

  // What the newest row of that key says of itself (state 0: a tombstone); nothing where no run has it.
  // REQUIRES: places come in ascending order.
  arrow::Result<std::optional<SidecarEntry>> Find(RowPlace place);

 private:
  class RunKeys;
  std::vector<std::unique_ptr<RunKeys>> runs_;  // newest first
};

}  // namespace trawl
