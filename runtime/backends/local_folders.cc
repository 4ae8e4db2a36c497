#include "runtime/backends/local_folders.h"

#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "runtime/backends/local_draft.h"
#include "runtime/store/path.h"
#include "runtime/store/status.h"

namespace trawl {

namespace {

std::string FolderAbove(const std::string& folder) {
  const std::string above = ParentOf(folder);
  return above.empty() ? "/" : above;
}

bool IsFolder(const std::string& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

}  // namespace

LocalFolders::LocalFolders(std::string root, bool sync) : root_(std::move(root)), sync_(sync) {}

arrow::Status LocalFolders::Make(const std::string& folder) {
  const std::lock_guard lock(mutex_);
  return MakeUnlocked(folder);
}

arrow::Status LocalFolders::MakeUnlocked(const std::string& folder) {
  if (made_.contains(folder)) return arrow::Status::OK();
  const bool is_inside = folder.size() > root_.size();
  // A folder above the root is left as it is where it exists.
  if (is_inside || !IsFolder(folder)) {
    if (folder != "/") ARROW_RETURN_NOT_OK(MakeUnlocked(FolderAbove(folder)));
    const bool is_new = mkdir(folder.c_str(), 0777) == 0;
    if (!is_new && errno != EEXIST) return ErrnoStatus(errno, "creating folder", folder);
    if (!is_new && !IsFolder(folder)) return ErrnoStatus(ENOTDIR, "creating folder", folder);
    if (is_new || is_inside) ARROW_RETURN_NOT_OK(SyncEntry(folder, is_new));
  }
  made_.insert(folder);
  return arrow::Status::OK();
}

arrow::Status LocalFolders::SyncEntry(const std::string& folder, bool is_new) const {
  if (!sync_) return arrow::Status::OK();
  const arrow::Status status = SyncLocalFolder(FolderAbove(folder));
  // An existing folder that may be written, below one that may not be read, is set up so on purpose: no error.
  return is_new ? status : arrow::Status::OK();
}

void LocalFolders::Forget() {
  const std::lock_guard lock(mutex_);
  made_.clear();
}

}  // namespace trawl
