// Which delay a past request is said to have had.
#include "jobs/segment/tightest_pauses.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

TEST(DelayBefore, IsThatOfTheFetchNotOfToday) {
  EXPECT_EQ(DelayBefore(103, TightestPause{101, 100}, std::nullopt), 100);
  EXPECT_EQ(DelayBefore(std::nullopt, TightestPause{101, 100}, std::nullopt), 100);
  EXPECT_EQ(DelayBefore(305, TightestPause{101, 100}, 300), 300) << "the last answer's is exact";
  EXPECT_EQ(DelayBefore(305, std::nullopt, 300), 300);
  EXPECT_EQ(DelayBefore(305, std::nullopt, std::nullopt), std::nullopt);
}

TEST(DelayBefore, AccusesNobodyOfWhatTheFetchDidNotMeasure) {
  EXPECT_EQ(DelayBefore(103, TightestPause{305, 300}, std::nullopt), std::nullopt) << "before a throttle, say";
  EXPECT_EQ(DelayBefore(103, std::nullopt, 300), std::nullopt);
  EXPECT_EQ(DelayBefore(92, TightestPause{90, 100}, std::nullopt), 100) << "it measured this one";
  EXPECT_EQ(DelayBefore(102, TightestPause{250, 300}, std::nullopt), std::nullopt) << "it would be the tightest";
  EXPECT_EQ(DelayBefore(280, TightestPause{250, 300}, std::nullopt), std::nullopt);
}

}  // namespace
}  // namespace trawl
