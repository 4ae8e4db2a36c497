// Pages that are made to be slow or large for a parser, for tests and benchmarks alike.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace trawl {

struct HostilePage {
  std::string name;
  std::function<std::string()> make;
};

// Each is at least some hundred kilobytes, but for those whose point is to be small.
std::vector<HostilePage> HostilePages();

// `text`, that many times.
std::string Repeated(const std::string& text, size_t count);

}  // namespace trawl
