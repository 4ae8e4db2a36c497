// A part of the work stops with the whole, and alone.
#include "jobs/rounds/linked_stop.h"

#include <gtest/gtest.h>
#include <poll.h>

namespace trawl {
namespace {

// Waits until the token is asked to stop.
bool IsStoppedSoon(const StopToken& token) {
  pollfd waited = {token.wait_fd(), POLLIN, 0};
  return poll(&waited, 1, 10'000) == 1 && token.stopped();
}

TEST(LinkedStop, FollowsTheOuterOne) {
  const StopSource outer = StopSource::Make().ValueOrDie();
  const auto inner = LinkedStop::Make(outer.token()).ValueOrDie();
  const StopToken token = inner->token();
  EXPECT_FALSE(token.stopped());
  outer.Stop();
  EXPECT_TRUE(IsStoppedSoon(token));
}

TEST(LinkedStop, StopsAlone) {
  const StopSource outer = StopSource::Make().ValueOrDie();
  const auto inner = LinkedStop::Make(outer.token()).ValueOrDie();
  inner->Stop();
  EXPECT_TRUE(inner->token().stopped());
  EXPECT_FALSE(outer.token().stopped());
}

TEST(LinkedStop, ComesTooWhereTheOuterOneIsStoppedAlready) {
  const StopSource outer = StopSource::Make().ValueOrDie();
  outer.Stop();
  const auto inner = LinkedStop::Make(outer.token()).ValueOrDie();
  EXPECT_TRUE(IsStoppedSoon(inner->token()));
}

TEST(LinkedStop, AnOuterOneThatNeverStopsIsNoHindrance) {
  StopToken token;
  {
    const auto inner = LinkedStop::Make(StopToken()).ValueOrDie();
    token = inner->token();
    EXPECT_FALSE(token.stopped());
  }
  EXPECT_TRUE(token.stopped()) << "with its owner its work ends";
}

}  // namespace
}  // namespace trawl
