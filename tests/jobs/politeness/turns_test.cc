// One asks a unit at a time, and the next one knows when the one before had its answer.
#include "jobs/politeness/turns.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

TEST(HostTurns, OneAtATimeAndTheNextKnowsOfTheOneBefore) {
  HostTurns turns;
  const auto first = turns.Begin(7);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->ended_ms, 0);
  EXPECT_FALSE(turns.Begin(7).has_value());
  EXPECT_TRUE(turns.Begin(8).has_value());
  turns.End(7, {.ended_ms = 1'000, .next_ms = 3'000});
  auto next = turns.Begin(7);
  ASSERT_TRUE(next.has_value());
  EXPECT_EQ(next->ended_ms, 1'000);
  EXPECT_EQ(next->next_ms, 3'000);
  // Who did not ask leaves it as it was.
  turns.Release(7);
  next = turns.Begin(7);
  ASSERT_TRUE(next.has_value());
  EXPECT_EQ(next->ended_ms, 1'000);
}

TEST(HostTurns, ForgetsWhoMayBeAskedAgainAndWasNotAskedForMinutes) {
  constexpr int64_t kNowMs = 1'000'000'000, kMinuteMs = 60'000;
  HostTurns turns;
  const HostTurn kTurns[] = {{.ended_ms = kNowMs - 10 * kMinuteMs, .next_ms = kNowMs - 9 * kMinuteMs},
                             {.ended_ms = kNowMs - kMinuteMs, .next_ms = kNowMs - kMinuteMs / 2},
                             {.ended_ms = kNowMs - 10 * kMinuteMs, .next_ms = kNowMs + kMinuteMs}};
  for (uint64_t unit = 0; unit < 3; ++unit) {
    ASSERT_TRUE(turns.Begin(unit).has_value());
    turns.End(unit, kTurns[unit]);
  }
  ASSERT_TRUE(turns.Begin(3).has_value());
  turns.Forget(kNowMs);
  EXPECT_EQ(turns.Begin(0)->ended_ms, 0) << "it is as one that nobody asked";
  EXPECT_EQ(turns.Begin(1)->ended_ms, kTurns[1].ended_ms) << "its next asker may know of a longer delay";
  EXPECT_EQ(turns.Begin(2)->next_ms, kTurns[2].next_ms);
  EXPECT_FALSE(turns.Begin(3).has_value()) << "it is being asked";
}

}  // namespace
}  // namespace trawl
