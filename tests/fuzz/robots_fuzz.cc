// The first line names the agent, the second the path, the rest is the robots.txt.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/robots.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const auto take_line = [&rest] {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() == rest.size() ? line.size() : line.size() + 1);
    return line;
  };
  const std::string_view agent = take_line();
  const std::string_view path = take_line();
  const trawl::RobotsRules rules = trawl::RobotsRules::Parse(rest, agent);
  const trawl::RobotsRules::Verdict verdict = rules.Check(path);
  // A denial always has a line, and the line is part of the file.
  if (!verdict.allowed && verdict.line == 0) std::abort();
  if (rest.find(verdict.text) == std::string_view::npos) std::abort();
  if (!rules.Check("/robots.txt").allowed) std::abort();
  return 0;
}
