#include "formats/documents/archive_begin.h"

#include <cstdio>
#include <ctime>
#include <utility>

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

Json ListOf(const std::vector<FileReceipt>& receipts) {
  Json list = Json::array();
  for (const FileReceipt& receipt : receipts) list.push_back(ToJson(receipt));
  return list;
}

Result<std::vector<FileReceipt>> ReceiptsOf(const Json& json, const char* name) {
  std::vector<FileReceipt> receipts;
  ARROW_ASSIGN_OR_RAISE(const Json* list, GetArray(json, name));
  for (const Json& receipt : *list) {
    ARROW_ASSIGN_OR_RAISE(receipts.emplace_back(), FileReceiptFromJson(receipt));
  }
  return receipts;
}

}  // namespace

Json ToJson(const ArchiveBegin& begin) {
  Json segments = Json::array();
  for (const ArchiveSegment& segment : begin.segments) {
    segments.push_back({{"id", segment.id}, {"begin_ms", segment.begin_ms}, {"end_ms", segment.end_ms}});
  }
  return {{"name", begin.name},
          {"snapshot", begin.snapshot},
          {"snapshot_seal", begin.seal},
          {"as_of_ms", begin.as_of_ms},
          {"version", begin.version},
          {"segments", segments},
          {"earlier", begin.earlier},
          {"operator", begin.operator_contact},
          {"user_agent", begin.user_agent},
          {"robots", begin.robots},
          {"asked", begin.asked}};
}

Result<ArchiveBegin> ArchiveBeginFromJson(const Json& json) {
  ArchiveBegin begin;
  ARROW_ASSIGN_OR_RAISE(begin.name, GetString(json, "name"));
  ARROW_ASSIGN_OR_RAISE(begin.snapshot, GetInt(json, "snapshot"));
  ARROW_ASSIGN_OR_RAISE(begin.seal, GetString(json, "snapshot_seal"));
  ARROW_ASSIGN_OR_RAISE(begin.as_of_ms, GetInt(json, "as_of_ms"));
  ARROW_ASSIGN_OR_RAISE(begin.version, GetString(json, "version"));
  ARROW_ASSIGN_OR_RAISE(const Json* segments, GetArray(json, "segments"));
  for (const Json& segment : *segments) {
    ArchiveSegment& read = begin.segments.emplace_back();
    ARROW_ASSIGN_OR_RAISE(read.id, GetString(segment, "id"));
    ARROW_ASSIGN_OR_RAISE(read.begin_ms, GetInt(segment, "begin_ms"));
    ARROW_ASSIGN_OR_RAISE(read.end_ms, GetInt(segment, "end_ms"));
  }
  ARROW_ASSIGN_OR_RAISE(begin.earlier, GetStrings(json, "earlier"));
  ARROW_ASSIGN_OR_RAISE(begin.operator_contact, GetString(json, "operator"));
  ARROW_ASSIGN_OR_RAISE(begin.user_agent, GetString(json, "user_agent"));
  ARROW_ASSIGN_OR_RAISE(begin.robots, GetString(json, "robots"));
  ARROW_ASSIGN_OR_RAISE(const Json* asked, GetObject(json, "asked"));
  for (const auto& [name, text] : asked->items()) {
    if (!text.is_string()) return Status::Invalid("'asked.", name, "' is not a text");
    begin.asked[name] = text.get<std::string>();
  }
  return begin;
}

Json ToJson(const ArchiveFile& file) {
  return {{"path", file.path}, {"bytes", file.size_bytes}, {"sha256", file.sha256}, {"records", file.records}};
}

Result<ArchiveFile> ArchiveFileFromJson(const Json& json) {
  ArchiveFile file;
  ARROW_ASSIGN_OR_RAISE(file.path, GetString(json, "path"));
  ARROW_ASSIGN_OR_RAISE(file.size_bytes, GetInt(json, "bytes"));
  ARROW_ASSIGN_OR_RAISE(file.sha256, GetString(json, "sha256"));
  ARROW_ASSIGN_OR_RAISE(file.records, GetInt(json, "records"));
  return file;
}

Json ToJson(const ArchivePart& part) {
  Json files = Json::array();
  for (const ArchiveFile& file : part.files) files.push_back(ToJson(file));
  return {{"number", part.number},
          {"files", files},
          {"captures", ListOf(part.captures)},
          {"originals", ListOf(part.originals)},
          {"counts", part.counts}};
}

Result<ArchivePart> ArchivePartFromJson(const Json& json) {
  ArchivePart part;
  ARROW_ASSIGN_OR_RAISE(const int64_t number, GetInt(json, "number"));
  part.number = static_cast<int>(number);
  ARROW_ASSIGN_OR_RAISE(const Json* files, GetArray(json, "files"));
  for (const Json& file : *files) {
    ARROW_ASSIGN_OR_RAISE(part.files.emplace_back(), ArchiveFileFromJson(file));
  }
  ARROW_ASSIGN_OR_RAISE(part.captures, ReceiptsOf(json, "captures"));
  ARROW_ASSIGN_OR_RAISE(part.originals, ReceiptsOf(json, "originals"));
  ARROW_ASSIGN_OR_RAISE(const Json* counts, GetObject(json, "counts"));
  for (const auto& [name, count] : counts->items()) {
    if (!count.is_number_integer()) return Status::Invalid("'counts.", name, "' is not a number");
    part.counts[name] = count.get<int64_t>();
  }
  return part;
}

std::string Timestamp14(int64_t time_ms) {
  const std::time_t seconds = static_cast<std::time_t>(time_ms >= 0 ? time_ms / 1000 : (time_ms - 999) / 1000);
  std::tm parts = {};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y%m%d%H%M%S", &parts);
  return text;
}

std::string ArchivePaths::Part(int number) const {
  char name[32];
  std::snprintf(name, sizeof name, "/part-%05d.json", number);
  return Own() + name;
}

std::string ArchivePaths::WarcFile(const ArchiveSegment& segment, const std::string& subset, int part,
                                   int number) const {
  char serial[32];
  std::snprintf(serial, sizeof serial, "%05lld", static_cast<long long>(part) * 100 + number);
  return Data() + "/segments/" + segment.id + "/" + subset + "/" + name_ + "-" + Timestamp14(segment.begin_ms) + "-" +
         Timestamp14(segment.end_ms) + "-" + serial + (subset == "wet" ? ".warc.wet.gz" : ".warc.gz");
}

}  // namespace trawl
