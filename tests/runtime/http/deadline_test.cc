#include "runtime/http/deadline.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

using Breach = HttpDeadline::Breach;

bool Connected() { return true; }
bool NotConnected() { return false; }

TEST(HttpDeadline, EveryStageHasItsLimit) {
  HttpDeadline deadline({}, 1'000);
  EXPECT_EQ(deadline.Check(30'999, 0, NotConnected), Breach::kNone) << "names have limits of their own";
  EXPECT_EQ(deadline.Check(31'000, 0, NotConnected), Breach::kTotal);

  deadline = HttpDeadline({}, 0);
  deadline.ConnectBegins(100);
  deadline.AddressBegins(100);
  EXPECT_EQ(deadline.Check(3'099, 0, NotConnected), Breach::kNone);
  EXPECT_EQ(deadline.Check(3'100, 0, NotConnected), Breach::kAddress);
  EXPECT_EQ(deadline.Check(3'100, 0, Connected), Breach::kNone) << "TLS has what is left of the ten seconds";
  deadline.AddressBegins(3'100);
  EXPECT_EQ(deadline.Check(6'099, 0, NotConnected), Breach::kNone);
  EXPECT_EQ(deadline.Check(10'100, 0, Connected), Breach::kConnect);

  deadline.Sent(9'000);
  EXPECT_EQ(deadline.Check(28'999, 0, Connected), Breach::kNone);
  EXPECT_EQ(deadline.Check(29'000, 0, Connected), Breach::kFirstByte);
}

TEST(HttpDeadline, SpeedIsThatOfTheLastTenSeconds) {
  HttpLimits limits;
  limits.total_ms = 1'000'000;
  const auto run = [&](auto received_at) {
    HttpDeadline deadline(limits, 0);
    deadline.Sent(0);
    deadline.FirstByte(0);
    for (int64_t now = 0; now <= 60'000; now += 100) {
      if (deadline.Check(now, received_at(now), Connected) == Breach::kTooSlow) return now;
    }
    return int64_t{-1};
  };
  EXPECT_EQ(run([](int64_t) { return 0; }), 10'000);
  EXPECT_EQ(run([](int64_t now) { return now; }), -1) << "exactly 1,000 bytes a second";
  EXPECT_EQ(run([](int64_t now) { return now * 99 / 100; }), 10'000);
  EXPECT_EQ(run([](int64_t now) { return now < 1'000 ? now * 1'000 : 1'000'000; }), 11'000) << "a stop after a burst";
  EXPECT_EQ(run([](int64_t now) { return now / 9'000 * 10'000; }), -1) << "bursts within the window";
}

TEST(HttpDeadline, PausesAndLateLoopsCountAgainstNobody) {
  HttpDeadline deadline({}, 0);
  deadline.Sent(0);
  deadline.FirstByte(0);
  EXPECT_EQ(deadline.Check(5'000, 100'000, Connected), Breach::kNone);
  deadline.Pause(5'000);
  EXPECT_EQ(deadline.Check(500'000, 100'000, Connected), Breach::kNone);
  deadline.Resume(600'000);
  EXPECT_EQ(deadline.Check(600'000, 100'000, Connected), Breach::kNone);
  deadline.GiveBack(50'000);
  EXPECT_EQ(deadline.Check(650'000, 100'000, Connected), Breach::kNone);
  EXPECT_EQ(deadline.Check(674'999, 1'000'000, Connected), Breach::kNone);
  EXPECT_EQ(deadline.Check(675'000, 2'000'000, Connected), Breach::kTotal) << "25 s were left";
}

TEST(HttpDeadline, LimitsMayBeSmall) {
  HttpLimits limits;
  limits.speed_window_ms = 5;
  HttpDeadline deadline(limits, 0);
  deadline.Sent(0);
  deadline.FirstByte(0);
  for (int64_t now = 100; now < 110; ++now) {
    EXPECT_EQ(deadline.Check(now, 0, Connected), now < 109 ? Breach::kNone : Breach::kTooSlow);
  }
}

}  // namespace
}  // namespace trawl
