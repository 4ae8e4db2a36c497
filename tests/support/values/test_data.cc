#include "tests/support/values/test_data.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace trawl {

std::string TestDataPath(const std::string& name) {
  const char* root = std::getenv("TRAWL_TEST_DATA");
  return std::string(root != nullptr ? root : "tests/data") + "/" + name;
}

std::string ReadTestData(const std::string& name) {
  std::ifstream file(TestDataPath(name), std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "test data %s is missing\n", TestDataPath(name).c_str());
    std::abort();
  }
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

}  // namespace trawl
