// The unnamed spill files that this process has open, for tests that damage them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trawl {

class OpenSpills {
 public:
  // Finds those in `folder` among the process's open files.
  explicit OpenSpills(const std::string& folder);
  ~OpenSpills();
  OpenSpills(const OpenSpills&) = delete;
  OpenSpills& operator=(const OpenSpills&) = delete;

  size_t count() const { return fds_.size(); }
  int64_t size(size_t file) const;
  // Inverts every bit of a byte.
  void FlipByte(size_t file, int64_t at) const;
  void Write(size_t file, int64_t at, std::string_view bytes) const;

 private:
  std::vector<int> fds_;
};

}  // namespace trawl
