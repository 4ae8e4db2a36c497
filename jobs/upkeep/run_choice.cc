#include "jobs/upkeep/run_choice.h"

#include <algorithm>
#include <utility>

namespace trawl {

namespace {

constexpr int64_t kDeltaShareOfBase = 3;
constexpr size_t kSimilarRuns = 4;
// Small runs cost more by their number than by their bytes, so they wait less. A merge of them is a file and a record.
constexpr size_t kSmallRuns = 3;
constexpr size_t kSmallMergesARound = 2;
constexpr size_t kMostDeltas = 12;
constexpr int64_t kSimilarFactor = 4;
// Runs below this size count as equal: their cost is that they must be opened.
constexpr int64_t kSmallBytes = int64_t{1} << 20;
// A merge of no more than this is small.
constexpr int64_t kSmallMergeBytes = 4 * kSmallBytes;

struct SimilarRuns {
  RunChoice choice;
  bool are_small = false;
};

// The newest runs after the base, each at most kSimilarFactor times the smallest.
SimilarRuns NewestSimilarRuns(const std::vector<RunReference>& runs) {
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
  return {{first, runs.size() - first}, largest <= kSmallBytes};
}

int64_t BytesOf(const std::vector<RunReference>& runs, const RunChoice& choice) {
  int64_t bytes = 0;
  for (size_t i = choice.first; i < choice.first + choice.count; ++i) bytes += runs[i].bytes;
  return bytes;
}

RunChoice ChooseAllOf(const std::vector<RunReference>& runs) {
  const bool one_clean_run = runs.size() == 1 && runs[0].removed == 0;
  return runs.empty() || one_clean_run ? RunChoice{} : RunChoice{0, runs.size()};
}

RunChoice ChooseByPolicyOf(const std::vector<RunReference>& runs) {
  if (runs.size() < 2) return {};
  int64_t delta_bytes = 0;
  for (size_t i = 1; i < runs.size(); ++i) delta_bytes += runs[i].bytes;
  const bool is_worth_it = delta_bytes > kSmallBytes || runs.size() > kSmallRuns;
  if (delta_bytes > runs[0].bytes / kDeltaShareOfBase && is_worth_it) return {0, runs.size()};
  const SimilarRuns similar = NewestSimilarRuns(runs);
  if (similar.choice.count >= (similar.are_small ? kSmallRuns : kSimilarRuns)) return similar.choice;
  if (runs.size() - 1 > kMostDeltas) return {1, runs.size() - 1};
  return {};
}

using Choose = RunChoice (*)(const std::vector<RunReference>& runs);
RunChoice ChooseOnOneSide(const std::vector<RunReference>& runs, Choose choose) {
  const auto unsettled =
      std::find_if(runs.begin(), runs.end(), [](const RunReference& run) { return !run.is_settled; });
  const RunChoice before = choose({runs.begin(), unsettled});
  RunChoice after = choose({unsettled, runs.end()});
  after.first += static_cast<size_t>(unsettled - runs.begin());
  return after.count > before.count ? after : before;
}

}  // namespace

RunChoice ChooseAllRuns(const std::vector<RunReference>& runs) { return ChooseOnOneSide(runs, ChooseAllOf); }

RunChoice ChooseRunsByPolicy(const std::vector<RunReference>& runs) { return ChooseOnOneSide(runs, ChooseByPolicyOf); }

std::map<std::string, RunChoice> ChooseTablesByPolicy(const TableRuns& tables) {
  std::map<std::string, RunChoice> chosen;
  std::vector<std::pair<std::string, RunChoice>> small;
  for (const auto& [table, runs] : tables) {
    const RunChoice choice = ChooseRunsByPolicy(runs);
    if (choice.count == 0) continue;
    if (choice.count > kMostDeltas || BytesOf(runs, choice) > kSmallMergeBytes) {
      chosen[table] = choice;
    } else {
      small.emplace_back(table, choice);
    }
  }
  std::stable_sort(small.begin(), small.end(),
                   [](const auto& one, const auto& other) { return one.second.count > other.second.count; });
  if (small.size() > kSmallMergesARound) small.resize(kSmallMergesARound);
  chosen.insert(small.begin(), small.end());
  return chosen;
}

}  // namespace trawl
