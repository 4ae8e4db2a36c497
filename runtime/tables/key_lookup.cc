#include "runtime/tables/key_lookup.h"

#include <algorithm>

#include "formats/digests/digest.h"
#include "formats/tables/orc.h"
#include "formats/url/key.h"
#include "runtime/tables/sidecar_search.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

RowPlace LastPlace(const FileReceipt& file) { return {file.last_slot, file.last_key}; }
RowPlace FirstPlace(const FileReceipt& file) { return {file.first_slot, file.first_key}; }

}  // namespace

// The sidecars of one run, read forwards.
class KnownKeys::RunKeys {
 public:
  RunKeys(std::shared_ptr<const Table> table, size_t run)
      : table_(std::move(table)), number_(run), run_(table_->runs()[run]) {}

  Result<std::optional<KnownKey>> Locate(RowPlace place, uint64_t hash) {
    const auto& files = run_.record.files;
    while (file_ < files.size() && LastPlace(files[file_]) < place) {
      ++file_;
      sidecar_.reset();
    }
    if (file_ == files.size() || place < FirstPlace(files[file_])) return std::nullopt;
    if (sidecar_ == nullptr) {
      ARROW_ASSIGN_OR_RAISE(sidecar_, table_->OpenSidecar(run_, files[file_]));
      ARROW_RETURN_NOT_OK(LoadBlock(BlockHolding(*sidecar_, 0, place)));
    } else if (!(place < block_end_)) {
      ARROW_RETURN_NOT_OK(LoadBlock(BlockHolding(*sidecar_, block_number_, place)));
    }
    const int64_t row = block_.Find(hash);
    if (row < 0) return std::nullopt;
    return KnownKey{block_.entries[static_cast<size_t>(row)], number_, file_, block_.first_row + row};
  }

 private:
  Status LoadBlock(int64_t block) {
    block_number_ = block;
    block_end_ = block + 1 < sidecar_->blocks() ? FirstPlaceOfBlock(*sidecar_, block + 1) : RowPlace{kSlots, ""};
    return sidecar_->ReadBlock(block, &block_);
  }

  const std::shared_ptr<const Table> table_;
  const size_t number_;
  const Table::Run& run_;  // a run of table_
  size_t file_ = 0;
  std::unique_ptr<SidecarReader> sidecar_;  // sidecar of that file
  int64_t block_number_ = 0;
  RowPlace block_end_;
  SidecarBlock block_;
};

KnownKeys::KnownKeys(const std::shared_ptr<const Table>& table) {
  for (size_t run = table->runs().size(); run > 0; --run) runs_.push_back(std::make_unique<RunKeys>(table, run - 1));
}

KnownKeys::~KnownKeys() = default;

Result<std::optional<KnownKey>> KnownKeys::Locate(RowPlace place) {
  const uint64_t hash = Hash64(place.key);
  for (const auto& run : runs_) {
    ARROW_ASSIGN_OR_RAISE(const std::optional<KnownKey> known, run->Locate(place, hash));
    if (known) return known;
  }
  return std::nullopt;
}

Result<std::optional<SidecarEntry>> KnownKeys::Find(RowPlace place) {
  ARROW_ASSIGN_OR_RAISE(const std::optional<KnownKey> known, Locate(place));
  if (!known) return std::nullopt;
  return known->entry;
}

namespace {

Result<std::optional<RowBatch>> ReadRow(const Table& table, const Table::Run& run, const FileReceipt& file, int64_t row,
                                        std::string_view key) {
  ARROW_ASSIGN_OR_RAISE(const auto reader, table.OpenData(run, file));
  // Reads one batch from the row index's last entry up to the row.
  ARROW_RETURN_NOT_OK(reader->Scan(row, {}, kOrcStride));
  RowBatch found;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, reader->Next(&found.batch));
    if (!more) return Status::IOError(file.name, ": row ", row, " of its sidecar is not there");
    if (row < found.batch.first_row + found.batch.rows) break;
  }
  found.row = row - found.batch.first_row;
  const auto key_column = static_cast<size_t>(table.ColumnNumber("key"));
  if (found.batch.columns[key_column].GetBytes(found.row) != key) return std::nullopt;  // another key of the same hash
  return found;
}

// Returns the file of the run that can hold the place; null where no file can.
const FileReceipt* FileHolding(const Table::Run& run, RowPlace place) {
  const auto& files = run.record.files;
  const auto file = std::partition_point(files.begin(), files.end(),
                                         [place](const FileReceipt& receipt) { return LastPlace(receipt) < place; });
  return file == files.end() || place < FirstPlace(*file) ? nullptr : &*file;
}

// Returns the number of the row in its file, or -1; `block` is then the block that has it.
Result<int64_t> FindInSidecar(SidecarReader& sidecar, RowPlace place, uint64_t hash, SidecarBlock* block) {
  ARROW_ASSIGN_OR_RAISE(const bool may_contain, sidecar.MayContain(hash));
  if (!may_contain) return -1;
  ARROW_RETURN_NOT_OK(sidecar.ReadBlock(BlockHolding(sidecar, 0, place), block));
  return block->Find(hash);
}

}  // namespace

Result<std::optional<RowBatch>> FindRowBatch(const Table& table, std::string_view key) {
  const RowPlace place = {SlotOfKey(key), key};
  const uint64_t hash = Hash64(key);
  for (size_t i = table.runs().size(); i > 0; --i) {
    const Table::Run& run = table.runs()[i - 1];
    const FileReceipt* const file = FileHolding(run, place);
    if (file == nullptr) continue;
    ARROW_ASSIGN_OR_RAISE(const auto sidecar, table.OpenSidecar(run, *file));
    SidecarBlock block;
    ARROW_ASSIGN_OR_RAISE(const int64_t row, FindInSidecar(*sidecar, place, hash, &block));
    if (row < 0) continue;
    ARROW_ASSIGN_OR_RAISE(auto found, ReadRow(table, run, *file, block.first_row + row, key));
    if (found) return found;
  }
  return std::nullopt;
}

Result<SidecarReader*> KeyEntries::Open(const Table::Run& run, const FileReceipt& file) {
  const auto known = open_.find(&file);
  if (known != open_.end()) return known->second.get();
  if (open_.size() >= kMostOpen) open_.clear();
  ARROW_ASSIGN_OR_RAISE(auto sidecar, table_->OpenSidecar(run, file));
  return open_.emplace(&file, std::move(sidecar)).first->second.get();
}

Result<std::optional<SidecarEntry>> KeyEntries::Find(std::string_view key) {
  const RowPlace place = {SlotOfKey(key), key};
  const uint64_t hash = Hash64(key);
  for (size_t i = table_->runs().size(); i > 0; --i) {
    const Table::Run& run = table_->runs()[i - 1];
    const FileReceipt* const file = FileHolding(run, place);
    if (file == nullptr) continue;
    ARROW_ASSIGN_OR_RAISE(SidecarReader * sidecar, Open(run, *file));
    SidecarBlock block;
    ARROW_ASSIGN_OR_RAISE(const int64_t row, FindInSidecar(*sidecar, place, hash, &block));
    if (row >= 0) return block.entries[static_cast<size_t>(row)];
  }
  return std::nullopt;
}

}  // namespace trawl
