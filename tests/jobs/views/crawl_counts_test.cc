#include "jobs/views/crawl_counts.h"

#include <gtest/gtest.h>

#include <numeric>

namespace trawl {
namespace {

constexpr TimeMs kFrom = 1'767'225'600'000;

TEST(DueTimes, WhatIsDueAtAWholeSecondIsExactForAnHour) {
  DueTimes due(kFrom);
  for (const int64_t after : {-5'000, 0, 1, 999, 1'000, 1'001, 3'599'000}) due.Add(kFrom + after);
  EXPECT_EQ(due.DueAt(kFrom), 2);
  EXPECT_EQ(due.DueAt(kFrom + 999), 2);
  EXPECT_EQ(due.DueAt(kFrom + 1'000), 5);
  EXPECT_EQ(due.DueAt(kFrom + 2'000), 6);
  EXPECT_EQ(due.DueAt(kFrom + 3'598'000), 6);
  EXPECT_EQ(due.DueAt(kFrom + 3'600'000), 7);
}

TEST(DueTimes, LaterItIsExactToAMinute) {
  DueTimes due(kFrom);
  due.Add(kFrom + 2 * kHourMs + 30'000);
  EXPECT_EQ(due.DueAt(kFrom + 2 * kHourMs), 0);
  EXPECT_EQ(due.DueAt(kFrom + 2 * kHourMs + 60'000), 1);
  EXPECT_EQ(due.NextAfter(kFrom), kFrom + 2 * kHourMs + 60'000);
}

TEST(DueTimes, TimesThatItDoesNotKnowAreSaid) {
  DueTimes due(kFrom);
  EXPECT_FALSE(due.Knows(kFrom - 1));
  EXPECT_TRUE(due.Knows(kFrom));
  EXPECT_FALSE(due.Knows(kFrom + 7 * kDayMs));
}

TEST(DueTimes, NextIsTheFirstAfterwardsHoweverFar) {
  DueTimes due(kFrom);
  EXPECT_EQ(due.NextAfter(kFrom), kNever);
  due.Add(kFrom + 30 * kDayMs);
  EXPECT_EQ(due.NextAfter(kFrom), kFrom + 30 * kDayMs);
  due.Add(kFrom + 500);
  EXPECT_EQ(due.NextAfter(kFrom), kFrom + 1'000);
  EXPECT_EQ(due.NextAfter(kFrom + 1'000), kFrom + 30 * kDayMs);
}

TEST(DueTimes, HoursAddUpAndPartsMerge) {
  DueTimes due(kFrom), other(kFrom);
  for (int hour = 0; hour < 168; ++hour) due.Add(kFrom + hour * kHourMs + 1);
  other.Add(kFrom - 1);
  other.Add(kFrom + 1);
  due.Merge(other);
  const auto hours = due.ByHour(kFrom);
  EXPECT_EQ(hours.size(), 168u);
  EXPECT_EQ(hours[0], 2);
  EXPECT_EQ(std::accumulate(hours.begin(), hours.end(), int64_t{0}), 169);
  EXPECT_EQ(due.DueAt(kFrom), 1);
}

}  // namespace
}  // namespace trawl
