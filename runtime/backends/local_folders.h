// Makes the folders above new files of a local store, and makes sure that they survive a power failure.
//
// Any thread.
#pragma once

#include <mutex>
#include <string>
#include <unordered_set>

#include "arrow/status.h"

namespace trawl {

class LocalFolders {
 public:
  // `root` is the absolute path above all files. With `sync`, a folder's own entry is on the disk before Make returns,
  // also if another process made it.
  LocalFolders(std::string root, bool sync);

  // Makes `folder` (absolute, the root or below) and any missing folder above it. A folder made or seen before costs
  // nothing.
  arrow::Status Make(const std::string& folder);

  // Some of the folders may have gone: from now on none of them is assumed to exist.
  void Forget();

 private:
  arrow::Status MakeUnlocked(const std::string& folder);
  arrow::Status SyncEntry(const std::string& folder, bool is_new) const;

  const std::string root_;
  const bool sync_;
  std::mutex mutex_;
  std::unordered_set<std::string> made_;
};

}  // namespace trawl
