#include "runtime/backends/local_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "runtime/store/status.h"

namespace trawl {

arrow::Result<std::shared_ptr<LocalFile>> LocalFile::Open(const std::string& path) {
  // O_NONBLOCK: a named pipe in place of the file must not make the open hang.
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) return ErrnoStatus(errno, "opening", path);
  struct stat status = {};
  if (fstat(file.get(), &status) != 0) return ErrnoStatus(errno, "opening", path);
  if (S_ISDIR(status.st_mode)) return ErrnoStatus(EISDIR, "opening", path);
  if (!S_ISREG(status.st_mode)) return arrow::Status::IOError("opening ", path, ": not a regular file");
  return std::make_shared<LocalFile>(path, status.st_size, std::move(file));
}

LocalFile::LocalFile(std::string path, int64_t size_bytes, FileDescriptor file)
    : PositionedFile(std::move(path), size_bytes), file_(std::move(file)) {}

LocalFile::~LocalFile() = default;

arrow::Status LocalFile::ReadRange(int64_t position, int64_t size, void* out) {
  char* to = static_cast<char*>(out);
  while (size > 0) {
    const ssize_t read = pread(file_.get(), to, static_cast<size_t>(size), position);
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) return ErrnoStatus(errno, "reading", name());
    if (read == 0) return arrow::Status::IOError("reading ", name(), ": it ends at byte ", position);
    to += read;
    position += read;
    size -= read;
  }
  return arrow::Status::OK();
}

}  // namespace trawl
