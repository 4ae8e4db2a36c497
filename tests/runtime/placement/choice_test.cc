#include "runtime/placement/choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trawl {
namespace {

using testing::HasSubstr;

constexpr int64_t kMiB = int64_t{1} << 20;
constexpr RunnerLimits kLimits = {.bytes = 256 * kMiB, .wait_ms = 60'000};

TEST(RunnerChoice, AJobOfFewerBytesThanTheLimitRunsHere) {
  const RunnerChoice choice = ChooseRunner({.bytes = 256 * kMiB - 1}, kLimits);
  EXPECT_TRUE(choice.is_local);
  EXPECT_THAT(choice.reason, HasSubstr("less than job.local_bytes (256"));
}

TEST(RunnerChoice, AJobOfAsManyBytesAsTheLimitGoesToTheCluster) {
  const RunnerChoice choice = ChooseRunner({.bytes = 256 * kMiB}, kLimits);
  EXPECT_FALSE(choice.is_local);
  EXPECT_THAT(choice.reason, HasSubstr("not less than job.local_bytes (256"));
}

TEST(RunnerChoice, AFetchThatTakesAsLongAsTheLimitRunsHere) {
  EXPECT_TRUE(ChooseRunner({.bytes = 1, .wait_ms = 60'000}, kLimits).is_local);
}

TEST(RunnerChoice, AFetchThatTakesLongerGoesToTheCluster) {
  const RunnerChoice choice = ChooseRunner({.bytes = 1, .wait_ms = 60'001}, kLimits);
  EXPECT_FALSE(choice.is_local);
  EXPECT_THAT(choice.reason, HasSubstr("longer than job.local_time (1 min"));
}

TEST(RunnerChoice, ALimitOfNothingSendsAllJobs) {
  EXPECT_FALSE(ChooseRunner({.bytes = 0}, {.bytes = 0, .wait_ms = 60'000}).is_local);
}

}  // namespace
}  // namespace trawl
