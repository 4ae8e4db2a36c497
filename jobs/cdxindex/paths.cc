#include "jobs/cdxindex/paths.h"

#include <algorithm>
#include <map>
#include <utility>

#include "formats/text/deflate.h"
#include "jobs/cdxindex/archive_file.h"
#include "jobs/cdxindex/layout.h"

namespace trawl {

using arrow::Result;

namespace {

// The list that names the file: "warc", "wet", "cc-index"; empty where none does.
std::string ListOf(const std::string& name, const std::string& path) {
  if (path.starts_with(ArchivePaths(name).Cdxj() + "/")) return "cc-index";
  if (path.starts_with(TableFolder(name) + "/")) return "cc-index-table";
  const std::string segments = ArchivePaths(name).Data() + "/segments/";
  if (!path.starts_with(segments)) return "";
  // SEGMENT/SUBSET/FILE
  const size_t subset = path.find('/', segments.size());
  const size_t end = subset == std::string::npos ? std::string::npos : path.find('/', subset + 1);
  return end == std::string::npos ? "" : path.substr(subset + 1, end - subset - 1);
}

}  // namespace

Result<std::vector<ArchiveFile>> WritePaths(Store* to, const std::string& name, const std::vector<ArchiveFile>& files) {
  std::map<std::string, std::vector<std::string>> lists;
  for (const ArchiveFile& file : files) {
    const std::string list = ListOf(name, file.path);
    if (!list.empty()) lists[list].push_back(file.path);
  }
  ARROW_ASSIGN_OR_RAISE(GzipMembers gzip, GzipMembers::Make(GzipMembers::kUsualLevel));
  std::vector<ArchiveFile> written;
  for (auto& [list, paths] : lists) {
    std::sort(paths.begin(), paths.end());
    std::string text;
    for (const std::string& path : paths) text += path + "\n";
    ARROW_ASSIGN_OR_RAISE(const std::string_view bytes, gzip.MemberOf(text));
    const std::string path = ArchivePaths(name).PathsFile(list);
    ARROW_RETURN_NOT_OK(to->Remove(path));
    ARROW_ASSIGN_OR_RAISE(const auto file, ArchiveFileWriter::Open(to, path));
    ARROW_RETURN_NOT_OK(file->Write(bytes));
    ARROW_ASSIGN_OR_RAISE(written.emplace_back(), file->Commit(static_cast<int64_t>(paths.size())));
  }
  return written;
}

}  // namespace trawl
