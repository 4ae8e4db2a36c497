#include "jobs/policy/score.h"

#include <gtest/gtest.h>

#include "formats/rows/url_row.h"

namespace trawl {
namespace {

TEST(Score, FallsWithDepthAndRisesWithWhatIsKnown) {
  struct Case {
    const char* what;
    ScoreFacts facts;
    int32_t score;
  };
  constexpr Case kCases[] = {
      {"a link", {.key = "com,a)/"}, 500'000},
      {"depth 1", {.depth = 1, .key = "com,a)/x"}, 400'000},
      {"depth 5", {.depth = 5}, 0},
      {"any depth", {.depth = 10'000'000}, 0},
      {"no depth", {.depth = -7}, 500'000},
      {"a great host", {.authority = kScoreOne}, 800'000},
      {"a known host", {.depth = 2, .authority = kScoreOne / 2}, 450'000},
      {"three segments", {.key = "com,a)http:8080/1/2/3?q=/4/5"}, 500'000},
      {"a folder", {.key = "com,a)/1/2/3/"}, 500'000},
      {"five segments", {.key = "com,a)/1/2/3/4/5"}, 460'000},
      {"many segments", {.key = "com,a)/1/2/3/4/5/6/7/8/9/10/11/12"}, 400'000},
      {"100 linking hosts", {.depth = 1, .linking_hosts = 100}, 550'000},
      {"a host without authority", {.depth = 1, .linking_hosts = INT64_MAX}, 700'000},
      {"a base of its own", {.base = 900'000, .depth = 1}, 800'000},
      {"important without being a seed", {.depth = 1, .authority = 785'714, .linking_hosts = 1024}, 871'428},
      {"all of it", {.base = kScoreOne, .authority = kScoreOne, .linking_hosts = 10'000}, kScoreOne},
  };
  for (const Case& one : kCases) EXPECT_EQ(ScoreOf(one.facts), one.score) << one.what;
}

TEST(Score, ByRuleIsThatOfTheRowAndItsStanding) {
  UrlRow row;
  row.key = "com,a)/x";
  row.depth = 1;
  row.stated_priority = kScoreOne;
  row.inlinks = 1000;  // what rounds counted says nothing
  EXPECT_EQ(ScoreByRule(row, {.believes_priorities = false}), 400'000);
  EXPECT_EQ(ScoreByRule(row, {}), 800'000);
  EXPECT_EQ(ScoreByRule(row, {.links = {.authority = 500'000, .linking_hosts = 1}, .believes_priorities = false}),
            400'000 + 150'000 + 21'428);
  EXPECT_EQ(ScoreByRule(row, {.suspected_trap = true}), 0) << "bait";
  row.state = UrlState::kFetched;
  EXPECT_EQ(ScoreByRule(row, {.suspected_trap = true}), 800'000);
}

TEST(Score, AuthorityGrowsWithEachDoubling) {
  EXPECT_EQ(AuthorityOf(0), 0);
  EXPECT_EQ(AuthorityOf(-1), 0);
  EXPECT_EQ(AuthorityOf(1), 71'428);
  EXPECT_EQ(AuthorityOf(2), AuthorityOf(3));
  EXPECT_EQ(AuthorityOf(100), 500'000);
  EXPECT_LT(AuthorityOf(kFullAuthorityHosts - 1), kScoreOne);
  EXPECT_EQ(AuthorityOf(kFullAuthorityHosts), kScoreOne);
  EXPECT_EQ(AuthorityOf(INT64_MAX), kScoreOne);
  for (int64_t hosts = 0; hosts < 20'000; ++hosts) ASSERT_LE(AuthorityOf(hosts), AuthorityOf(hosts + 1));
}

}  // namespace
}  // namespace trawl
