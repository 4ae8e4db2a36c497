#include "runtime/streaming/channel.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Above the numbers that careless code takes for standard streams.
constexpr int kLowestDescriptor = 10;
constexpr size_t kMaxStatusBytes = 1000;

Status Failed(const char* what) { return Status::IOError(what, ": ", std::strerror(errno)); }

Status WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return Failed("writing to Hadoop");
    if (written > 0) bytes.remove_prefix(static_cast<size_t>(written));
  }
  return Status::OK();
}

void Report(const std::string& line) {
  // A failure here can be told to nobody.
  const Status status = WriteAll(STDERR_FILENO, line);
  (void)status;
}

}  // namespace

Result<TaskChannel> TaskChannel::Open() {
  FileDescriptor out(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, kLowestDescriptor));
  if (!out.is_open()) return Failed("keeping standard output");
  if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return Failed("moving standard output aside");
  return TaskChannel(std::move(out));
}

Result<size_t> TaskChannel::Read(char* out, size_t size) {
  while (true) {
    const ssize_t got = ::read(STDIN_FILENO, out, size);
    if (got >= 0) return static_cast<size_t>(got);
    if (errno != EINTR) return Failed("reading from Hadoop");
  }
}

Status TaskChannel::Write(std::string_view bytes) { return WriteAll(out_.get(), bytes); }

Status TaskChannel::Drain() {
  std::vector<char> buffer(64 << 10);
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const size_t got, Read(buffer.data(), buffer.size()));
    if (got == 0) return Status::OK();
  }
}

Status TaskChannel::Close() {
  return ::close(out_.Release()) == 0 ? Status::OK() : Failed("ending the output to Hadoop");
}

void TaskChannel::ReportCounter(std::string_view name, int64_t amount) {
  std::string line = std::string("reporter:counter:") + kCounterGroup + ",";
  // A comma would end the name.
  for (const char c : name) line.push_back(c == ',' || c == '\n' ? '.' : c);
  Report(line + "," + std::to_string(amount) + "\n");
}

void TaskChannel::ReportStatus(std::string_view text) {
  std::string line = "reporter:status:";
  for (const char c : text.substr(0, kMaxStatusBytes)) line.push_back(c == '\n' || c == '\r' ? ' ' : c);
  Report(line + "\n");
}

}  // namespace trawl
