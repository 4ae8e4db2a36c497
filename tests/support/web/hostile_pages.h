// Pages that are made to be slow or large for a parser, for tests and benchmarks.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace trawl {

struct HostilePage {
  std::string name;
  std::function<std::string()> make;
};

// Each page has at least some hundred kilobytes, except those that must be small to make their point.
std::vector<HostilePage> HostilePages();

// `text`, `count` times.
std::string Repeated(const std::string& text, size_t count);

}  // namespace trawl
