#include "formats/documents/receipt.h"

#include "formats/documents/format_version.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int kRunFormat = 1;

Result<uint32_t> SlotFromJson(const Json& json, const char* name) {
  ARROW_ASSIGN_OR_RAISE(const int64_t slot, GetInt(json, name));
  if (slot < 0 || slot >= kSlots) return Status::Invalid("'", name, "' is not a slot");
  return static_cast<uint32_t>(slot);
}

}  // namespace

Json ToJson(const FileSeal& seal) {
  Json chunks = Json::array();
  for (const uint64_t digest : seal.chunk_digests) chunks.push_back(ToHex(digest));
  return {{"bytes", seal.size_bytes}, {"chunks", chunks}};
}

Result<FileSeal> FileSealFromJson(const Json& json) {
  FileSeal seal;
  ARROW_ASSIGN_OR_RAISE(seal.size_bytes, GetInt(json, "bytes"));
  ARROW_ASSIGN_OR_RAISE(const auto chunks, GetStrings(json, "chunks"));
  for (const std::string& chunk : chunks) {
    uint64_t digest = 0;
    if (!FromHex(chunk, &digest)) return Status::Invalid("'chunks' holds '", chunk, "', which is not a digest");
    seal.chunk_digests.push_back(digest);
  }
  if (seal.size_bytes < 0 || ChunkCount(seal.size_bytes) != static_cast<int64_t>(seal.chunk_digests.size())) {
    return Status::Invalid("'chunks' does not fit 'bytes'");
  }
  return seal;
}

std::string SidecarName(const std::string& file_name) {
  return "_" + file_name.substr(0, file_name.rfind('.')) + ".idx";
}

Json ToJson(const FileReceipt& receipt) {
  Json json = {{"name", receipt.name},
               {"rows", receipt.rows},
               {"removed", receipt.removed},
               {"digest", receipt.digest.ToHex()},
               {"first_slot", receipt.first_slot},
               {"last_slot", receipt.last_slot},
               {"first_key", receipt.first_key},
               {"last_key", receipt.last_key},
               {"data", ToJson(receipt.seal)}};
  if (receipt.sidecar.size_bytes > 0) json["sidecar"] = ToJson(receipt.sidecar);
  if (!receipt.small_sidecar.empty()) json["small_sidecar"] = ToHex(std::string_view(receipt.small_sidecar));
  return json;
}

Result<FileReceipt> FileReceiptFromJson(const Json& json) {
  FileReceipt receipt;
  ARROW_ASSIGN_OR_RAISE(receipt.name, GetString(json, "name"));
  ARROW_ASSIGN_OR_RAISE(receipt.rows, GetInt(json, "rows"));
  ARROW_ASSIGN_OR_RAISE(receipt.removed, GetInt(json, "removed"));
  ARROW_ASSIGN_OR_RAISE(const std::string digest, GetString(json, "digest"));
  if (!DigestSum::FromHex(digest, &receipt.digest)) return Status::Invalid("'digest' is not a digest");
  ARROW_ASSIGN_OR_RAISE(receipt.first_slot, SlotFromJson(json, "first_slot"));
  ARROW_ASSIGN_OR_RAISE(receipt.last_slot, SlotFromJson(json, "last_slot"));
  ARROW_ASSIGN_OR_RAISE(receipt.first_key, GetString(json, "first_key"));
  ARROW_ASSIGN_OR_RAISE(receipt.last_key, GetString(json, "last_key"));
  ARROW_ASSIGN_OR_RAISE(const Json* data, GetObject(json, "data"));
  ARROW_ASSIGN_OR_RAISE(receipt.seal, FileSealFromJson(*data));
  if (HasMember(json, "sidecar")) {
    ARROW_ASSIGN_OR_RAISE(const Json* sidecar, GetObject(json, "sidecar"));
    ARROW_ASSIGN_OR_RAISE(receipt.sidecar, FileSealFromJson(*sidecar));
  }
  if (HasMember(json, "small_sidecar")) {
    ARROW_ASSIGN_OR_RAISE(const std::string sidecar, GetString(json, "small_sidecar"));
    if (!FromHex(sidecar, &receipt.small_sidecar)) return Status::Invalid("'small_sidecar' is not hexadecimal");
  }
  return receipt;
}

int64_t RunRecord::rows() const {
  int64_t sum = 0;
  for (const FileReceipt& file : files) sum += file.rows;
  return sum;
}

int64_t RunRecord::removed() const {
  int64_t sum = 0;
  for (const FileReceipt& file : files) sum += file.removed;
  return sum;
}

int64_t RunRecord::bytes() const {
  int64_t sum = 0;
  for (const FileReceipt& file : files) sum += file.seal.size_bytes + file.sidecar.size_bytes;
  return sum;
}

DigestSum RunRecord::digest() const {
  DigestSum sum;
  for (const FileReceipt& file : files) sum.Add(file.digest);
  return sum;
}

Json ToJson(const RunRecord& record) {
  Json files = Json::array();
  for (const FileReceipt& file : record.files) files.push_back(ToJson(file));
  return {
      {"format", kRunFormat},  {"table", record.table},       {"schema", record.schema},           {"job", record.job},
      {"rows", record.rows()}, {"removed", record.removed()}, {"digest", record.digest().ToHex()}, {"files", files}};
}

Result<RunRecord> RunRecordFromJson(const Json& json) {
  RunRecord record;
  ARROW_ASSIGN_OR_RAISE(const int64_t format, GetInt(json, "format"));
  ARROW_RETURN_NOT_OK(CheckFormat(format, kRunFormat));
  ARROW_ASSIGN_OR_RAISE(record.table, GetString(json, "table"));
  ARROW_ASSIGN_OR_RAISE(const int64_t schema, GetInt(json, "schema"));
  record.schema = static_cast<int>(schema);
  ARROW_ASSIGN_OR_RAISE(record.job, GetString(json, "job"));
  ARROW_ASSIGN_OR_RAISE(const Json* files, GetArray(json, "files"));
  for (const Json& file : *files) {
    ARROW_ASSIGN_OR_RAISE(FileReceipt receipt, FileReceiptFromJson(file));
    record.files.push_back(std::move(receipt));
  }
  ARROW_ASSIGN_OR_RAISE(const int64_t rows, GetInt(json, "rows"));
  ARROW_ASSIGN_OR_RAISE(const std::string digest, GetString(json, "digest"));
  if (rows != record.rows() || digest != record.digest().ToHex()) {
    return Status::Invalid("its files do not add up to its rows and digest");
  }
  return record;
}

Json ToJson(const std::vector<RunRecord>& records) {
  Json runs = Json::array();
  for (const RunRecord& record : records) runs.push_back(ToJson(record));
  return {{"format", kRunFormat}, {"runs", runs}};
}

Result<std::vector<RunRecord>> RunRecordsFromJson(const Json& json) {
  ARROW_ASSIGN_OR_RAISE(const int64_t format, GetInt(json, "format"));
  ARROW_RETURN_NOT_OK(CheckFormat(format, kRunFormat));
  ARROW_ASSIGN_OR_RAISE(const Json* runs, GetArray(json, "runs"));
  std::vector<RunRecord> records;
  for (const Json& run : *runs) {
    ARROW_ASSIGN_OR_RAISE(RunRecord record, RunRecordFromJson(run));
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace trawl
