#include "jobs/archive/stored_files.h"

#include <cstdint>
#include <map>

#include "jobs/cdxindex/layout.h"
#include "jobs/policy/advice.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Result<std::vector<std::string>> LackingFiles(Store* to, const std::string& name, const ArchiveEnd& end,
                                              FilesNeeded needed) {
  const ArchivePaths paths(name);
  std::map<std::string, int64_t> sizes;
  for (const std::string& folder : {paths.Data(), paths.Cdxj(), TableFolder(name), paths.Own()}) {
    ARROW_ASSIGN_OR_RAISE(const auto entries, to->List(folder, /*recursive=*/true));
    for (const StoreEntry& entry : entries) {
      if (!entry.is_folder) sizes[entry.path] = entry.size_bytes;
    }
  }
  std::vector<std::string> lacking;
  const auto look = [&](const std::string& path, int64_t size_bytes) {
    const auto there = sizes.find(path);
    if (there == sizes.end()) {
      lacking.push_back(path + ": is missing");
    } else if (there->second != size_bytes) {
      lacking.push_back(path + ": has " + std::to_string(there->second) + " bytes, " + std::to_string(size_bytes) +
                        " were written");
    }
  };
  const bool all = needed == FilesNeeded::kAll;
  for (const ArchiveFile& file : end.files) {
    if (all || IsWarcFile(file.path)) look(file.path, file.size_bytes);
  }
  for (const FileReceipt& file : end.originals) look(paths.Originals() + "/" + file.name, file.seal.size_bytes);
  if (!all) return lacking;
  for (const FileReceipt& file : end.captures) look(paths.Captures() + "/" + file.name, file.seal.size_bytes);
  return lacking;
}

std::string LackText(const std::string& name, const std::vector<std::string>& lacking) {
  const auto count = static_cast<int64_t>(lacking.size());
  return ReadableCount(count, "file") + " of " + name +
         (count == 1 ? " is not as it was written: " : " are not as they were written; the first is ") + lacking[0];
}

std::string ArchiveCommand(const std::string& directory, const std::string& name, std::string_view more) {
  // A path with a slash is a path to every reader, and an argument to WithRoot.
  std::string place = directory.find('/') == std::string::npos ? "./" + directory : directory;
  if (place.find_first_of(" '\"$&?*") != std::string::npos) place = ShellWord(place);
  std::string command = "trawl archive " + place;
  if (!name.empty()) command += " --name " + name;
  if (!more.empty()) command += " " + std::string(more);
  return command;
}

bool IsWarcFile(const std::string& path) {
  return path.starts_with("crawl-data/") && path.ends_with(".gz") && path.find(".warc") != std::string::npos;
}

Status WithAdviceOnSpace(const Status& status) {
  const std::string& message = status.message();
  const bool is_full = message.find("No space left on device") != std::string::npos ||
                       message.find("Disk quota exceeded") != std::string::npos;
  return is_full ? status.WithMessage(message, "; free space, then run the same command again") : status;
}

}  // namespace trawl
