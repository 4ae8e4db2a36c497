// The one rule for how long a robots.txt that cannot be reached is left alone.
#include "jobs/politeness/robots_standing.h"

#include <gtest/gtest.h>

#include "formats/rows/times.h"
#include "jobs/politeness/robots_gate.h"
#include "jobs/updatedb/next_state.h"

namespace trawl {
namespace {

constexpr int64_t kNow = 1'767'225'600'000;

TEST(RobotsDeferral, DoublesUpToADay) {
  const int64_t hours[] = {1, 1, 2, 4, 8, 16, 24, 24};
  for (int32_t failures = 0; failures < 8; ++failures) EXPECT_EQ(RobotsDeferralMs(failures), hours[failures] * kHourMs);
  EXPECT_EQ(RobotsDeferralMs(INT32_MAX), kDayMs);
}

TEST(RobotsDeferral, FetchAndUpdatedbAgree) {
  RobotsGate gate("trawl", {});
  const UrlRow page = {.key = "com,example)/"};
  const FetchRow deferred = {.key = page.key, .outcome = Outcome::kRobotsDeferred, .fetched_ms = kNow};
  HttpAnswer down;
  down.outcome = HttpOutcome::kConnectFailed;
  for (int32_t failures = 1; failures < 20; ++failures) {
    gate.Take("com,example)", {down}, kNow);
    const RobotsRow robots = gate.TakeChanged().at(0);
    EXPECT_EQ(robots.due_ms, kNow + RobotsDeferralMs(failures)) << failures;
    const UrlNews news = {.key = page.key, .fetch = &deferred, .robots_failures = robots.failures};
    EXPECT_EQ(NextState(&page, news, {.now_ms = kNow}).row->due_ms, robots.due_ms) << failures;
  }
}

}  // namespace
}  // namespace trawl
