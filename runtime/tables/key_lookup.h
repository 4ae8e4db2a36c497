// Finding single keys of a table by its files' sidecars.
//
// FindRow fetches one whole row. Do we know a key, and what of it? KnownKeys says so of many keys in the table's order by
// reading the sidecars once from front to back, KeyEntries of keys in any order; neither decodes a row. One thread each.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "formats/rows/row_codec.h"
#include "formats/tables/sidecar.h"
#include "formats/url/slot_range.h"
#include "runtime/tables/table.h"

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
  explicit KnownKeys(const std::shared_ptr<const Table>& table);
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

class KeyEntries {
 public:
  explicit KeyEntries(std::shared_ptr<const Table> table) : table_(std::move(table)) {}

  // What the newest row of that key says of itself (state 0: a tombstone); nothing where no run has it.
  arrow::Result<std::optional<SidecarEntry>> Find(std::string_view key);

 private:
  // Each holds the first keys of its file's blocks; more than these are opened again.
  static constexpr size_t kMostOpen = 64;
  arrow::Result<SidecarReader*> Open(const Table::Run& run, const FileReceipt& file);

  const std::shared_ptr<const Table> table_;
  std::map<const FileReceipt*, std::unique_ptr<SidecarReader>> open_;
};

}  // namespace trawl
