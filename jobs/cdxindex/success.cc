#include "jobs/cdxindex/success.h"

#include <utility>

#include "formats/documents/sealed_json.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kSuccess[] = "_SUCCESS";
constexpr int64_t kMaxSuccessBytes = int64_t{1} << 30;

}  // namespace

Status WriteSuccess(Store* to, const std::vector<FinishedArchive>& archives) {
  Json list = Json::array();
  for (const FinishedArchive& archive : archives) {
    Json one = {{"name", archive.name}};
    for (const auto& [name, counts] : archive.counts.items()) one[name] = counts;
    one["files"] = Json::array();
    for (const ArchiveFile& file : archive.files) one["files"].push_back(ToJson(file));
    list.push_back(std::move(one));
  }
  const std::string text = SealJson({{"archives", std::move(list)}});
  const Result<CreateOutcome> outcome = to->CreateExclusive(kSuccess, text);
  if (outcome.ok() && *outcome == CreateOutcome::kCreated) return Status::OK();
  // The reply may have been lost.
  const Result<std::string> there = to->ReadWhole(kSuccess, static_cast<int64_t>(text.size()));
  if (there.ok() && *there == text) return Status::OK();
  return outcome.ok() ? Status::IOError(kSuccess, ": exists already") : outcome.status();
}

Result<std::vector<FinishedArchive>> ReadSuccess(Store* to) {
  const Result<std::string> text = to->ReadWhole(kSuccess, kMaxSuccessBytes);
  if (!text.ok() && IsNotFound(text.status())) return std::vector<FinishedArchive>();
  ARROW_RETURN_NOT_OK(text.status());
  ARROW_ASSIGN_OR_RAISE(const Json json, OpenSealedJson(*text, kSuccess));
  ARROW_ASSIGN_OR_RAISE(const Json* list, GetArray(json, "archives"));
  std::vector<FinishedArchive> archives;
  for (const Json& one : *list) {
    FinishedArchive& archive = archives.emplace_back();
    ARROW_ASSIGN_OR_RAISE(archive.name, GetString(one, "name"));
    ARROW_ASSIGN_OR_RAISE(const Json* files, GetArray(one, "files"));
    for (const Json& file : *files) {
      ARROW_ASSIGN_OR_RAISE(archive.files.emplace_back(), ArchiveFileFromJson(file));
    }
    for (const auto& [name, counts] : one.items()) {
      if (name != "name" && name != "files") archive.counts[name] = counts;
    }
  }
  return archives;
}

}  // namespace trawl
