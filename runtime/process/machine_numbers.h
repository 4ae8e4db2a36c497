// What this process takes of its machine, and what the machine has left. Linux alone knows all of it. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace trawl {

struct ProcessNumbers {
  double cpu_seconds = 0;  // user and system, of all threads
  double started_s = 0;    // seconds since 1970
  int64_t resident_bytes = 0;
  int64_t virtual_bytes = 0;
  int64_t open_files = 0;
  int64_t most_files = 0;
  int64_t threads = 0;

  static ProcessNumbers Now();
};

// Free space of the file system that the folder lies on, for who is not root; nothing where there is no such folder.
std::optional<int64_t> FreeBytesOf(const std::string& folder);

}  // namespace trawl
