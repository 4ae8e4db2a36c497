#include "jobs/policy/score.h"

#include <gtest/gtest.h>

#include "formats/rows/url_row.h"

namespace trawl {
namespace {

TEST(Score, IsBaseLessDepthAndAuthority) {
  struct Case {
    int32_t base, depth, authority, score;
  };
  constexpr Case kCases[] = {
      {kLinkScore, 0, 0, 500'000},
      {kLinkScore, 1, 0, 400'000},
      {kLinkScore, 5, 0, 0},
      {kLinkScore, 10'000'000, 0, 0},
      {kLinkScore, 0, kScoreOne, 800'000},
      {kLinkScore, 2, kScoreOne / 2, 450'000},
      {kScoreOne, 0, kScoreOne, kScoreOne},
      {kScoreOne, 3, 0, 700'000},
      {kLinkScore, -7, 0, 500'000},
  };
  for (const Case& c : kCases) EXPECT_EQ(ScoreOf(c.base, c.depth, c.authority), c.score) << c.base << " " << c.depth;
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
