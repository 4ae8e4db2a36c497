#include "runtime/spill/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Opens a file that never had a name or, where the file system has no such files, one that loses its name at once.
int OpenNameless(const std::string& folder) {
  const int fd = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return fd;
  std::string path = folder + "/_trawl-spill-XXXXXX";
  const int named = mkostemp(path.data(), O_CLOEXEC);
  if (named >= 0) unlink(path.c_str());
  return named;
}

}  // namespace

Result<std::unique_ptr<SpillFile>> SpillFile::Make(const std::string& folder) {
  const int fd = OpenNameless(folder);
  if (fd < 0) {
    return Status::IOError("temporary folder ", folder, ": cannot make a spill file there: ", std::strerror(errno));
  }
  return std::unique_ptr<SpillFile>(new SpillFile(fd, folder));
}

SpillFile::~SpillFile() { close(fd_); }

Status SpillFile::Failure(const char* doing, int64_t offset, size_t size, int error) const {
  return Status::IOError("temporary folder ", folder_, ": ", doing, " ", size, " bytes at ", offset,
                         " of a spill file of ", size_, ": ", error == 0 ? "the file ends" : std::strerror(error));
}

Status SpillFile::Append(std::string_view bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written =
        pwrite(fd_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(size_ + static_cast<int64_t>(done)));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const Status failure = Failure("writing", size_, bytes.size(), written < 0 ? errno : ENOSPC);
      Truncate(size_);
      return failure;
    }
    done += static_cast<size_t>(written);
  }
  size_ += static_cast<int64_t>(bytes.size());
  return Status::OK();
}

Status SpillFile::ReadAt(int64_t offset, char* out, size_t size) const {
  size_t done = 0;
  while (done < size) {
    const ssize_t count = pread(fd_, out + done, size - done, static_cast<off_t>(offset + static_cast<int64_t>(done)));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Failure("reading", offset, size, count < 0 ? errno : 0);
    done += static_cast<size_t>(count);
  }
  return Status::OK();
}

Status SpillFile::Damage(int64_t offset, const char* what) const {
  return Status::IOError("temporary folder ", folder_, ": at ", offset, " of a spill file of ", size_, ": ", what);
}

void SpillFile::Truncate(int64_t size) {
  size_ = size;
  // Where this fails the bytes only keep their space: the next bytes are written over them.
  [[maybe_unused]] const int ignored = ftruncate(fd_, static_cast<off_t>(size));
}

void SpillFile::Discard(int64_t offset, int64_t size) {
  if (size > 0) fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, size);
}

}  // namespace trawl
