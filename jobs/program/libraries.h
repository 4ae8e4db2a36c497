// The libraries that the program works with, for `trawl --version`. Any thread.
#pragma once

#include <string>
#include <vector>

namespace trawl {

struct Library {
  std::string name;
  std::string version;
};

// In the order of their names. A shared library says its version itself, as it was loaded; of the others it is the
// version that the program was built with.
std::vector<Library> Libraries();

}  // namespace trawl
