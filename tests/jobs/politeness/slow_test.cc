// The one rule for slow hosts, and that those who observe, apply and plan go by it alike.
#include "jobs/politeness/slow.h"

#include <gtest/gtest.h>

#include "jobs/politeness/host_answer.h"
#include "jobs/updatedb/next_host.h"

namespace trawl {
namespace {

constexpr TimeMs kNow = 1'767'225'600'000;

TEST(Slow, IsAFifthOfTwentyRequestsOfTheLastHour) {
  struct Case {
    HostRow host;
    bool slow;
  };
  const Case cases[] = {
      {{}, false},
      {{.window_start_ms = kNow - 1, .window_requests = 20, .window_failures = 5}, true},
      {{.window_start_ms = kNow - 1, .window_requests = 20, .window_failures = 4}, false},
      {{.window_start_ms = kNow - 1, .window_requests = 19, .window_failures = 19}, false},
      {{.window_start_ms = kNow - kHourMs + 1, .window_requests = 50, .window_failures = 50}, true},
      {{.window_start_ms = kNow - kHourMs, .window_requests = 50, .window_failures = 50}, false},
      {{.window_start_ms = kNow - kHourMs - 1, .window_requests = 50, .window_failures = 50}, false},
      {{.slow_until_ms = kNow + 1}, true},
      {{.slow_until_ms = kNow}, false},
  };
  for (const Case& one : cases) EXPECT_EQ(IsSlow(one.host, {}, kNow), one.slow);
}

TEST(Slow, FetchAndUpdatedbAndGenerateAgree) {
  for (const int failures : {0, 4, 5, 20}) {
    HostRow host;
    for (int i = 0; i < 20; ++i) {
      TakeAnswer({.sign = i < 20 - failures ? HostSign::kAnswered : HostSign::kFailed, .ended_ms = kNow}, {}, &host);
    }
    const bool is_slow = failures >= 5;
    EXPECT_EQ(HasFailedOften(host, {}), is_slow) << failures;
    EXPECT_EQ(host.slow_until_ms, is_slow ? kNow + kHourMs : 0) << failures;
    EXPECT_EQ(IsSlow(host, {}, kNow), is_slow) << failures;
    host.slow_until_ms = 0;
    EXPECT_EQ(NextHost(nullptr, &host, {}, {}, kNow).slow_until_ms, is_slow ? kNow + kHourMs : 0) << failures;
  }
}

TEST(Slow, TheOptionsSayHowManyFailuresAndForHowLong) {
  const FetchOptions options = {
      .slow_percent = 50, .slow_requests = 4, .slow_window_ms = kMinuteMs, .slow_time_ms = 2 * kMinuteMs};
  HostRow host = {.window_start_ms = kNow - 1, .window_requests = 4, .window_failures = 2};
  EXPECT_FALSE(IsSlow(host, options, kNow));
  host.window_failures = 3;
  EXPECT_TRUE(IsSlow(host, options, kNow));
  EXPECT_FALSE(IsSlow(host, options, kNow + kMinuteMs));
  host.answered_ms = kNow;
  EXPECT_EQ(NextHost(nullptr, &host, {}, options, kNow).slow_until_ms, kNow + 2 * kMinuteMs);
}

TEST(Slow, AWindowThatBeganAnHourAgoIsOverForAll) {
  HostRow host = {.window_start_ms = kNow - kHourMs, .window_requests = 30, .window_failures = 30};
  EXPECT_TRUE(IsWindowOver(host, {}, kNow));
  EXPECT_FALSE(IsWindowOver(host, {}, kNow - 1));
  EXPECT_FALSE(IsSlow(host, {}, kNow));
  EXPECT_TRUE(IsSlow(host, {}, kNow - 1));
  HostRow observed = host;
  EXPECT_EQ(NextHost(nullptr, &observed, {}, {}, kNow).window_requests, 0);
  EXPECT_EQ(NextHost(nullptr, &observed, {}, {}, kNow - 1).window_requests, 30);
  TakeAnswer({.ended_ms = kNow}, {}, &host);
  EXPECT_EQ(host.window_requests, 1);
}

}  // namespace
}  // namespace trawl
