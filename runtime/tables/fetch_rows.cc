#include "runtime/tables/fetch_rows.h"

#include "formats/url/key.h"
#include "runtime/tables/known_rows.h"

namespace trawl {

using arrow::Status;

namespace {

struct Wanted {
  size_t number = 0;  // of the key
  KnownKey known;
};

}  // namespace

Status VisitRowsOfKeys(const std::shared_ptr<const Table>& table, const std::vector<std::string>& keys,
                       const std::vector<bool>& wanted, const StopToken& stop,
                       const std::function<void(size_t key, const ColumnBatch& batch, int64_t row)>& visit) {
  std::vector<std::vector<Wanted>> of_run(table->runs().size());
  {
    KnownKeys known(table);
    for (size_t i = 0; i < keys.size(); ++i) {
      ARROW_ASSIGN_OR_RAISE(const std::optional<KnownKey> key, known.Locate({SlotOfKey(keys[i]), keys[i]}));
      if (key) of_run[key->run].push_back({i, *key});
    }
  }
  const auto key_column = static_cast<size_t>(table->ColumnNumber("key"));
  std::vector<bool> columns = wanted;
  if (!columns.empty()) columns[key_column] = true;
  for (const std::vector<Wanted>& rows : of_run) {
    KnownRowBatches batches(table, columns);
    for (const Wanted& row : rows) {
      ARROW_RETURN_NOT_OK(stop.Check());
      ARROW_ASSIGN_OR_RAISE(const ColumnBatch* const batch, batches.Load(row.known));
      const int64_t at = row.known.row - batch->first_row;
      if (batch->columns[key_column].GetBytes(at) == keys[row.number]) {
        visit(row.number, *batch, at);
        continue;
      }
      // The run has another key of the same hash.
      ARROW_ASSIGN_OR_RAISE(const std::optional<RowBatch> found, FindRowBatch(*table, keys[row.number]));
      if (found) visit(row.number, found->batch, found->row);
    }
  }
  return Status::OK();
}

}  // namespace trawl
