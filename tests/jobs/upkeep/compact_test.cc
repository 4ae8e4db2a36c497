#include "jobs/upkeep/compact.h"

#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "jobs/inject/inject.h"
#include "runtime/job/local_runner.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

// Rows of a table that only a newer program knows.
struct LaterRow {
  static constexpr char kTable[] = "x";
  static constexpr uint8_t kVersion = 1;

  std::string key;
  bool removed = false;

  template <typename Self, typename Visit>
  static constexpr void VisitFields(Self& row, Visit&& visit) {
    visit("key", row.key);
    visit("removed", row.removed);
  }
};

SidecarEntry SidecarOf(const LaterRow&) { return {.state = 1}; }

// `meanwhile` happens after the runs are merged, and before that is published.
arrow::Result<JobResult> Compact(const SegmentFixture& crawl, const std::function<arrow::Status()>& meanwhile = {}) {
  LocalRunner runner({.threads = 1, .temp_folder = crawl.root()});
  JobEnvironment environment;
  environment.store = crawl.store();
  environment.runner = &runner;
  environment.clock = &SystemClock();
  environment.now_ms = crawl.now_ms;
  environment.version = "test";
  environment.options = InjectOptionTexts();
  JobRequest request = CompactRequest(/*by_policy=*/false, 1);
  if (meanwhile) {
    request.apply = [meanwhile, is_first = true, apply = request.apply](const Plan& plan, const JobOutput& output,
                                                                        Manifest* next) mutable -> arrow::Result<bool> {
      if (std::exchange(is_first, false)) ARROW_RETURN_NOT_OK(meanwhile());
      return apply(plan, output, next);
    };
  }
  return RunJob(environment, request);
}

// Once the runs of such a table were merged into nothing, without a word.
TEST(Compact, ATableThatItDoesNotKnowKeepsItsRuns) {
  SegmentFixture crawl;
  for (const char* key : {"com,example)/1", "com,example)/2"}) {
    ASSERT_OK(crawl.Put<UrlRow>({UnfetchedRow(key)}));
    ASSERT_OK(crawl.Put<LaterRow>({LaterRow{.key = key}}));
  }
  const std::vector<RunReference> later = crawl.Present().tables.at("x");
  ASSERT_EQ(later.size(), 2u);

  ASSERT_OK_AND_ASSIGN(const JobResult result, Compact(crawl));
  EXPECT_TRUE(result.changed);
  EXPECT_EQ(crawl.Present().tables.at("urls").size(), 1u);
  EXPECT_EQ(crawl.Present().tables.at("x"), later);
}

UrlRow Tombstone(const std::string& key) { return {.key = key, .removed = true, .state = UrlState::kNone}; }

void MarkAsSettled(Manifest* next) {
  for (RunReference& run : next->tables["urls"]) run.is_settled = true;
  next->read_to["settle"] = next->number - 1;
}

TEST(Compact, TombstonesWaitUntilSettleHasSeenThem) {
  SegmentFixture crawl;
  ASSERT_OK(crawl.Put<UrlRow>({UnfetchedRow("com,example)/1"), UnfetchedRow("com,example)/2")}));
  ASSERT_OK(crawl.Publish("settle", MarkAsSettled));
  ASSERT_OK(crawl.Put<UrlRow>({Tombstone("com,example)/1")}));
  ASSERT_OK(crawl.Put<UrlRow>({UnfetchedRow("com,example)/3")}));
  ASSERT_OK(Compact(crawl));
  std::vector<RunReference> runs = crawl.Present().tables.at("urls");
  ASSERT_EQ(runs.size(), 2u) << "what settle has seen, and the rest";
  EXPECT_TRUE(runs[0].is_settled);
  EXPECT_FALSE(runs[1].is_settled);
  EXPECT_EQ(runs[1].rows, 2);
  EXPECT_EQ(runs[1].removed, 1);

  ASSERT_OK(crawl.Publish("settle-again", MarkAsSettled));
  ASSERT_OK(Compact(crawl));
  runs = crawl.Present().tables.at("urls");
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_TRUE(runs[0].is_settled);
  EXPECT_EQ(runs[0].removed, 0);
  EXPECT_FALSE(crawl.Find<UrlRow>("com,example)/1"));
}

// Settle publishes while the runs are merged: it has seen all that is in the merged run.
TEST(Compact, OfRunsThatAreSettledMeanwhileTheMergedOneIsSettled) {
  SegmentFixture crawl;
  for (const char* key : {"com,example)/1", "com,example)/2"}) ASSERT_OK(crawl.Put<UrlRow>({UnfetchedRow(key)}));
  ASSERT_OK_AND_ASSIGN(const JobResult result,
                       Compact(crawl, [&crawl] { return crawl.Publish("settle", MarkAsSettled); }));
  EXPECT_TRUE(result.changed);
  const std::vector<RunReference> runs = crawl.Present().tables.at("urls");
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_TRUE(runs[0].is_settled);
  EXPECT_EQ(runs[0].rows, 2);
  EXPECT_TRUE(crawl.Present().read_to.contains("settle"));
}

}  // namespace
}  // namespace trawl
