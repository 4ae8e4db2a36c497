#include "tests/support/store/temporary_folder.h"

#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace trawl {

TemporaryFolder::TemporaryFolder(const std::string& parent) {
  const std::string above = parent.empty() ? std::filesystem::temp_directory_path().string() : parent;
  path_ = above + "/trawl-test-XXXXXX";
  // Other users may look in, because some tests become another user to see the effect of a folder's rights.
  if (mkdtemp(path_.data()) == nullptr || chmod(path_.c_str(), 0755) != 0) {
    std::perror(path_.c_str());
    std::abort();
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace trawl
