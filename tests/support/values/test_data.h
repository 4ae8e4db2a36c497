// Finds the files that are stored beside the tests.
#pragma once

#include <string>

namespace trawl {

// The path of `name` under tests/data.
std::string TestDataPath(const std::string& name);

// The whole file. Ends the calling process where it is missing: a test without its data means nothing.
std::string ReadTestData(const std::string& name);

}  // namespace trawl
