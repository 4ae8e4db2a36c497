#include "jobs/yields/yield.h"

#include <gtest/gtest.h>

#include <string>

namespace trawl {
namespace {

YieldNews Pages(int64_t fetched, int64_t worthless) {
  YieldNews news;
  for (int64_t i = 0; i < fetched; ++i) {
    news.Add(i < worthless ? (i % 3 == 0   ? PageWorth::kDuplicate
                              : i % 3 == 1 ? PageWorth::kNear
                                           : PageWorth::kSoftError)
                           : (i % 2 == 0 ? PageWorth::kFresh : PageWorth::kAsBefore),
             1000 + i);
  }
  return news;
}

TEST(Yield, CountsEachPageOnce) {
  PatternRow row;
  AddYield(Pages(10, 6), &row);
  EXPECT_EQ(row.fetched, 10'000);
  EXPECT_EQ(row.duplicates, 2000);
  EXPECT_EQ(row.near_duplicates, 2000);
  EXPECT_EQ(row.soft_errors, 2000);
  EXPECT_EQ(row.fresh, 2000) << "two of the four others have not changed";
  EXPECT_EQ(row.fetched_ever, 10);
  EXPECT_EQ(row.counted_ms, 1009);
}

TEST(Yield, JudgesFromTwentyPagesOn) {
  PatternRow row;
  AddYield(Pages(19, 19), &row);
  EXPECT_EQ(row.budget, -1);
  AddYield(Pages(1, 1), &row);
  EXPECT_EQ(row.budget, 1) << "half of one page is one";
  EXPECT_TRUE(YieldsLittle(row));
}

TEST(Yield, OneOfFiveIsEnough) {
  struct Case {
    int64_t fetched, worthless;
    int32_t budget;
  };
  for (const Case& c : {Case{20, 16, -1}, Case{20, 17, 8}, Case{1000, 800, -1}, Case{1000, 801, 8}}) {
    PatternRow row;
    AddYield(Pages(c.fetched, c.worthless), &row);
    EXPECT_EQ(row.budget, c.budget) << c.fetched << " " << c.worthless;
  }
}

TEST(Yield, PagesThatAreLikeOthersCountForLittle) {
  struct Case {
    int64_t worthless, likes, own;
    int32_t budget;
  };
  for (const Case& c : {Case{0, 27, 13, 8}, Case{0, 26, 14, -1}, Case{20, 13, 7, 8}, Case{28, 0, 12, -1},
                        Case{26, 7, 7, -1}, Case{33, 0, 7, 8}}) {
    YieldNews news = Pages(c.worthless, c.worthless);
    for (int64_t i = 0; i < c.likes; ++i) news.Add(PageWorth::kLike, 1000);
    for (int64_t i = 0; i < c.own; ++i) news.Add(PageWorth::kFresh, 1000);
    PatternRow row;
    AddYield(news, &row);
    EXPECT_EQ(row.budget, c.budget) << c.worthless << " " << c.likes << " " << c.own;
    EXPECT_EQ(row.fresh, (c.likes + c.own) * 1000);
    EXPECT_EQ(row.likes, c.likes * 1000);
  }
}

TEST(Yield, WhatCameSinceTheLastSettleIsJudgedByItself) {
  PatternRow row;
  AddYield(Pages(40, 0), &row);
  AddYield(Pages(19, 19), &row);
  EXPECT_EQ(row.budget, -1) << "of too few nothing is said";
  AddYield(Pages(20, 16), &row);
  EXPECT_EQ(row.budget, -1);
  row = {};
  AddYield(Pages(40, 0), &row);
  AddYield(Pages(20, 17), &row);
  EXPECT_EQ(row.budget, 8);
}

TEST(Yield, BudgetHalvesToOneProbeAndRecovers) {
  PatternRow row;
  AddYield(Pages(5000, 4999), &row);
  for (const int32_t budget : {8, 4, 2, 1, 1, 1}) {
    EXPECT_EQ(row.budget, budget);
    AddYield(Pages(row.budget, row.budget), &row);
  }
  AddYield({}, &row);
  EXPECT_EQ(row.budget, 1) << "a round without a page of it says nothing";
  for (const int32_t budget : {2, 4, 8, 16, 32}) {
    AddYield(Pages(row.budget, row.budget / 2), &row);
    EXPECT_EQ(row.budget, budget);
  }
  AddYield(Pages(32, 8), &row);
  EXPECT_EQ(row.budget, -1);
  EXPECT_EQ(row.fetched, 32'000) << "the bad pages of before are forgotten";
  AddYield(Pages(300, 299), &row);
  EXPECT_EQ(row.budget, 8) << "a pattern that was good may turn bad";
}

TEST(Yield, AnHonestArchiveNeverHasABudget) {
  PatternRow row;
  for (int round = 0; round < 100; ++round) {  // 50,000 pages
    AddYield(Pages(500, 5), &row);
    ASSERT_EQ(row.budget, -1) << round;
  }
  YieldNews unchanged;
  for (int i = 0; i < 500; ++i) unchanged.Add(PageWorth::kAsBefore, 1);
  for (int round = 0; round < 100; ++round) {
    AddYield(unchanged, &row);
    ASSERT_EQ(row.budget, -1) << "pages that stay as they are are no waste";
  }
  EXPECT_EQ(row.fetched, (500 + kMemory) * 1000);
  EXPECT_EQ(row.fetched_ever, 100'000);
}

TEST(Yield, LinksSaveNoPattern) {
  PatternRow row;
  YieldNews news = Pages(100, 100);
  news.links = 100'000;
  AddYield(news, &row);
  EXPECT_EQ(row.links, 100'000'000);
  EXPECT_EQ(row.budget, 8);
}

}  // namespace
}  // namespace trawl
