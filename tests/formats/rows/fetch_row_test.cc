// Which of several rows of one URL counts.
#include "formats/rows/fetch_row.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

FetchRow At(int64_t fetched_ms, int32_t requests) { return {.fetched_ms = fetched_ms, .requests = requests}; }

TEST(FetchRow, TheLaterAnswerCountsThenTheHigherNumberOfRequests) {
  EXPECT_TRUE(IsLater(At(2, 1), At(1, 9)));
  EXPECT_FALSE(IsLater(At(1, 9), At(2, 1)));
  EXPECT_TRUE(IsLater(At(1, 2), At(1, 1)));
  EXPECT_FALSE(IsLater(At(1, 1), At(1, 2)));
}

TEST(FetchRow, OfEqualRowsNeitherIsLater) {
  EXPECT_FALSE(IsLater(At(1, 1), At(1, 1)));
  EXPECT_FALSE(IsLater(At(0, 0), At(0, 0)));
}

}  // namespace
}  // namespace trawl
