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
      {"depth 1", {.depth = 1, .inlinks = 1, .key = "com,a)/x"}, 400'000},
      {"depth 5", {.depth = 5}, 0},
      {"any depth", {.depth = 10'000'000}, 0},
      {"no depth", {.depth = -7}, 500'000},
      {"a great host", {.authority = kScoreOne}, 800'000},
      {"a known host", {.depth = 2, .authority = kScoreOne / 2}, 450'000},
      {"three segments", {.key = "com,a)http:8080/1/2/3?q=/4/5"}, 500'000},
      {"a folder", {.key = "com,a)/1/2/3/"}, 500'000},
      {"five segments", {.key = "com,a)/1/2/3/4/5"}, 460'000},
      {"many segments", {.key = "com,a)/1/2/3/4/5/6/7/8/9/10/11/12"}, 400'000},
      {"101 inlinks", {.depth = 1, .inlinks = 101}, 550'000},
      {"its own site alone", {.depth = 1, .inlinks = INT32_MAX}, 700'000},
      {"a base of its own", {.base = 900'000, .depth = 1}, 800'000},
      {"important without being a seed", {.depth = 1, .authority = 785'714, .inlinks = 1025}, 871'428},
      {"all of it", {.base = kScoreOne, .authority = kScoreOne, .inlinks = 10'000}, kScoreOne},
  };
  for (const Case& one : kCases) EXPECT_EQ(ScoreOf(one.facts), one.score) << one.what;
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
