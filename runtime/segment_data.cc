#include "runtime/segment_data.h"

#include <algorithm>

#include "arrow/io/interfaces.h"
#include "formats/sealed_json.h"
#include "runtime/layout.h"
#include "runtime/store_status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kMaxRecordBytes = int64_t{1} << 30;
constexpr BlockCacheOptions kDatasetCache = {.block_bytes = 0, .capacity_bytes = int64_t{8} << 20};

Result<StepRecord> ParseRecord(const std::string& path, const std::string& text) {
  ARROW_ASSIGN_OR_RAISE(const Json json, OpenSealedJson(text, path));
  Result<StepRecord> record = StepRecordFromJson(json);
  return record.ok() ? record : Status::IOError(path, ": ", record.status().message());
}

}  // namespace

Result<std::optional<StepRecord>> ReadStep(Store* store, const std::string& segment, const std::string& step) {
  const std::string path = DatasetRecordPath(segment, step);
  const Result<std::string> text = store->ReadWhole(path, kMaxRecordBytes);
  if (!text.ok() && IsNotFound(text.status())) return std::nullopt;
  ARROW_RETURN_NOT_OK(text.status());
  ARROW_ASSIGN_OR_RAISE(StepRecord record, ParseRecord(path, *text));
  return record;
}

Result<StepRecord> ReadLists(Store* store, const std::string& segment, const std::string& job,
                             const std::string& seal) {
  const std::string path = ListsRecordPath(segment, job);
  ARROW_ASSIGN_OR_RAISE(const std::string text, store->ReadWhole(path, kMaxRecordBytes));
  if (SealOfText(text) != seal) return Status::IOError(path, ": is not what the snapshot names");
  return ParseRecord(path, text);
}

Result<std::unique_ptr<OrcReader>> OpenDatasetFile(Store* store, const std::string& segment, const std::string& dataset,
                                                   const FileReceipt& file, std::vector<ColumnSpec> columns) {
  const std::string path = DatasetFilePath(segment, dataset, file.name);
  ARROW_ASSIGN_OR_RAISE(auto bytes, store->OpenVerified(path, file.seal, kDatasetCache));
  ARROW_ASSIGN_OR_RAISE(auto reader, OrcReader::Open(std::move(bytes), path, std::move(columns)));
  if (reader->rows() != file.rows) {
    return Status::IOError(path, ": has ", reader->rows(), " rows, its receipt says ", file.rows);
  }
  return reader;
}

}  // namespace trawl
