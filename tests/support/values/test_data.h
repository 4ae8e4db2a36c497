// Where a test finds the files that are stored beside it.
#pragma once

#include <string>

namespace trawl {

// The path of `name` under tests/data.
std::string TestDataPath(const std::string& name);

// The whole file. Fails the calling process when it is missing: a test without its data cannot mean anything.
std::string ReadTestData(const std::string& name);

}  // namespace trawl
