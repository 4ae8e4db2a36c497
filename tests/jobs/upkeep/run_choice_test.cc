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
      {"a small table of two runs behind the base", {1, 0, 1}, 0, 0},
      {"of three", {1, 0, 0, 1}, 0, 4},
      {"a third in sum", {90, 11, 10, 10}, 0, 4},
      {"four of similar size behind the base", {1000, 2, 2, 2, 2}, 1, 4},
      {"three are not enough", {1000, 2, 2, 2}, 0, 0},
      {"the newest alone where the older ones are much larger", {1000, 40, 2, 2, 2, 2}, 2, 4},
      {"those below a MiB are all alike, and wait for the third", {1000, 0, 1}, 0, 0},
      {"three below a MiB", {1000, 0, 0, 1}, 1, 3},
      {"more than twelve: all behind the base", {100000, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8, 1}, 1, 13},
      {"twelve of mixed sizes wait", {100000, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8, 1, 8}, 0, 0},
  };
  for (const auto& test : kCases) {
    const RunChoice choice = ChooseRunsByPolicy(Runs(test.sizes));
    EXPECT_EQ(choice.count, test.count) << test.rule;
    EXPECT_EQ(choice.count > 0 ? choice.first : 0, test.first) << test.rule;
  }
}

TEST(CompactChoice, TwoSmallMergesARound) {
  const auto tables = ChooseTablesByPolicy({{"hosts", Runs({1, 0, 0, 0, 0, 0, 1})},
                                            {"robots", Runs({1, 0, 0, 0, 0, 0, 0, 1})},
                                            {"seeds", Runs({1, 0, 0, 0, 0, 0, 1})},
                                            {"urls", Runs({90, 11, 10, 10})}});
  ASSERT_EQ(tables.size(), 3u) << "the two of most runs, and a large one";
  EXPECT_EQ(tables.at("robots").count, 8u);
  EXPECT_EQ(tables.at("hosts").count, 7u);
  EXPECT_EQ(tables.at("urls").count, 4u);
  const auto many = ChooseTablesByPolicy({{"a", Runs(std::vector<int64_t>(14, 0))},
                                          {"b", Runs(std::vector<int64_t>(14, 0))},
                                          {"c", Runs(std::vector<int64_t>(14, 0))}});
  EXPECT_EQ(many.size(), 3u) << "more than twelve runs do not wait";
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

// Runs of these sizes, of which trawl settle has seen the first `settled`.
std::vector<RunReference> SettledRuns(const std::vector<int64_t>& sizes, size_t settled) {
  std::vector<RunReference> runs = Runs(sizes);
  for (size_t i = 0; i < settled; ++i) runs[i].is_settled = true;
  return runs;
}

TEST(CompactChoice, SettledRunsAreNotMergedWithOthers) {
  const struct {
    const char* rule;
    std::vector<int64_t> sizes;
    size_t settled;
    RunChoice all;
    RunChoice by_policy;
  } kCases[] = {
      {"one of each", {99, 34}, 1, {}, {}},
      {"all settled: as before", {99, 34}, 2, {0, 2}, {0, 2}},
      {"the settled ones", {99, 34, 1}, 2, {0, 2}, {0, 2}},
      {"the others", {1000, 99, 34, 1}, 1, {1, 3}, {1, 3}},
      {"four of similar size, but on two sides", {1000, 2, 2, 200, 2}, 3, {0, 3}, {}},
      {"of both sides the one of more runs", {99, 34, 3, 99, 34}, 2, {2, 3}, {2, 3}},
  };
  for (const auto& test : kCases) {
    const std::vector<RunReference> runs = SettledRuns(test.sizes, test.settled);
    const RunChoice all = ChooseAllRuns(runs), by_policy = ChooseRunsByPolicy(runs);
    EXPECT_EQ(all.count, test.all.count) << test.rule;
    EXPECT_EQ(by_policy.count, test.by_policy.count) << test.rule;
    EXPECT_EQ(all.count > 0 ? all.first : 0, test.all.first) << test.rule;
    EXPECT_EQ(by_policy.count > 0 ? by_policy.first : 0, test.by_policy.first) << test.rule;
  }
}

// Someone settled the crawl once, and never again.
TEST(CompactChoice, RunsStayFewWhereSettleIsNotRunAgain) {
  std::vector<RunReference> runs = SettledRuns({1000, 2, 2}, 3);
  size_t most = 0;
  for (int round = 0; round < 300; ++round) {
    runs.push_back(Runs({round % 3})[0]);
    for (RunChoice choice = ChooseRunsByPolicy(runs); choice.count > 0; choice = ChooseRunsByPolicy(runs)) {
      const auto begin = runs.begin() + static_cast<std::ptrdiff_t>(choice.first);
      const auto end = begin + static_cast<std::ptrdiff_t>(choice.count);
      RunReference merged = {.is_settled = begin->is_settled};
      for (auto run = begin; run != end; ++run) {
        ASSERT_EQ(run->is_settled, merged.is_settled);
        merged.bytes += run->bytes;
      }
      runs.insert(runs.erase(begin, end), merged);
    }
    most = std::max(most, runs.size());
  }
  EXPECT_LE(most, 3u + 13u);
}

}  // namespace
}  // namespace trawl
