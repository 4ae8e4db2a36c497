// The nameless spill files that this process has open, to damage them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trawl {

class OpenSpills {
 public:
  // Those in `folder`, found among the process's open files.
  explicit OpenSpills(const std::string& folder);
  ~OpenSpills();
  OpenSpills(const OpenSpills&) = delete;
  OpenSpills& operator=(const OpenSpills&) = delete;

  size_t count() const { return fds_.size(); }
  int64_t size(size_t file) const;
  // Turns every bit of a byte over.
  void FlipByte(size_t file, int64_t at) const;
  void Write(size_t file, int64_t at, std::string_view bytes) const;

 private:
  std::vector<int> fds_;
};

}  // namespace trawl
