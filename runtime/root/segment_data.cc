#include "runtime/root/segment_data.h"

#include <limits>

#include "arrow/io/interfaces.h"
#include "formats/documents/format_version.h"
#include "formats/documents/sealed_json.h"
#include "formats/rows/catalog.h"
#include "runtime/root/layout.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kMaxRecordBytes = int64_t{1} << 30;
constexpr BlockCacheOptions kDatasetCache = {.block_bytes = 0, .capacity_bytes = int64_t{8} << 20};

// Returns the newest version of a dataset's rows that this program reads. It reads no rows of an unknown dataset, so any
// version of that passes.
int KnownSchema(const std::string& dataset) {
  const std::optional<Dataset> known = FindDataset(dataset);
  return known ? known->version : std::numeric_limits<int>::max();
}

Status CheckRecord(const StepRecord& record, const std::string& segment, const std::string& step) {
  if (record.segment != segment || record.step != step) {
    return Status::Invalid("is the record of ", record.step, " of segment ", record.segment, ", not of ", step, " of ",
                           segment);
  }
  for (const auto& [dataset, schema] : record.schemas) {
    const Status known = CheckFormat(schema, KnownSchema(dataset));
    if (!known.ok()) return Status::Invalid("dataset ", dataset, " ", known.message());
  }
  return Status::OK();
}

Result<StepRecord> ParseRecord(const std::string& path, const std::string& text, const std::string& segment,
                               const std::string& step) {
  ARROW_ASSIGN_OR_RAISE(const Json json, OpenSealedJson(text, path));
  const Result<StepRecord> record = StepRecordFromJson(json);
  const Status sound = record.ok() ? CheckRecord(*record, segment, step) : record.status();
  return sound.ok() ? record : Status::IOError(path, ": ", sound.message());
}

}  // namespace

Result<std::optional<StepRecord>> ReadStep(Store* store, const std::string& segment, const std::string& step) {
  const std::string path = DatasetRecordPath(segment, step);
  const Result<std::string> text = store->ReadWhole(path, kMaxRecordBytes);
  if (!text.ok() && IsNotFound(text.status())) return std::nullopt;
  ARROW_RETURN_NOT_OK(text.status());
  ARROW_ASSIGN_OR_RAISE(StepRecord record, ParseRecord(path, *text, segment, step));
  return record;
}

Result<StepRecord> ReadLists(Store* store, const std::string& segment, const std::string& job,
                             const std::string& seal) {
  const std::string path = ListsRecordPath(segment, job);
  ARROW_ASSIGN_OR_RAISE(const std::string text, store->ReadWhole(path, kMaxRecordBytes));
  if (SealOfText(text) != seal) return Status::IOError(path, ": is not what the snapshot names");
  return ParseRecord(path, text, segment, kGenerateStep);
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
