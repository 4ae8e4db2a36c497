#include "formats/scope/loops.h"

#include <algorithm>
#include <array>

namespace trawl {

bool HasRepeatedSegments(std::string_view path) {
  constexpr size_t kLongestGroup = 8;
  constexpr size_t kMoreTimes = 2;                   // after the first
  std::array<std::string_view, kLongestGroup> last;  // a ring of the segments before this one
  std::array<size_t, kLongestGroup + 1> matches{};   // how many segments in succession equal the one n before them
  size_t count = 0;
  for (size_t at = 1; at <= path.size(); ++count) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string_view segment = path.substr(at, end - at);
    for (size_t group = 1; group <= std::min(count, kLongestGroup); ++group) {
      matches[group] = segment == last[(count - group) % kLongestGroup] ? matches[group] + 1 : 0;
      if (matches[group] == group * kMoreTimes) return true;
    }
    last[count % kLongestGroup] = segment;
    at = end + 1;
  }
  return false;
}

}  // namespace trawl
