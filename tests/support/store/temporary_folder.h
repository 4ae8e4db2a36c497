// A folder of its own for one test. The destructor removes it with everything in it.
#pragma once

#include <string>

namespace trawl {

class TemporaryFolder {
 public:
  // Makes the folder below TMPDIR, or below `parent` where one is given. Ends the calling process on failure.
  explicit TemporaryFolder(const std::string& parent = "");
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace trawl
