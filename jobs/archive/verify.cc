#include "jobs/archive/verify.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "arrow/buffer.h"
#include "arrow/io/interfaces.h"
#include "formats/digests/digest.h"
#include "formats/warc/reader.h"
#include "jobs/archive/stored_files.h"
#include "runtime/process/status_detail.h"
#include "runtime/store/status.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kMostFaults = 100;
constexpr int64_t kPieceBytes = int64_t{1} << 20;

// A record that another one names, and who does.
struct Reference {
  uint64_t id = 0;
  uint64_t place = 0;  // where it is named: the number of the file, and below it that of the record
  auto operator<=>(const Reference&) const = default;
};

class Verification {
 public:
  Verification(Store* to, const StopToken& stop) : to_(*to), stop_(stop) {}

  Status Run(const ArchiveFolder& folder) {
    ARROW_RETURN_NOT_OK(LookForLostNames(folder));
    for (const auto& [name, archive] : folder.archives()) {
      if (!archive.end) {
        verdict_.unfinished.push_back(name);
        continue;
      }
      verdict_.finished.push_back(name);
      verdict_.referred_to.insert(archive.begin.earlier.begin(), archive.begin.earlier.end());
      ARROW_RETURN_NOT_OK(ReadArchive(name, *archive.end));
    }
    CheckReferences();
    ARROW_RETURN_NOT_OK(LookForOthers(folder));
    ARROW_ASSIGN_OR_RAISE(const std::vector<std::string> faults, folder.FaultsOfTop());
    for (const std::string& fault : faults) Fault(fault);
    return Status::OK();
  }
  ArchiveVerdict TakeVerdict() { return std::move(verdict_); }

 private:
  void Fault(std::string text) {
    if (verdict_.faults.size() < kMostFaults) {
      verdict_.faults.push_back(std::move(text));
    } else {
      ++verdict_.more_faults;
    }
  }

  // A fault of a file of the NAME that is being read.
  void Damage(const std::string& name, std::string text) {
    if (verdict_.damaged.empty() || verdict_.damaged.back() != name) verdict_.damaged.push_back(name);
    Fault(std::move(text));
  }

  Status ReadArchive(const std::string& name, const ArchiveEnd& end) {
    std::map<std::string, int64_t> types;
    const size_t first = ids_.size();
    const bool had_lost_records = has_lost_records_;
    has_lost_records_ = false;
    for (const ArchiveFile& file : end.files) {
      ARROW_RETURN_NOT_OK(stop_.Check());
      ARROW_RETURN_NOT_OK(ReadFile(name, file, &types));
    }
    ARROW_RETURN_NOT_OK(ReadSealedFiles(name, ArchivePaths(name).Captures(), end.captures));
    ARROW_RETURN_NOT_OK(ReadSealedFiles(name, ArchivePaths(name).Originals(), end.originals));
    std::sort(ids_.begin() + static_cast<std::ptrdiff_t>(first), ids_.end());
    if (!has_lost_records_) CheckRecords(name, end, types, first);
    has_lost_records_ = has_lost_records_ || had_lost_records;
    return Status::OK();
  }

  // REQUIRES: the ids of the NAME's records are sorted, from `first` on.
  void CheckRecords(const std::string& name, const ArchiveEnd& end, const std::map<std::string, int64_t>& types,
                    size_t first) {
    if (std::adjacent_find(ids_.begin() + static_cast<std::ptrdiff_t>(first), ids_.end()) != ids_.end()) {
      Fault(name + ": two records have the same WARC-Record-ID");
    }
    for (const auto& [count, expected] : end.counts) {
      if (!count.starts_with("records.")) continue;
      const std::string type = count.substr(sizeof("records.") - 1);
      const auto there = types.find(type);
      const int64_t records = there == types.end() ? 0 : there->second;
      if (records != expected) {
        Fault(name + ": has " + std::to_string(records) + " records of type " + type + ", " + std::to_string(expected) +
              " were written");
      }
    }
  }

  // The files of the NAME's own, against their seals.
  Status ReadSealedFiles(const std::string& name, const std::string& folder, const std::vector<FileReceipt>& files) {
    for (const FileReceipt& file : files) {
      const std::string path = folder + "/" + file.name;
      const Status read = ReadSealed(path, file.seal);
      if (KindOf(read)) return read;
      if (IsNotFound(read)) {
        Damage(name, path + ": is missing");
      } else if (!read.ok()) {
        const bool is_named = read.message().find(path) != std::string::npos;
        Damage(name, is_named ? read.message() : path + ": " + read.message());
      }
    }
    return Status::OK();
  }

  Status ReadSealed(const std::string& path, const FileSeal& seal) {
    ARROW_ASSIGN_OR_RAISE(const auto opened, to_.OpenVerified(path, seal));
    for (int64_t at = 0; at < seal.size_bytes; at += kPieceBytes) {
      ARROW_RETURN_NOT_OK(stop_.Check());
      ARROW_RETURN_NOT_OK(opened->ReadAt(at, std::min(kPieceBytes, seal.size_bytes - at)).status());
    }
    return Status::OK();
  }

  // Reads a file to its end, whatever it is; of WARC files each record. What is wrong in a file that is not what was
  // written is one fault.
  Status ReadFile(const std::string& name, const ArchiveFile& file, std::map<std::string, int64_t>* types) {
    const auto opened = to_.OpenUnverified(file.path);
    if (!opened.ok() && IsNotFound(opened.status())) {
      has_lost_records_ = has_lost_records_ || IsWarcFile(file.path);
      Damage(name, file.path + ": is missing");
      return Status::OK();
    }
    ARROW_RETURN_NOT_OK(opened.status());
    Sha256 sha256;
    int64_t at = 0;
    std::shared_ptr<arrow::Buffer> piece;
    const auto next = [&]() -> Result<std::string_view> {
      ARROW_RETURN_NOT_OK(stop_.Check());
      ARROW_ASSIGN_OR_RAISE(piece, (*opened)->ReadAt(at, kPieceBytes));
      const std::string_view bytes(reinterpret_cast<const char*>(piece->data()), static_cast<size_t>(piece->size()));
      sha256.Update(bytes);
      at += piece->size();
      return bytes;
    };
    ++verdict_.files;
    std::vector<std::string> inside;
    if (IsWarcFile(file.path)) {
      ARROW_ASSIGN_OR_RAISE(inside, ReadRecords(file, next, types));
    }
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const std::string_view rest, next());
      if (rest.empty()) break;
    }
    verdict_.bytes += at;
    std::string damage;
    if (at != file.size_bytes) {
      damage = "has " + std::to_string(at) + " bytes, " + std::to_string(file.size_bytes) + " were written";
    } else if (ToHex(Bytes(sha256.Finish())) != file.sha256) {
      damage = "is not what was written, its SHA-256 is another one";
    }
    if (damage.empty()) {
      for (const std::string& fault : inside) Fault(file.path + fault);
      return Status::OK();
    }
    has_lost_records_ = has_lost_records_ || IsWarcFile(file.path);
    Damage(name, file.path + ": " + damage + (inside.empty() ? "" : "; " + inside[0].substr(2)));
    return Status::OK();
  }

  // Returns what is wrong with them, ", offset 123: …", the first hundred.
  Result<std::vector<std::string>> ReadRecords(const ArchiveFile& file, const WarcReader::Source& source,
                                               std::map<std::string, int64_t>* types) {
    WarcReader reader(source);
    WarcRecord record;
    std::vector<std::string> faults;
    int64_t records = 0;
    const size_t first_id = ids_.size(), first_reference = references_.size();
    const uint64_t place = (static_cast<uint64_t>(files_.size()) << 32);
    files_.push_back(file.path);
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool more, reader.Next(&record));
      if (!more) break;
      ++records;
      if (!record.fault.empty()) {
        if (faults.size() < kMostFaults) {
          faults.push_back(", offset " + std::to_string(record.offset) + ": " + record.fault);
        }
        if (record.is_last) break;
      }
      ++(*types)[std::string(record.type())];
      ids_.push_back(Hash64(record.Get("WARC-Record-ID")));
      for (const auto& [name, value] : record.fields) {
        const bool names_one = name == "WARC-Concurrent-To" || name == "WARC-Warcinfo-ID" || name == "WARC-Refers-To";
        if (names_one) references_.push_back({Hash64(value), place | static_cast<uint64_t>(records)});
      }
    }
    verdict_.records += records;
    // Nearly all names are those of records of the same file.
    std::sort(ids_.begin() + static_cast<std::ptrdiff_t>(first_id), ids_.end());
    const auto is_here = [&](const Reference& reference) {
      return std::binary_search(ids_.begin() + static_cast<std::ptrdiff_t>(first_id), ids_.end(), reference.id);
    };
    references_.erase(
        std::remove_if(references_.begin() + static_cast<std::ptrdiff_t>(first_reference), references_.end(), is_here),
        references_.end());
    if (records != file.records) {
      faults.push_back(": has " + std::to_string(records) + " records, " + std::to_string(file.records) +
                       " were written");
    }
    return faults;
  }

  void CheckReferences() {
    std::sort(ids_.begin(), ids_.end());
    for (const Reference& reference : references_) {
      if (std::binary_search(ids_.begin(), ids_.end(), reference.id)) continue;
      if (has_lost_records_) {
        ++verdict_.lost_references;
        continue;
      }
      Fault(files_[reference.place >> 32] + ", record " + std::to_string(reference.place & 0xFFFFFFFF) +
            ": names a record that is not in this folder");
    }
  }

  Status LookForOthers(const ArchiveFolder& folder) {
    std::set<std::string> known;
    for (const auto& [name, archive] : folder.archives()) {
      if (!archive.end) continue;
      for (const ArchiveFile& file : archive.end->files) known.insert(file.path);
      ARROW_ASSIGN_OR_RAISE(const auto entries, to_.List(ArchivePaths(name).Data(), /*recursive=*/true));
      for (const StoreEntry& entry : entries) {
        if (!entry.is_folder && !known.contains(entry.path)) Fault(entry.path + ": does not belong to " + name);
      }
    }
    return Status::OK();
  }

  // Before all others: other faults follow from these.
  Status LookForLostNames(const ArchiveFolder& folder) {
    ARROW_ASSIGN_OR_RAISE(const auto names, to_.List("crawl-data", /*recursive=*/false));
    for (const StoreEntry& entry : names) {
      const std::string name = entry.path.substr(entry.path.rfind('/') + 1);
      if (folder.Find(name) != nullptr) continue;
      if (!entry.is_folder) {
        Fault(entry.path + ": is not a name of this folder");
        continue;
      }
      Fault(entry.path + ": is not checked, for " + ArchivePaths(name).Own() + " is missing");
      verdict_.lost.push_back(name);
      has_lost_records_ = true;
    }
    return Status::OK();
  }

  Store& to_;
  const StopToken& stop_;
  ArchiveVerdict verdict_;
  bool has_lost_records_ = false;  // of the NAME that is being read; in the end, of any
  std::vector<std::string> files_;
  // Hashes of ids: eight bytes for each record, and sixteen for each name of a record in another file.
  std::vector<uint64_t> ids_;
  std::vector<Reference> references_;
};

}  // namespace

Result<ArchiveVerdict> VerifyArchive(Store* to, const ArchiveFolder& folder, const StopToken& stop) {
  ARROW_RETURN_NOT_OK(folder.CheckOwnFolder());
  if (folder.archives().empty()) {
    ARROW_ASSIGN_OR_RAISE(const auto entries, to->List("", /*recursive=*/false));
    return UsageError(to->Describe(), entries.empty() ? " does not exist or is empty" : " has no archive in it",
                      ", so there is nothing to verify");
  }
  Verification verification(to, stop);
  ARROW_RETURN_NOT_OK(verification.Run(folder));
  return verification.TakeVerdict();
}

Json ToJson(const ArchiveVerdict& verdict) {
  return {
      {"files", verdict.files},    {"records", verdict.records},         {"bytes", verdict.bytes},
      {"faults", verdict.faults},  {"more_faults", verdict.more_faults}, {"lost_references", verdict.lost_references},
      {"lost", verdict.lost},      {"damaged", verdict.damaged},         {"unfinished", verdict.unfinished},
      {"valid", verdict.IsValid()}};
}

namespace {

// What to type, a line for each.
std::string HintsOf(const ArchiveVerdict& verdict, const std::string& directory) {
  std::string text;
  for (const std::string& name : verdict.lost) {
    text += "copy " + ArchivePaths(name).Own() +
            " back, too; then verify again:  " + ArchiveCommand(directory, "", "--verify") + "\n";
  }
  for (const std::string& name : verdict.damaged) {
    text += "put copies of the damaged files of " + name + " back";
    text += verdict.referred_to.contains(name)
                ? "; it cannot be written again, for later names refer to it\n"
                : ", or write it again:  " + ArchiveCommand(directory, name, "--overwrite") + "\n";
  }
  const bool is_top_alone = !verdict.faults.empty() && verdict.damaged.empty();
  if (is_top_alone && verdict.faults[0].starts_with("_") && !verdict.finished.empty()) {
    text += "the command that wrote a finished name makes _archive.json and _SUCCESS again:  " +
            ArchiveCommand(directory, verdict.finished[0], "") + "\n";
  }
  for (const std::string& name : verdict.unfinished) {
    text += name + " is not finished; type the command again that began it:  " + ArchiveCommand(directory, name, "") +
            "  with its options\n";
  }
  return text;
}

}  // namespace

std::string TextOf(const ArchiveVerdict& verdict, const std::string& directory) {
  if (verdict.finished.empty() && verdict.faults.empty()) {
    return "nothing is finished, so nothing was verified\n" + HintsOf(verdict, directory);
  }
  std::string text = ReadableCount(verdict.records, "record") + " in " + ReadableCount(verdict.files, "file") + ", " +
                     ReadableSize(verdict.bytes) + ": " +
                     (verdict.faults.empty()
                          ? "no fault"
                          : ReadableCount(static_cast<int64_t>(verdict.faults.size()) + verdict.more_faults, "fault")) +
                     "\n";
  for (const std::string& fault : verdict.faults) text += "  " + fault + "\n";
  if (verdict.more_faults > 0) text += "  and " + ReadableCount(verdict.more_faults) + " more\n";
  if (verdict.lost_references > 0) {
    text += ReadableCount(verdict.lost_references, "reference") +
            " may lead into damaged files or into what was not checked\n";
  }
  return text + HintsOf(verdict, directory);
}

}  // namespace trawl
