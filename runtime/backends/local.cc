#include "runtime/backends/local.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

#include "runtime/backends/local_file.h"
#include "runtime/backends/local_folders.h"
#include "runtime/store/draft_writer.h"
#include "runtime/store/path.h"
#include "runtime/store/status.h"

namespace trawl {

namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

int64_t ModifiedMs(const struct stat& status) {
  return int64_t{status.st_mtim.tv_sec} * 1000 + status.st_mtim.tv_nsec / 1'000'000;
}

using FolderIdentity = std::pair<dev_t, ino_t>;

class LocalStore : public Store {
 public:
  LocalStore(std::string root, const LocalDraftOptions& options)
      : root_(std::move(root)), options_(options), folders_(root_, options.sync) {}

  arrow::Result<std::unique_ptr<StoreWriter>> OpenWriter(const std::string& path) override;
  arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenUnverified(const std::string& path) override;
  arrow::Result<CreateOutcome> CreateExclusive(const std::string& path, const std::string& content) override;
  arrow::Result<std::vector<StoreEntry>> List(const std::string& folder, bool recursive) override;
  arrow::Result<bool> Exists(const std::string& path) override;
  arrow::Status Remove(const std::string& path) override;
  arrow::Status RemoveFolder(const std::string& path) override;
  std::string Describe() const override { return root_; }

 private:
  std::string FullPath(const std::string& path) const {
    if (path.empty()) return root_;
    return root_ == "/" ? root_ + path : root_ + "/" + path;
  }
  // Opens a draft of the file, in a folder that is there.
  arrow::Result<std::unique_ptr<LocalDraft>> OpenDraft(const std::string& path);
  arrow::Status ListInto(const std::string& folder, bool recursive, std::vector<FolderIdentity>* above,
                         std::vector<StoreEntry>* entries);

  const std::string root_;
  const LocalDraftOptions options_;
  LocalFolders folders_;
};

arrow::Result<std::unique_ptr<LocalDraft>> LocalStore::OpenDraft(const std::string& path) {
  ARROW_RETURN_NOT_OK(CheckStorePath(path));
  const std::string full = FullPath(path);
  const std::string folder = FullPath(ParentOf(path));
  ARROW_RETURN_NOT_OK(folders_.Make(folder));
  auto draft = LocalDraft::Open(full, options_);
  if (draft.ok() || !IsNotFound(draft.status())) return draft;
  // The folder was there once and has been removed since.
  folders_.Forget();
  ARROW_RETURN_NOT_OK(folders_.Make(folder));
  return LocalDraft::Open(full, options_);
}

arrow::Result<std::unique_ptr<StoreWriter>> LocalStore::OpenWriter(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const bool exists, Exists(path));
  if (exists) return ErrnoStatus(EEXIST, "creating", FullPath(path));
  ARROW_ASSIGN_OR_RAISE(auto draft, OpenDraft(path));
  return std::make_unique<DraftWriter<LocalDraft>>(std::move(draft));
}

arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> LocalStore::OpenUnverified(const std::string& path) {
  ARROW_RETURN_NOT_OK(CheckStorePath(path));
  return LocalFile::Open(FullPath(path));
}

arrow::Result<CreateOutcome> LocalStore::CreateExclusive(const std::string& path, const std::string& content) {
  ARROW_ASSIGN_OR_RAISE(auto draft, OpenDraft(path));
  ARROW_RETURN_NOT_OK(draft->Write(content));
  const arrow::Status status = draft->Publish();
  if (status.IsAlreadyExists()) return CreateOutcome::kExists;
  ARROW_RETURN_NOT_OK(status);
  return CreateOutcome::kCreated;
}

arrow::Result<std::vector<StoreEntry>> LocalStore::List(const std::string& folder, bool recursive) {
  ARROW_RETURN_NOT_OK(CheckStoreFolder(folder));
  std::vector<StoreEntry> entries;
  std::vector<FolderIdentity> above;
  ARROW_RETURN_NOT_OK(ListInto(folder, recursive, &above, &entries));
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return entries;
}

// `above` are the folders on the way down: a symbolic link back to one of them is not followed again.
arrow::Status LocalStore::ListInto(const std::string& folder, bool recursive, std::vector<FolderIdentity>* above,
                                   std::vector<StoreEntry>* entries) {
  const std::string full = FullPath(folder);
  const std::unique_ptr<DIR, CloseFolder> opened(opendir(full.c_str()));
  // An entry that is removed while it is listed counts as absent.
  if (opened == nullptr) return errno == ENOENT ? arrow::Status::OK() : ErrnoStatus(errno, "listing", full);
  struct stat status = {};
  if (fstat(dirfd(opened.get()), &status) != 0) return ErrnoStatus(errno, "listing", full);
  const FolderIdentity identity(status.st_dev, status.st_ino);
  if (std::find(above->begin(), above->end(), identity) != above->end()) return arrow::Status::OK();
  above->push_back(identity);
  while (true) {
    errno = 0;
    const dirent* const read = readdir(opened.get());
    if (read == nullptr && errno != 0) return ErrnoStatus(errno, "listing", full);
    if (read == nullptr) break;
    const std::string name = read->d_name;
    if (name == "." || name == "..") continue;
    if (fstatat(dirfd(opened.get()), name.c_str(), &status, 0) != 0) {
      if (errno == ENOENT) continue;
      return ErrnoStatus(errno, "listing", full + "/" + name);
    }
    StoreEntry entry{JoinPath(folder, name), S_ISDIR(status.st_mode), 0, ModifiedMs(status)};
    if (!entry.is_folder) entry.size_bytes = status.st_size;
    if (recursive && entry.is_folder) ARROW_RETURN_NOT_OK(ListInto(entry.path, recursive, above, entries));
    entries->push_back(std::move(entry));
  }
  above->pop_back();
  return arrow::Status::OK();
}

arrow::Result<bool> LocalStore::Exists(const std::string& path) {
  ARROW_RETURN_NOT_OK(CheckStorePath(path));
  struct stat status = {};
  if (stat(FullPath(path).c_str(), &status) == 0) return !S_ISDIR(status.st_mode);
  if (errno == ENOENT) return false;
  return ErrnoStatus(errno, "looking for", FullPath(path));
}

arrow::Status LocalStore::Remove(const std::string& path) {
  ARROW_RETURN_NOT_OK(CheckStorePath(path));
  if (unlink(FullPath(path).c_str()) == 0 || errno == ENOENT) return arrow::Status::OK();
  return ErrnoStatus(errno, "removing", FullPath(path));
}

arrow::Status LocalStore::RemoveFolder(const std::string& path) {
  ARROW_RETURN_NOT_OK(CheckStorePath(path));
  const std::string full = FullPath(path);
  folders_.Forget();
  struct stat status = {};
  if (lstat(full.c_str(), &status) == 0 && S_ISREG(status.st_mode))
    return ErrnoStatus(ENOTDIR, "removing folder", full);
  std::error_code error;
  std::filesystem::remove_all(full, error);
  return error ? ErrnoStatus(error.value(), "removing folder", full) : arrow::Status::OK();
}

}  // namespace

arrow::Result<std::unique_ptr<Store>> OpenLocalStore(const std::string& root, const LocalDraftOptions& options) {
  if (root.empty() || root.find('\0') != std::string::npos) {
    return arrow::Status::Invalid("'", root, "' is not a path");
  }
  std::error_code error;
  std::string absolute = std::filesystem::absolute(root, error);
  if (error) return ErrnoStatus(error.value(), "finding", root);
  // After a symbolic link, "link/.." is not the folder of the link: only paths without ".." are tidied.
  if (absolute.find("..") == std::string::npos) absolute = std::filesystem::path(absolute).lexically_normal();
  while (absolute.size() > 1 && absolute.back() == '/') absolute.pop_back();
  return std::make_unique<LocalStore>(std::move(absolute), options);
}

}  // namespace trawl
