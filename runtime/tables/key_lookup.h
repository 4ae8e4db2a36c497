// Finds single keys of a table by its files' sidecars.
//
// FindRow fetches one whole row. KnownKeys and KeyEntries tell whether a key is known, and its sidecar entry, without
// decoding a row: KnownKeys for many keys in the table's order, reading the sidecars once from front to back;
// KeyEntries for keys in any order. One thread each.
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

// The place of a key's newest row.
struct RowBatch {
  ColumnBatch batch;
  int64_t row = 0;
};
arrow::Result<std::optional<RowBatch>> FindRowBatch(const Table& table, std::string_view key);

// Returns the newest row of the key, which may be a tombstone; nothing where the table does not have the key.
template <typename Row>
arrow::Result<std::optional<Row>> FindRow(const Table& table, std::string_view key) {
  ARROW_ASSIGN_OR_RAISE(const std::optional<RowBatch> found, FindRowBatch(table, key));
  if (!found) return std::nullopt;
  Row row;
  ReadFromBatch(found->batch, found->row, &row);
  return row;
}

// The place of a key's newest row, and its sidecar entry.
struct KnownKey {
  SidecarEntry entry;
  size_t run = 0;   // number of the run in the table
  size_t file = 0;  // number of the file in the run
  int64_t row = 0;  // number of the row in the file
};

class KnownKeys {
 public:
  explicit KnownKeys(const std::shared_ptr<const Table>& table);
  ~KnownKeys();

  // Returns nothing where no run has the key. REQUIRES: places come in ascending order.
  arrow::Result<std::optional<KnownKey>> Locate(RowPlace place);

  // Returns the sidecar entry of that key's newest row (state 0: a tombstone); nothing where no run has the key.
  // REQUIRES: places come in ascending order.
  arrow::Result<std::optional<SidecarEntry>> Find(RowPlace place);

 private:
  class RunKeys;
  std::vector<std::unique_ptr<RunKeys>> runs_;  // newest first
};

class KeyEntries {
 public:
  explicit KeyEntries(std::shared_ptr<const Table> table) : table_(std::move(table)) {}

  // Returns the sidecar entry of that key's newest row (state 0: a tombstone); nothing where no run has the key.
  arrow::Result<std::optional<SidecarEntry>> Find(std::string_view key);

 private:
  // Each open sidecar holds the first keys of its file's blocks; beyond this number sidecars are closed, and opened
  // again when needed.
  static constexpr size_t kMostOpen = 64;
  arrow::Result<SidecarReader*> Open(const Table::Run& run, const FileReceipt& file);

  const std::shared_ptr<const Table> table_;
  std::map<const FileReceipt*, std::unique_ptr<SidecarReader>> open_;
};

}  // namespace trawl
