// `trawl check warc`: whether a file is a WARC file from its first to its last byte, and where it first is not.
#include "jobs/check/warc.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "formats/digests/digest.h"
#include "formats/warc/reader.h"
#include "jobs/check/check.h"
#include "jobs/verb/exit_code.h"
#include "runtime/decode/payload_decoder.h"
#include "runtime/process/status_detail.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

struct WarcVerdict {
  int64_t records = 0;  // that could be read to their end, with a fault or without
  int64_t bytes = 0;
  struct Fault {
    int64_t offset = 0;
    std::string what;
  };
  std::optional<Fault> first_fault;
};

// Ids are unique within a file. Their hashes are remembered, for so many records that memory stays below some 100 MiB.
class KnownIds {
 public:
  bool IsNew(std::string_view id) {
    constexpr size_t kMost = 4'000'000;
    return seen_.size() >= kMost || seen_.insert(Hash64(id)).second;
  }

 private:
  std::unordered_set<uint64_t> seen_;
};

// Hands on what the source gives; *is_zip tells whether it begins as a ZIP does.
WarcReader::Source LookForZip(WarcReader::Source source, bool* is_zip) {
  return [source = std::move(source), is_zip, is_first = true]() mutable -> Result<std::string_view> {
    ARROW_ASSIGN_OR_RAISE(const std::string_view piece, source());
    if (is_first) *is_zip = piece.starts_with("PK\x03\x04") || piece.starts_with("PK\x05\x06");
    is_first = false;
    return piece;
  };
}

Result<WarcVerdict> JudgeWarc(WarcReader::Source source, const StopToken& stop) {
  bool is_zip = false;
  WarcReader reader(LookForZip(std::move(source), &is_zip), StrictWarcReading());
  WarcVerdict verdict;
  KnownIds ids;
  WarcRecord record;
  const auto fault = [&verdict](int64_t offset, std::string what) {
    if (!verdict.first_fault) verdict.first_fault = {offset, std::move(what)};
  };
  while (true) {
    ARROW_RETURN_NOT_OK(stop.Check());
    ARROW_ASSIGN_OR_RAISE(const bool has_record, reader.Next(&record));
    if (!has_record) break;
    if (!record.fault.empty()) fault(record.offset, record.fault);
    if (record.is_last) break;
    ++verdict.records;
    verdict.bytes = record.offset + record.length;
    const std::string_view id = record.Get("WARC-Record-ID");
    if (!ids.IsNew(id)) fault(record.offset, "its WARC-Record-ID is that of an earlier record: " + std::string(id));
  }
  if (verdict.records == 0 && is_zip) {
    verdict.first_fault = {0, "the file is a ZIP, as a WACZ is; unpack it, and check the files of its folder archive/"};
  }
  if (verdict.records == 0) fault(0, "the file has no record");
  return verdict;
}

// Reads a file piece by piece: archives are larger than memory.
Result<WarcReader::Source> OpenFile(const std::string& path) {
  if (path == "-") return UsageError("trawl check warc reads files, no standard input; name a file");
  if (path.find("://") != std::string::npos) {
    return UsageError("trawl check warc reads files of this machine; fetch ", path, " first, and name the file");
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return UsageError(path, ": is a folder; name the files in it");
  const auto file = std::make_shared<std::ifstream>(path, std::ios::binary);
  if (!*file || (file->peek(), file->bad())) return Status::IOError(path, ": cannot be read");
  constexpr size_t kPiece = size_t{1} << 20;
  const auto piece = std::make_shared<std::string>(kPiece, '\0');
  return [path, file, piece]() -> Result<std::string_view> {
    file->read(piece->data(), kPiece);
    if (file->bad()) return Status::IOError(path, ": cannot be read");
    return std::string_view(*piece).substr(0, static_cast<size_t>(file->gcount()));
  };
}

Json JsonOf(const WarcVerdict& verdict) {
  Json json = {{"valid", !verdict.first_fault}, {"records", verdict.records}, {"offset", nullptr}, {"fault", nullptr}};
  if (verdict.first_fault) {
    json["offset"] = verdict.first_fault->offset;
    json["fault"] = verdict.first_fault->what;
  }
  return json;
}

std::string TextOf(const std::string& path, const WarcVerdict& verdict) {
  const std::string records = ReadableCount(verdict.records, "record");
  if (!verdict.first_fault) return path + ": valid, " + records + ", " + ReadableSize(verdict.bytes) + "\n";
  const WarcVerdict::Fault& fault = *verdict.first_fault;
  return path + ": the record at " + std::to_string(fault.offset) + ": " + fault.what + "\n" + path + ": not valid; " +
         records + " could be read\n";
}

Result<Json> Answer(const Json& input) {
  ARROW_ASSIGN_OR_RAISE(const std::string file, CheckBytes(input, "body"));
  ARROW_ASSIGN_OR_RAISE(const WarcVerdict verdict, JudgeWarc(SourceOf(file), {}));
  return JsonOf(verdict);
}

}  // namespace

CheckKind WarcCheck() { return {"warc", "FILE…", Answer, {}}; }

Result<int> RunWarcChecks(VerbContext& context, const std::vector<std::string>& files) {
  const bool as_json = context.global.json;
  int exit_code = kExitDone;
  for (const std::string& file : files) {
    ARROW_ASSIGN_OR_RAISE(WarcReader::Source source, OpenFile(file));
    ARROW_ASSIGN_OR_RAISE(const WarcVerdict verdict, JudgeWarc(std::move(source), context.process.stop));
    if (verdict.first_fault) exit_code = kExitFailed;
    Json json = {{"file", file}};
    json.update(JsonOf(verdict));
    ARROW_RETURN_NOT_OK(context.Answer(as_json ? json : Json(), as_json ? "" : TextOf(file, verdict)));
  }
  return exit_code;
}

}  // namespace trawl
