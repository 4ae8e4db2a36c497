#include "runtime/process/read_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "runtime/process/file_descriptor.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kPieceBytes = 64 << 10;

Status CannotRead(const std::string& path, int error) {
  if (error == ENOENT) return Status::IOError(path, ": there is no such file");
  return Status::IOError(path, ": cannot be read: ", std::generic_category().message(error));
}

std::string LimitText(int64_t bytes) {
  if (bytes % (1 << 20) == 0) return std::to_string(bytes >> 20) + " MiB";
  return std::to_string(bytes) + " bytes";
}

}  // namespace

Result<std::string> ReadLocalFile(const std::string& path, int64_t max_bytes) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return CannotRead(path, errno);
  std::string bytes;
  while (true) {
    const size_t had = bytes.size();
    bytes.resize(std::min<size_t>(had + std::max<size_t>(had, kPieceBytes), static_cast<size_t>(max_bytes) + 1));
    const ssize_t count = read(file.get(), bytes.data() + had, bytes.size() - had);
    if (count < 0 && errno != EINTR) return CannotRead(path, errno);
    bytes.resize(had + static_cast<size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) return bytes;
    if (static_cast<int64_t>(bytes.size()) > max_bytes) {
      return Status::IOError(path, ": is over ", LimitText(max_bytes));
    }
  }
}

}  // namespace trawl
