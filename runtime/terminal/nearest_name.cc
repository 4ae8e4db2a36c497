#include "runtime/terminal/nearest_name.h"

#include <algorithm>

namespace trawl {

namespace {

constexpr size_t kMaxNameBytes = 64;

bool OneBeginsTheOther(std::string_view a, std::string_view b) {
  constexpr size_t kWorthGuessing = 3;
  const size_t shorter = std::min(a.size(), b.size());
  return shorter >= kWorthGuessing && a.substr(0, shorter) == b.substr(0, shorter);
}

}  // namespace

int EditDistance(std::string_view a, std::string_view b) {
  // Three rows of the table of distances between prefixes: the one before the last, the last, and the one being filled.
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string NearestName(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.size() > kMaxNameBytes) return "";
  std::string nearest;
  int smallest = std::max(1, static_cast<int>(name.size()) / 3) + 1;
  for (const std::string& candidate : candidates) {
    const int distance = OneBeginsTheOther(name, candidate) ? 1 : EditDistance(name, candidate);
    if (distance < smallest) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace trawl
