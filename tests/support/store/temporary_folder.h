// A folder of its own for one test, removed with all that is in it when it goes.
#pragma once

#include <string>

namespace trawl {

class TemporaryFolder {
 public:
  // Below TMPDIR, or below `parent` where one is given. Ends the calling process when it cannot be made.
  explicit TemporaryFolder(const std::string& parent = "");
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace trawl
