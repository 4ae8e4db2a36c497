// A temporary file that has no name: whatever happens to the process, kill -9 included, its space is free afterwards.
//
// One thread at a time may call Append, Truncate and Discard; any number may call ReadAt at the same time. Failures
// name the folder and the operation. A full disk, a quota, a file size limit (where SIGXFSZ is ignored) and a broken
// device are a Status.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "arrow/status.h"

namespace trawl {

class SpillFile {
 public:
  // In `folder`, which must exist.
  static arrow::Result<std::unique_ptr<SpillFile>> Make(const std::string& folder);
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  int64_t size() const { return size_; }
  // Writes all of `bytes` at the end. After a failure the file is as long as before.
  arrow::Status Append(std::string_view bytes);
  // Reads exactly `size` bytes.
  arrow::Status ReadAt(int64_t offset, char* out, size_t size) const;
  // Returns the failure to report where the bytes read at `offset` are not those that were written.
  arrow::Status Damage(int64_t offset, const char* what) const;
  // Forgets all bytes after the first `size`.
  void Truncate(int64_t size);
  // Gives the space of a range back where the file system can; the range must not be read again.
  void Discard(int64_t offset, int64_t size);

 private:
  SpillFile(int fd, std::string folder) : fd_(fd), folder_(std::move(folder)) {}
  arrow::Status Failure(const char* doing, int64_t offset, size_t size, int error) const;

  const int fd_;
  const std::string folder_;
  int64_t size_ = 0;
};

}  // namespace trawl
