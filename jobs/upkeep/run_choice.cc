#include "jobs/upkeep/run_choice.h"

#include <algorithm>

namespace trawl {

namespace {

constexpr int64_t kDeltaShareOfBase = 3;
constexpr size_t kSimilarRuns = 4;
constexpr size_t kMostDeltas = 12;
constexpr int64_t kSimilarFactor = 4;
// Runs below this size count as equal: their cost is that they must be opened.
constexpr int64_t kSmallBytes = int64_t{1} << 20;

// The newest runs after the base, each at most kSimilarFactor times the smallest.
RunChoice NewestSimilarRuns(const std::vector<RunReference>& runs) {
  int64_t smallest = INT64_MAX;
  int64_t largest = 0;
  size_t first = runs.size();
  while (first > 1) {
    const int64_t bytes = std::max(runs[first - 1].bytes, kSmallBytes);
    if (std::max(largest, bytes) > std::min(smallest, bytes) * kSimilarFactor) break;
    smallest = std::min(smallest, bytes);
    largest = std::max(largest, bytes);
    --first;
  }
  return {first, runs.size() - first};
}

}  // namespace

RunChoice ChooseAllRuns(const std::vector<RunReference>& runs) {
  const bool one_clean_run = runs.size() == 1 && runs[0].removed == 0;
  return runs.empty() || one_clean_run ? RunChoice{} : RunChoice{0, runs.size()};
}

RunChoice ChooseRunsByPolicy(const std::vector<RunReference>& runs) {
  if (runs.size() < 2) return {};
  int64_t delta_bytes = 0;
  for (size_t i = 1; i < runs.size(); ++i) delta_bytes += runs[i].bytes;
  const bool is_worth_it = delta_bytes > kSmallBytes || runs.size() > kSimilarRuns;
  if (delta_bytes > runs[0].bytes / kDeltaShareOfBase && is_worth_it) return {0, runs.size()};
  const RunChoice similar = NewestSimilarRuns(runs);
  if (similar.count >= kSimilarRuns) return similar;
  if (runs.size() - 1 > kMostDeltas) return {1, runs.size() - 1};
  return {};
}

}  // namespace trawl
