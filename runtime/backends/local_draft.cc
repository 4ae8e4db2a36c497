#include "runtime/backends/local_draft.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "runtime/store/path.h"
#include "runtime/store/status.h"

namespace trawl {

namespace {

// open(2) reports one of these for O_TMPFILE where the file system (or, with EISDIR, the kernel) does not know it.
bool MeansNoUnnamedFiles(int error) { return error == EOPNOTSUPP || error == EISDIR || error == EINVAL; }

// Unnamed files get their name through /proc.
bool HasProc() { return access("/proc/self/fd", X_OK) == 0; }

std::string FolderOf(const std::string& path) {
  const std::string folder = ParentOf(path);
  return folder.empty() ? "/" : folder;
}

}  // namespace

LocalDraft::LocalDraft(std::string path, const LocalDraftOptions& options)
    : path_(std::move(path)), options_(options) {}

arrow::Result<std::unique_ptr<LocalDraft>> LocalDraft::Open(const std::string& path, const LocalDraftOptions& options) {
  std::unique_ptr<LocalDraft> draft(new LocalDraft(path, options));
  ARROW_RETURN_NOT_OK(draft->OpenUnnamed(FolderOf(path)));
  if (!draft->file_.is_open()) ARROW_RETURN_NOT_OK(draft->OpenNamed());
  return draft;
}

LocalDraft::~LocalDraft() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

// Leaves the file closed, and returns OK, where there are no unnamed files.
arrow::Status LocalDraft::OpenUnnamed(const std::string& folder) {
  if (options_.named_temporaries || !HasProc()) return arrow::Status::OK();
  file_ = FileDescriptor(open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
  if (file_.is_open() || MeansNoUnnamedFiles(errno)) return arrow::Status::OK();
  return ErrnoStatus(errno, "creating", path_);
}

arrow::Status LocalDraft::OpenNamed() {
  std::string temporary = FolderOf(path_) + "/" + NameOf(TemporaryPathFor(path_));
  file_ = FileDescriptor(open(temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666));
  if (!file_.is_open()) return ErrnoStatus(errno, "creating", path_);
  temporary_ = std::move(temporary);
  return arrow::Status::OK();
}

arrow::Status LocalDraft::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return ErrnoStatus(errno, "writing", path_);
    if (written > 0) bytes.remove_prefix(static_cast<size_t>(written));
  }
  return arrow::Status::OK();
}

arrow::Status LocalDraft::Publish() {
  if (options_.sync && fsync(file_.get()) != 0) return ErrnoStatus(errno, "writing", path_);
  const int error = temporary_.empty() ? LinkUnnamed() : RenameTemporary();
  if (error != 0 && error != EEXIST) return ErrnoStatus(error, "creating", path_);
  if (error == 0) temporary_.clear();
  // Also where the name was taken: a caller who acts on the file's presence may then rely on its staying.
  if (options_.sync) ARROW_RETURN_NOT_OK(SyncLocalFolder(FolderOf(path_)));
  return error == 0 ? arrow::Status::OK() : ErrnoStatus(error, "creating", path_);
}

int LocalDraft::LinkUnnamed() const {
  const std::string self = "/proc/self/fd/" + std::to_string(file_.get());
  return linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path_.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

int LocalDraft::RenameTemporary() const {
  if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) == 0) return 0;
  // NFS, for one, cannot rename without replacing.
  return errno == EINVAL || errno == ENOSYS ? LinkTemporary() : errno;
}

int LocalDraft::LinkTemporary() const {
  if (link(temporary_.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    // Over NFS a link whose reply was lost is sent again and then "exists": a second name can only be that one.
    struct stat status = {};
    if (fstat(file_.get(), &status) != 0 || status.st_nlink != 2) return error;
  }
  unlink(temporary_.c_str());
  return 0;
}

arrow::Status SyncLocalFolder(const std::string& folder) {
  const FileDescriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) return ErrnoStatus(errno, "opening folder", folder);
  // Some file systems have nothing to do for a folder and report EINVAL.
  if (fsync(opened.get()) != 0 && errno != EINVAL) return ErrnoStatus(errno, "writing folder", folder);
  return arrow::Status::OK();
}

}  // namespace trawl
