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
    const OriginNews origin = {.robots_failures = robots.failures};
    const UrlNews news = {.key = page.key, .fetch = &deferred, .origin = &origin};
    EXPECT_EQ(NextState(&page, news, {.now_ms = kNow}).row->due_ms, robots.due_ms) << failures;
  }
}

TEST(DeadHostStanding, WaitWhateverTheOptionsSay) {
  RobotsRow row = {.key = "com,example)", .outcome = Outcome::kDnsFailed, .due_ms = kNow + kHourMs, .failures = 1};
  row.text = "User-agent: *\nAllow: /\n";
  row.text_ms = kNow - kHourMs;
  row.history = "2026-01-01T00:00:00Z dns_failed 0 dead, dns_failed, no such name\n";
  const RobotsOptions allow = {.on_unreachable = OnUnreachableRobots::kAllow};
  EXPECT_EQ(DeferredUntil(row, {}, kNow), 0) << "a good copy serves";
  row.is_dead = true;
  for (const RobotsOptions& options : {RobotsOptions(), allow}) {
    EXPECT_EQ(DeferredUntil(row, options, kNow), kNow + kHourMs);
    EXPECT_EQ(DeferredUntil(row, options, kNow + kHourMs), 0);
  }
  EXPECT_EQ(OutcomeOfDead(row), Outcome::kDnsFailed);
  EXPECT_EQ(ReasonOfDead(row), "nobody is there to ask for robots.txt: no such name");
}

}  // namespace
}  // namespace trawl
