#include "jobs/upkeep/compact.h"

#include <gtest/gtest.h>

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

// Once the runs of such a table were merged into nothing, without a word.
TEST(Compact, ATableThatItDoesNotKnowKeepsItsRuns) {
  SegmentFixture crawl;
  for (const char* key : {"com,example)/1", "com,example)/2"}) {
    ASSERT_OK(crawl.Put<UrlRow>({UnfetchedRow(key)}));
    ASSERT_OK(crawl.Put<LaterRow>({LaterRow{.key = key}}));
  }
  const std::vector<RunReference> later = crawl.Present().tables.at("x");
  ASSERT_EQ(later.size(), 2u);

  LocalRunner runner({.threads = 1, .temp_folder = crawl.root()});
  JobEnvironment environment;
  environment.store = crawl.store();
  environment.runner = &runner;
  environment.clock = &SystemClock();
  environment.now_ms = crawl.now_ms;
  environment.version = "test";
  environment.options = InjectOptionTexts();
  ASSERT_OK_AND_ASSIGN(const JobResult result, RunJob(environment, CompactRequest(/*by_policy=*/false, 1)));
  EXPECT_TRUE(result.changed);
  EXPECT_EQ(crawl.Present().tables.at("urls").size(), 1u);
  EXPECT_EQ(crawl.Present().tables.at("x"), later);
}

}  // namespace
}  // namespace trawl
