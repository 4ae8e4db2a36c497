#include "tests/support/store/open_spills.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace trawl {

namespace {

void Require(bool holds, const char* what) {
  if (holds) return;
  std::perror(what);
  std::abort();
}

}  // namespace

OpenSpills::OpenSpills(const std::string& folder) {
  // Finds the files first and opens them afterwards, because each opened file is one more link.
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string target = std::filesystem::read_symlink(entry.path(), gone);
    if (!gone && target.starts_with(folder + "/") && target.ends_with("(deleted)")) found.push_back(entry.path());
  }
  for (const std::string& link : found) {
    fds_.push_back(open(link.c_str(), O_RDWR | O_CLOEXEC));
    Require(fds_.back() >= 0, "opening a spill file again");
  }
}

OpenSpills::~OpenSpills() {
  for (const int fd : fds_) close(fd);
}

int64_t OpenSpills::size(size_t file) const {
  struct stat status {};
  Require(fstat(fds_[file], &status) == 0, "fstat");
  return status.st_size;
}

void OpenSpills::FlipByte(size_t file, int64_t at) const {
  char byte = 0;
  Require(pread(fds_[file], &byte, 1, at) == 1, "reading a byte of a spill file");
  byte = static_cast<char>(~byte);
  Write(file, at, {&byte, 1});
}

void OpenSpills::Write(size_t file, int64_t at, std::string_view bytes) const {
  Require(pwrite(fds_[file], bytes.data(), bytes.size(), at) == static_cast<ssize_t>(bytes.size()),
          "writing to a spill file");
}

}  // namespace trawl
