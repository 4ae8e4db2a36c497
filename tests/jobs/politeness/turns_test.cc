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

}  // namespace
}  // namespace trawl
