// Reads whole rows of many keys, one run after another: however many runs a table has, one file is open at a time. So a narrow scan
// that finds keys, and this after it, take less memory than a scan of all columns. One thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/rows/row_codec.h"
#include "runtime/process/stop.h"
#include "runtime/tables/table.h"

namespace trawl {

// Calls `visit` once for each key that the table has, in any order: with the number of the key, and the place of its newest row,
// which may be a tombstone. `wanted` is as in ScanOptions. REQUIRES: keys come in the table's order.
arrow::Status VisitRowsOfKeys(const std::shared_ptr<const Table>& table, const std::vector<std::string>& keys,
                              const std::vector<bool>& wanted, const StopToken& stop,
                              const std::function<void(size_t key, const ColumnBatch& batch, int64_t row)>& visit);

// The newest row of each key, which may be a tombstone; nothing where the table does not have the key. REQUIRES: as above.
template <typename Row>
arrow::Result<std::vector<std::optional<Row>>> FetchRows(const std::shared_ptr<const Table>& table,
                                                         const std::vector<std::string>& keys,
                                                         const std::vector<bool>& wanted, const StopToken& stop) {
  std::vector<std::optional<Row>> rows(keys.size());
  ARROW_RETURN_NOT_OK(VisitRowsOfKeys(
      table, keys, wanted, stop,
      [&rows](size_t key, const ColumnBatch& batch, int64_t row) { ReadFromBatch(batch, row, &rows[key].emplace()); }));
  return rows;
}

}  // namespace trawl
