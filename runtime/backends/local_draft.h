// A file on local disk that has no name yet.
//
// One thread at a time. Paths are those of the operating system.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/process/file_descriptor.h"

namespace trawl {

struct LocalDraftOptions {
  bool sync = true;                // wait until file and folder are on the disk
  bool named_temporaries = false;  // behave as if the file system had no unnamed files
};

class LocalDraft {
 public:
  // Opens a draft that can become `path`. The folder above must exist: FileNotFound otherwise.
  static arrow::Result<std::unique_ptr<LocalDraft>> Open(const std::string& path, const LocalDraftOptions& options);
  // Leaves nothing named, unless it was published.
  ~LocalDraft();
  LocalDraft(const LocalDraft&) = delete;
  LocalDraft& operator=(const LocalDraft&) = delete;

  arrow::Status Write(std::string_view bytes);

  // Gives the file its name. AlreadyExists where the name is taken, by whatever; exactly one of several drafts of one
  // name gets it. After any other error the name may or may not be there.
  arrow::Status Publish();

 private:
  LocalDraft(std::string path, const LocalDraftOptions& options);
  arrow::Status OpenUnnamed(const std::string& folder);
  arrow::Status OpenNamed();
  // Returns 0 or an errno.
  int LinkUnnamed() const;
  int RenameTemporary() const;
  int LinkTemporary() const;

  const std::string path_;
  const LocalDraftOptions options_;
  FileDescriptor file_;
  std::string temporary_;  // "" while it has no name at all
};

// Waits until the folder's entries are on the disk.
arrow::Status SyncLocalFolder(const std::string& folder);

}  // namespace trawl
