#include "formats/scope/loops.h"

#include <algorithm>
#include <array>

namespace trawl {

namespace {

// The last `count` segments before `end`, with the slash in front of them.
std::string_view LastSegments(std::string_view path, size_t end, size_t count) {
  size_t at = end;
  while (count > 0 && at > 0) count -= path[--at] == '/' ? 1 : 0;
  return path.substr(at, end - at);
}

}  // namespace

std::string_view RepeatedSegments(std::string_view path, size_t times) {
  constexpr size_t kLongestGroup = 8;
  if (times < 2) return {};
  std::array<std::string_view, kLongestGroup> last;  // a ring of the segments before this one
  std::array<size_t, kLongestGroup + 1> matches{};   // how many segments in succession equal the one n before them
  size_t count = 0;
  for (size_t at = 1; at <= path.size(); ++count) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string_view segment = path.substr(at, end - at);
    for (size_t group = 1; group <= std::min(count, kLongestGroup); ++group) {
      matches[group] = segment == last[(count - group) % kLongestGroup] ? matches[group] + 1 : 0;
      if (matches[group] == group * (times - 1)) return LastSegments(path, end, group * times);
    }
    last[count % kLongestGroup] = segment;
    at = end + 1;
  }
  return {};
}

}  // namespace trawl
