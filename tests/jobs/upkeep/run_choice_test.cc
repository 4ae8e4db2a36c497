#include "jobs/upkeep/run_choice.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

// Runs of these sizes in MiB, oldest first.
std::vector<RunReference> Runs(const std::vector<int64_t>& sizes, int64_t removed = 0) {
  std::vector<RunReference> runs;
  for (const int64_t size : sizes) {
    runs.push_back(
        {.run = "run" + std::to_string(runs.size()), .rows = size + 1, .removed = removed, .bytes = size * kMiB});
  }
  return runs;
}

TEST(CompactChoice, AllRunsUnlessThatWouldChangeNothing) {
  EXPECT_EQ(ChooseAllRuns({}).count, 0u);
  EXPECT_EQ(ChooseAllRuns(Runs({100})).count, 0u);
  EXPECT_EQ(ChooseAllRuns(Runs({100}, 3)).count, 1u) << "tombstones go";
  const RunChoice all = ChooseAllRuns(Runs({100, 1, 1}));
  EXPECT_EQ(all.first, 0u);
  EXPECT_EQ(all.count, 3u);
}

TEST(CompactChoice, ThePolicy) {
  const struct {
    const char* rule;
    std::vector<int64_t> sizes;
    size_t first;
    size_t count;
  } kCases[] = {
      {"nothing to merge", {}, 0, 0},
      {"nothing to merge", {100}, 0, 0},
      {"one small delta waits", {100, 1}, 0, 0},
      {"a third of the base: everything", {99, 34}, 0, 2},
      {"not yet a third", {99, 33}, 0, 0},
      {"a small table waits", {1, 1}, 0, 0},
      {"a small table of five runs behind the base", {1, 0, 0, 0, 0, 1}, 0, 0},
      {"of six", {1, 0, 0, 0, 0, 0, 1}, 0, 7},
      {"a third in sum", {90, 11, 10, 10}, 0, 4},
      {"four of similar size behind the base", {1000, 2, 2, 2, 2}, 1, 4},
      {"three are not enough", {1000, 2, 2, 2}, 0, 0},
      {"the newest alone where the older ones are much larger", {1000, 40, 2, 2, 2, 2}, 2, 4},
      {"those below a MiB are all alike, and wait for six", {1000, 0, 0, 1, 0, 0}, 0, 0},
      {"six below a MiB", {1000, 0, 0, 1, 0, 0, 0}, 1, 6},
      {"more than twelve: all behind the base", {100000, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8, 1}, 1, 13},
      {"twelve of mixed sizes wait", {100000, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8}, 0, 0},
  };
  for (const auto& test : kCases) {
    const RunChoice choice = ChooseRunsByPolicy(Runs(test.sizes));
    EXPECT_EQ(choice.count, test.count) << test.rule;
    EXPECT_EQ(choice.count > 0 ? choice.first : 0, test.first) << test.rule;
  }
}

TEST(CompactChoice, OneSmallMergeARound) {
  const auto tables = ChooseTablesByPolicy({{"hosts", Runs({1, 0, 0, 0, 0, 0, 1})},
                                            {"robots", Runs({1, 0, 0, 0, 0, 0, 0, 1})},
                                            {"seeds", Runs({1, 0, 0, 0, 0, 0, 1})},
                                            {"urls", Runs({90, 11, 10, 10})}});
  ASSERT_EQ(tables.size(), 2u) << "the one of most runs, and a large one";
  EXPECT_EQ(tables.at("robots").count, 8u);
  EXPECT_EQ(tables.at("urls").count, 4u);
  const auto many =
      ChooseTablesByPolicy({{"a", Runs(std::vector<int64_t>(14, 0))}, {"b", Runs(std::vector<int64_t>(14, 0))}});
  EXPECT_EQ(many.size(), 2u) << "more than twelve runs do not wait";
}

// Rounds of one size each: every row is rewritten a few times only, and runs stay few.
TEST(CompactChoice, ThePolicyKeepsRunsFewAndRewritesFew) {
  std::vector<RunReference> runs = Runs({1000});
  int64_t written = 0;
  size_t most = 0;
  constexpr int kRounds = 300;
  for (int round = 0; round < kRounds; ++round) {
    runs.push_back(Runs({2})[0]);
    for (RunChoice choice = ChooseRunsByPolicy(runs); choice.count > 0; choice = ChooseRunsByPolicy(runs)) {
      RunReference merged;
      for (size_t i = choice.first; i < choice.first + choice.count; ++i) merged.bytes += runs[i].bytes;
      written += merged.bytes / kMiB;
      runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(choice.first),
                 runs.begin() + static_cast<std::ptrdiff_t>(choice.first + choice.count));
      runs.insert(runs.begin() + static_cast<std::ptrdiff_t>(choice.first), merged);
    }
    most = std::max(most, runs.size());
  }
  EXPECT_LE(most, 13u);
  EXPECT_LT(written, 12 * 2 * kRounds) << "MiB rewritten for " << 2 * kRounds << " MiB that came";
}

}  // namespace
}  // namespace trawl
