#include "runtime/tables/table.h"

#include "arrow/buffer.h"
#include "arrow/io/memory.h"
#include "arrow/util/logging.h"
#include "runtime/root/layout.h"
#include "runtime/root/snapshot.h"
#include "runtime/store/check_stored.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// A merge holds one data file of each run open: this is enough for the current stripe, which is far smaller on disk
// than the 16 MiB it takes in memory.
constexpr BlockCacheOptions kDataCache = {.block_bytes = 0, .capacity_bytes = int64_t{8} << 20};
constexpr BlockCacheOptions kSidecarCache = {.block_bytes = 0, .capacity_bytes = int64_t{4} << 20};

}  // namespace

Result<std::shared_ptr<const Table>> Table::Open(Store* store, const Manifest& manifest, const char* name, int version,
                                                 std::vector<ColumnSpec> columns) {
  const auto found = manifest.tables.find(name);
  const std::vector<RunReference> none;
  return OpenRuns(store, found == manifest.tables.end() ? none : found->second, name, version, std::move(columns));
}

Result<std::shared_ptr<const Table>> Table::OpenRuns(Store* store, const std::vector<RunReference>& runs,
                                                     const char* name, int version, std::vector<ColumnSpec> columns) {
  auto table = std::make_shared<Table>();
  table->store_ = store;
  table->name_ = name;
  table->columns_ = std::move(columns);
  for (const RunReference& reference : runs) {
    ARROW_ASSIGN_OR_RAISE(RunRecord record, ReadRunRecord(store, table->name_, reference));
    if (record.schema > version) {
      return Status::IOError(RunRecordPath(table->name_, reference.run), ": has schema ", record.schema,
                             ", but this program knows schemas up to ", version, "; use a newer trawl");
    }
    // Jobs that read only sidecars would otherwise build on data that nobody can read any more.
    ARROW_RETURN_NOT_OK(CheckStored(store, RunFolder(table->name_, reference.run), record.files, "",
                                    "is missing, though the record of its run names it"));
    table->runs_.push_back({reference, std::move(record)});
  }
  return table;
}

int64_t Table::stored_rows() const {
  int64_t rows = 0;
  for (const Run& run : runs_) rows += run.reference.rows;
  return rows;
}

int Table::ColumnNumber(std::string_view column) const {
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].name == column) return static_cast<int>(i);
  }
  return -1;
}

Result<std::unique_ptr<OrcReader>> Table::OpenData(const Run& run, const FileReceipt& file) const {
  const std::string path = RunFilePath(name_, run.reference.run, file.name);
  ARROW_ASSIGN_OR_RAISE(auto bytes, store_->OpenVerified(path, file.seal, kDataCache));
  ARROW_ASSIGN_OR_RAISE(auto reader, OrcReader::Open(std::move(bytes), path, columns_));
  if (reader->rows() != file.rows) {
    return Status::IOError(path, ": has ", reader->rows(), " rows, its receipt says ", file.rows);
  }
  return reader;
}

Result<std::unique_ptr<SidecarReader>> Table::OpenSidecar(const Run& run, const FileReceipt& file) const {
  const std::string path = RunFilePath(name_, run.reference.run, SidecarName(file.name));
  std::shared_ptr<arrow::io::RandomAccessFile> bytes;
  if (!file.small_sidecar.empty()) {
    bytes = std::make_shared<arrow::io::BufferReader>(arrow::Buffer::FromString(file.small_sidecar));
  } else {
    ARROW_ASSIGN_OR_RAISE(bytes, store_->OpenVerified(path, file.sidecar, kSidecarCache));
  }
  ARROW_ASSIGN_OR_RAISE(auto reader, SidecarReader::Open(std::move(bytes), path));
  if (reader->rows() != file.rows) {
    return Status::IOError(path, ": has ", reader->rows(), " rows, its data file ", file.rows);
  }
  ARROW_RETURN_NOT_OK(reader->LoadFirstKeys());
  return reader;
}

}  // namespace trawl
