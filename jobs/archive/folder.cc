#include "jobs/archive/folder.h"

#include <algorithm>
#include <utility>

#include "formats/documents/sealed_json.h"
#include "jobs/capture/plan_facts.h"
#include "jobs/cdxindex/success.h"
#include "runtime/process/status_detail.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kTopBegin[] = "_archive.json";
constexpr char kTopEnd[] = "_SUCCESS";
constexpr int64_t kMaxDocumentBytes = int64_t{1} << 30;

Result<std::optional<Json>> ReadDocument(Store* to, const std::string& path) {
  const Result<std::string> text = to->ReadWhole(path, kMaxDocumentBytes);
  if (!text.ok() && IsNotFound(text.status())) return std::nullopt;
  ARROW_RETURN_NOT_OK(text.status());
  ARROW_ASSIGN_OR_RAISE(Json json, OpenSealedJson(*text, path));
  return json;
}

Status CreateDocument(Store* to, const std::string& path, const Json& json) {
  const std::string text = SealJson(json);
  ARROW_RETURN_NOT_OK(to->CreateExclusive(path, text).status());
  ARROW_ASSIGN_OR_RAISE(const std::string there, to->ReadWhole(path, kMaxDocumentBytes));
  return there == text
             ? Status::OK()
             : ConflictError(to->Describe(), "/", path, " was written by another trawl archive; run it again");
}

// Puts the text in the place of what is there.
Status Replace(Store* to, const char* path, const std::string& text) {
  const Result<std::string> there = to->ReadWhole(path, kMaxDocumentBytes);
  if (there.ok() && *there == text) return Status::OK();
  ARROW_RETURN_NOT_OK(to->Remove(path));
  return to->CreateExclusive(path, text).status();
}

Json ToJson(const ArchiveEnd& end) {
  Json files = Json::array();
  for (const ArchiveFile& file : end.files) files.push_back(ToJson(file));
  return {{"counts", end.counts},
          {"files", files},
          {"captures", ToJson(end.captures)},
          {"originals", ToJson(end.originals)}};
}

Result<ArchiveEnd> EndFromJson(const Json& json) {
  ArchiveEnd end;
  ARROW_ASSIGN_OR_RAISE(const Json* counts, GetObject(json, "counts"));
  for (const auto& [name, count] : counts->items()) {
    ARROW_ASSIGN_OR_RAISE(end.counts[name], GetInt(*counts, name.c_str()));
  }
  ARROW_ASSIGN_OR_RAISE(const Json* files, GetArray(json, "files"));
  for (const Json& file : *files) {
    ARROW_ASSIGN_OR_RAISE(end.files.emplace_back(), ArchiveFileFromJson(file));
  }
  ARROW_ASSIGN_OR_RAISE(const Json* captures, GetArray(json, "captures"));
  ARROW_ASSIGN_OR_RAISE(end.captures, FileReceiptsFromJson(*captures));
  ARROW_ASSIGN_OR_RAISE(const Json* originals, GetArray(json, "originals"));
  ARROW_ASSIGN_OR_RAISE(end.originals, FileReceiptsFromJson(*originals));
  return end;
}

Status Named(const Status& status, Store* to, const std::string& path) {
  return status.ok() ? status : status.WithMessage(to->Describe(), "/", path, ": ", status.message());
}

}  // namespace

Json CountsOf(const ArchiveEnd& end, const std::string& kind) {
  Json counts = Json::object();
  for (const auto& [name, count] : end.counts) {
    if (name.starts_with(kind + ".")) counts[name.substr(kind.size() + 1)] = count;
  }
  return counts;
}

Result<ArchiveFolder> ArchiveFolder::Read(Store* to) {
  ArchiveFolder folder(to);
  ARROW_ASSIGN_OR_RAISE(const auto own, to->List(ArchivePaths::Folder(), /*recursive=*/false));
  for (const StoreEntry& entry : own) {
    if (!entry.is_folder) continue;
    const std::string name = entry.path.substr(entry.path.rfind('/') + 1);
    const ArchivePaths paths(name);
    ARROW_ASSIGN_OR_RAISE(const std::optional<Json> begin, ReadDocument(to, paths.Begin()));
    if (!begin) continue;  // it was being removed
    KnownArchive archive;
    const Result<ArchiveBegin> begun = ArchiveBeginFromJson(*begin);
    ARROW_RETURN_NOT_OK(Named(begun.status(), to, paths.Begin()));
    archive.begin = *begun;
    ARROW_ASSIGN_OR_RAISE(const std::optional<Json> end, ReadDocument(to, paths.End()));
    if (end) {
      Result<ArchiveEnd> ended = EndFromJson(*end);
      ARROW_RETURN_NOT_OK(Named(ended.status(), to, paths.End()));
      archive.end = std::move(*ended);
    }
    folder.archives_[name] = std::move(archive);
  }
  return folder;
}

Status ArchiveFolder::CheckOwnFolder() const {
  if (!archives_.empty()) return Status::OK();
  // Whoever removes a NAME removes its data first.
  ARROW_ASSIGN_OR_RAISE(const auto data, to_->List("crawl-data", /*recursive=*/false));
  if (data.empty()) return Status::OK();
  for (const char* const top : {kTopBegin, kTopEnd}) {
    ARROW_ASSIGN_OR_RAISE(const bool is_there, to_->Exists(top));
    if (!is_there) continue;
    return Status::IOError(to_->Describe(), " has ", top, " and crawl-data/, but _trawl/ is missing",
                           ", without which nothing can be checked or added; copy _trawl/ back, too, then run the "
                           "same command again");
  }
  return Status::OK();
}

Status ArchiveFolder::CheckMayArchive() const {
  if (!archives_.empty()) return Status::OK();
  ARROW_RETURN_NOT_OK(CheckOwnFolder());
  ARROW_ASSIGN_OR_RAISE(const auto own, to_->List(ArchivePaths::Folder(), /*recursive=*/false));
  if (!own.empty()) return Status::OK();  // a NAME was being removed
  ARROW_ASSIGN_OR_RAISE(const auto entries, to_->List("", /*recursive=*/false));
  // A process that was killed may have come as far as an empty folder of our own.
  const auto is_own = [](const StoreEntry& entry) { return entry.is_folder && entry.path == ArchivePaths::Folder(); };
  if (std::all_of(entries.begin(), entries.end(), is_own)) return Status::OK();
  return UsageError(to_->Describe(), " is not empty and has no archive in it; choose another folder");
}

const KnownArchive* ArchiveFolder::Find(const std::string& name) const {
  const auto found = archives_.find(name);
  return found == archives_.end() ? nullptr : &found->second;
}

Status ArchiveFolder::Begin(const ArchiveBegin& begin) {
  ARROW_RETURN_NOT_OK(to_->Remove(kTopEnd));
  ARROW_RETURN_NOT_OK(CreateDocument(to_, ArchivePaths(begin.name).Begin(), ToJson(begin)));
  archives_[begin.name] = {.begin = begin, .end = std::nullopt};
  return WriteTop();
}

Status ArchiveFolder::End(const std::string& name, ArchiveEnd end) {
  ARROW_RETURN_NOT_OK(CreateDocument(to_, ArchivePaths(name).End(), ToJson(end)));
  archives_[name].end = std::move(end);
  return WriteTop();
}

Status ArchiveFolder::Remove(const std::string& name) {
  ARROW_RETURN_NOT_OK(Reset(name));
  ARROW_RETURN_NOT_OK(to_->RemoveFolder(ArchivePaths(name).Own()));
  archives_.erase(name);
  return Status::OK();
}

Status ArchiveFolder::Reset(const std::string& name) {
  const ArchivePaths paths(name);
  ARROW_RETURN_NOT_OK(to_->Remove(kTopEnd));
  ARROW_RETURN_NOT_OK(to_->Remove(paths.End()));
  ARROW_RETURN_NOT_OK(to_->RemoveFolder(paths.Data()));
  ARROW_RETURN_NOT_OK(to_->RemoveFolder("cc-index/collections/" + name));
  ARROW_RETURN_NOT_OK(to_->RemoveFolder("cc-index/table/trawl/warc/crawl=" + name));
  ARROW_ASSIGN_OR_RAISE(const auto own, to_->List(paths.Own(), /*recursive=*/false));
  for (const StoreEntry& entry : own) {
    if (entry.path == paths.Begin()) continue;
    ARROW_RETURN_NOT_OK(entry.is_folder ? to_->RemoveFolder(entry.path) : to_->Remove(entry.path));
  }
  archives_[name].end.reset();
  return Status::OK();
}

Status ArchiveFolder::WriteTop() {
  Json begun = Json::array();
  std::vector<FinishedArchive> finished;
  for (const auto& [name, archive] : archives_) {
    Json begin = ToJson(archive.begin);
    begin["finished"] = archive.end.has_value();
    begun.push_back(std::move(begin));
    if (!archive.end) continue;
    FinishedArchive& one = finished.emplace_back();
    one = {.name = name, .counts = Json::object(), .files = archive.end->files};
    for (const char* const kind : {"records", "captures", "skipped"}) one.counts[kind] = CountsOf(*archive.end, kind);
  }
  ARROW_RETURN_NOT_OK(Replace(to_, kTopBegin, SealJson({{"archives", begun}})));
  if (finished.size() < archives_.size()) return to_->Remove(kTopEnd);
  if (WriteSuccess(to_, finished).ok()) return Status::OK();
  // It tells of fewer names.
  ARROW_RETURN_NOT_OK(to_->Remove(kTopEnd));
  return WriteSuccess(to_, finished);
}

Result<std::vector<std::string>> ArchiveFolder::FaultsOfTop() const {
  std::vector<std::string> faults;
  std::map<std::string, bool> expected, there;  // whether a NAME is finished
  bool is_finished = true;
  for (const auto& [name, archive] : archives_) {
    expected[name] = archive.end.has_value();
    is_finished = is_finished && archive.end;
  }
  const Result<std::optional<Json>> begun = ReadDocument(to_, kTopBegin);
  if (!begun.ok()) {
    faults.push_back(begun.status().message());
  } else if (!*begun) {
    faults.push_back(std::string(kTopBegin) + ": is missing");
  } else {
    for (const Json& one : (*begun)->value("archives", Json::array())) {
      there[one.value("name", "")] = one.value("finished", false);
    }
    if (there != expected) faults.push_back(std::string(kTopBegin) + ": tells of other names than those of the folder");
  }
  ARROW_ASSIGN_OR_RAISE(const bool is_ended, to_->Exists(kTopEnd));
  if (is_ended != is_finished) {
    faults.push_back(std::string(kTopEnd) + (is_ended ? ": is there, though a name is unfinished"
                                                      : ": is missing, though all names are finished"));
    return faults;
  }
  if (!is_ended) return faults;
  const Result<std::vector<FinishedArchive>> ended = ReadSuccess(to_);
  if (!ended.ok()) {
    faults.push_back(ended.status().message());
    return faults;
  }
  const auto is_told_of = [](const FinishedArchive& one, const auto& known) {
    return one.name == known.first && one.files == known.second.end->files;
  };
  if (!std::equal(ended->begin(), ended->end(), archives_.begin(), archives_.end(), is_told_of)) {
    faults.push_back(std::string(kTopEnd) + ": tells of other files than the names of the folder have");
  }
  return faults;
}

Result<std::optional<std::vector<FileReceipt>>> ReadDecisions(Store* to, const std::string& name) {
  ARROW_ASSIGN_OR_RAISE(const std::optional<Json> json, ReadDocument(to, ArchivePaths(name).Bodies()));
  if (!json) return std::nullopt;
  ARROW_ASSIGN_OR_RAISE(const Json* files, GetArray(*json, "revisits"));
  ARROW_ASSIGN_OR_RAISE(std::vector<FileReceipt> receipts, FileReceiptsFromJson(*files));
  ARROW_ASSIGN_OR_RAISE(const auto entries, to->List(ArchivePaths(name).Revisits(), /*recursive=*/false));
  const bool is_whole = std::all_of(receipts.begin(), receipts.end(), [&](const FileReceipt& receipt) {
    return std::any_of(entries.begin(), entries.end(), [&](const StoreEntry& entry) {
      return entry.path.ends_with("/" + receipt.name) && entry.size_bytes == receipt.seal.size_bytes;
    });
  });
  if (is_whole) return receipts;
  ARROW_RETURN_NOT_OK(to->Remove(ArchivePaths(name).Bodies()));
  return std::nullopt;
}

Status WriteDecisions(Store* to, const std::string& name, const std::vector<FileReceipt>& files) {
  return CreateDocument(to, ArchivePaths(name).Bodies(), {{"revisits", ToJson(files)}});
}

Result<std::map<int, ArchivePart>> ReadWholeParts(Store* to, const std::string& name) {
  const ArchivePaths paths(name);
  std::map<std::string, int64_t> sizes;
  std::vector<std::string> receipts;
  for (const std::string& folder : {paths.Own(), paths.Data()}) {
    ARROW_ASSIGN_OR_RAISE(const auto entries, to->List(folder, /*recursive=*/true));
    for (const StoreEntry& entry : entries) {
      if (entry.is_folder) continue;
      sizes[entry.path] = entry.size_bytes;
      const bool is_receipt = entry.path.starts_with(paths.Own() + "/part-") && entry.path.ends_with(".json");
      if (is_receipt) receipts.push_back(entry.path);
    }
  }
  std::map<int, ArchivePart> parts;
  for (const std::string& path : receipts) {
    ARROW_ASSIGN_OR_RAISE(const std::optional<Json> json, ReadDocument(to, path));
    if (!json) continue;
    Result<ArchivePart> part = ArchivePartFromJson(*json);
    ARROW_RETURN_NOT_OK(Named(part.status(), to, path));
    std::vector<std::pair<std::string, int64_t>> files;
    for (const ArchiveFile& file : part->files) files.emplace_back(file.path, file.size_bytes);
    for (const FileReceipt& file : part->captures) {
      files.emplace_back(paths.Captures() + "/" + file.name, file.seal.size_bytes);
    }
    for (const FileReceipt& file : part->originals) {
      files.emplace_back(paths.Originals() + "/" + file.name, file.seal.size_bytes);
    }
    const bool is_whole = std::all_of(files.begin(), files.end(), [&sizes](const auto& file) {
      const auto there = sizes.find(file.first);
      return there != sizes.end() && there->second == file.second;
    });
    if (is_whole) {
      parts[part->number] = std::move(*part);
      continue;
    }
    ARROW_RETURN_NOT_OK(to->Remove(path));
    for (const auto& [file, size] : files) ARROW_RETURN_NOT_OK(to->Remove(file));
  }
  return parts;
}

}  // namespace trawl
