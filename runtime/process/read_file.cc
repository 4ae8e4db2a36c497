#include "runtime/process/read_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
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
// Nobody's settings come from a device; some devices never end.
constexpr int64_t kMostDeviceBytes = 1 << 20;
// A pipe gets this time to have a writer, and its writer so long to go on.
constexpr int kWriterMs = 2'000;
constexpr int kSilentMs = 60'000;

Status CannotRead(const std::string& path, int error) {
  if (error == ENOENT) return Status::IOError(path, ": there is no such file");
  return Status::IOError(path, ": cannot be read: ", std::generic_category().message(error));
}

std::string LimitText(int64_t bytes) {
  if (bytes % (1 << 20) == 0) return std::to_string(bytes >> 20) + " MiB";
  return std::to_string(bytes) + " bytes";
}

// `waits`: bytes may have to be waited for.
Result<std::string> ReadAll(int file, const std::string& path, int64_t max_bytes, bool waits) {
  std::string bytes;
  int silent_ms = 0;
  while (true) {
    pollfd wait = {.fd = file, .events = POLLIN, .revents = 0};
    const bool is_silent = waits && poll(&wait, 1, kWriterMs) == 0;
    const size_t had = bytes.size();
    bytes.resize(std::min<size_t>(had + std::max<size_t>(had, kPieceBytes), static_cast<size_t>(max_bytes) + 1));
    const ssize_t count = read(file, bytes.data() + had, bytes.size() - had);
    bytes.resize(had + static_cast<size_t>(std::max<ssize_t>(count, 0)));
    // A pipe whose writer has gone has an end, which poll tells of. This one never had a writer.
    if (count == 0 && is_silent) return Status::IOError(path, ": nobody writes to this pipe");
    if (count == 0) return bytes;
    if (count < 0 && errno != EINTR && (!waits || errno != EAGAIN)) return CannotRead(path, errno);
    silent_ms = is_silent ? silent_ms + kWriterMs : 0;
    if (silent_ms >= kSilentMs) return Status::IOError(path, ": nobody has written to this pipe for a minute");
    if (static_cast<int64_t>(bytes.size()) > max_bytes) {
      return Status::IOError(path, ": is over ", LimitText(max_bytes));
    }
  }
}

Result<std::string> Read(const std::string& path, int64_t max_bytes, bool must_be_regular) {
  // Opening a named pipe waits for its writer otherwise.
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat facts = {};
  if (!file.is_open() || fstat(file.get(), &facts) != 0) return CannotRead(path, errno);
  if (must_be_regular && !S_ISREG(facts.st_mode)) return Status::IOError(path, ": it is not a file");
  const int64_t most = S_ISCHR(facts.st_mode) ? std::min(max_bytes, kMostDeviceBytes) : max_bytes;
  return ReadAll(file.get(), path, most, /*waits=*/!S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode));
}

}  // namespace

Result<std::string> ReadLocalFile(const std::string& path, int64_t max_bytes) {
  return Read(path, max_bytes, /*must_be_regular=*/false);
}

Result<std::string> ReadRegularFile(const std::string& path, int64_t max_bytes) {
  return Read(path, max_bytes, /*must_be_regular=*/true);
}

}  // namespace trawl
