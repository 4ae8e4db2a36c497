// The numbered rules of jobs/politeness/host_answer.h.
#include "jobs/politeness/host_answer.h"

#include <gtest/gtest.h>

#include "formats/rows/times.h"

namespace trawl {
namespace {

constexpr int64_t kNow = 1'772'366'400'000;

HostAnswer Answer(HostSign sign, int64_t response_ms = 1'000, int64_t at_ms = kNow) {
  return {.sign = sign, .ended_ms = at_ms, .response_ms = response_ms};
}

TEST(HostPoliteness, ResponseTimesAreSmoothed) {
  HostRow host;
  TakeAnswer(Answer(HostSign::kAnswered, 1'000), {}, &host);
  EXPECT_EQ(host.response_ms, 1'000);
  TakeAnswer(Answer(HostSign::kAnswered, 2'000), {}, &host);
  EXPECT_EQ(host.response_ms, 1'200);
  TakeAnswer(Answer(HostSign::kFailed, -1), {}, &host);
  EXPECT_EQ(host.response_ms, 1'200);
}

TEST(HostPoliteness, TheSurchargeGrowsWithSlowAnswersAndShrinksWithQuickOnes) {
  const struct {
    int64_t response_ms;
    int32_t surcharge_ms;
  } steps[] = {{5'001, 500}, {9'000, 1'000}, {5'000, 1'000}, {500, 1'000}, {499, 900}, {100, 800}};
  HostRow host;
  for (const auto& step : steps) {
    TakeAnswer(Answer(HostSign::kAnswered, step.response_ms), {}, &host);
    EXPECT_EQ(host.surcharge_ms, step.surcharge_ms) << step.response_ms;
  }
  for (int i = 0; i < 20; ++i) TakeAnswer(Answer(HostSign::kAnswered, 1), {}, &host);
  EXPECT_EQ(host.surcharge_ms, 0);
}

TEST(HostPoliteness, AThrottleHoldsAsToldAndEndsAfterTenGoodAnswers) {
  const struct {
    int64_t retry_after_ms;
    int64_t wait_ms;
  } cases[] = {{-1, 0}, {7'000, 7'000}, {24 * kHourMs, 24 * kHourMs}};
  for (const auto& one : cases) {
    HostRow host;
    HostAnswer answer = Answer(HostSign::kThrottled);
    answer.retry_after_ms = one.retry_after_ms;
    TakeAnswer(answer, {}, &host);
    EXPECT_EQ(host.not_before_ms, one.wait_ms == 0 ? 0 : kNow + one.wait_ms);
    EXPECT_EQ(host.throttle_factor, 1);
    EXPECT_EQ(host.failures_in_a_row, 0);
  }
  HostRow host;
  TakeAnswer(Answer(HostSign::kThrottled), {}, &host);
  TakeAnswer(Answer(HostSign::kThrottled), {}, &host);
  EXPECT_EQ(host.throttle_factor, 2);
  for (int i = 0; i < 9; ++i) TakeAnswer(Answer(HostSign::kAnswered), {}, &host);
  EXPECT_EQ(host.throttle_factor, 2);
  TakeAnswer(Answer(HostSign::kAnswered), {}, &host);
  EXPECT_EQ(host.throttle_factor, 0);
}

TEST(HostPoliteness, TheBreakerOpensAfterFiveAndDoublesUpToADay) {
  HostRow host;
  for (int i = 0; i < 4; ++i) TakeAnswer(Answer(HostSign::kFailed, -1), {}, &host);
  TakeAnswer(Answer(HostSign::kAnswered), {}, &host);  // not in a row
  for (int i = 0; i < 4; ++i) TakeAnswer(Answer(HostSign::kFailed, -1), {}, &host);
  EXPECT_EQ(host.breaker, BreakerState::kClosed);
  int64_t now_ms = kNow;
  for (const int64_t minutes : {5, 10, 20, 40, 80, 160, 320, 640, 1'280, 1'440, 1'440}) {
    TakeAnswer(Answer(HostSign::kFailed, -1, now_ms), {}, &host);
    EXPECT_EQ(host.breaker, BreakerState::kOpen);
    EXPECT_EQ(host.breaker_until_ms - now_ms, minutes * kMinuteMs);
    EXPECT_TRUE(IsBreakerOpen(host, host.breaker_until_ms - 1));
    EXPECT_FALSE(IsBreakerOpen(host, host.breaker_until_ms));
    now_ms = host.breaker_until_ms;
    host.breaker = BreakerState::kHalfOpen;  // one is let through
  }
  TakeAnswer(Answer(HostSign::kAnswered, 100, now_ms), {}, &host);
  EXPECT_EQ(host.breaker, BreakerState::kClosed);
  EXPECT_EQ(host.breaker_openings, 0);
}

TEST(HostPoliteness, TheOptionsSayWhenTheBreakerOpensAndForHowLong) {
  const FetchOptions options = {.breaker_failures = 2, .breaker_first_ms = 1'000, .breaker_longest_ms = 3'000};
  HostRow host;
  TakeAnswer(Answer(HostSign::kFailed, -1), options, &host);
  EXPECT_EQ(host.breaker, BreakerState::kClosed);
  for (const int64_t wait_ms : {1'000, 2'000, 3'000, 3'000}) {
    TakeAnswer(Answer(HostSign::kFailed, -1), options, &host);
    EXPECT_EQ(host.breaker_until_ms - kNow, wait_ms);
  }
  HostRow never;
  for (int i = 0; i < 50; ++i) TakeAnswer(Answer(HostSign::kFailed, -1), {.breaker_failures = 0}, &never);
  EXPECT_EQ(never.breaker, BreakerState::kClosed);
  EXPECT_EQ(never.failures_in_a_row, 50);
}

TEST(HostPoliteness, OurOwnFaultBlamesNobody) {
  HostRow host;
  for (int i = 0; i < 10; ++i) TakeAnswer(Answer(HostSign::kBlameless, -1), {}, &host);
  EXPECT_EQ(host.breaker, BreakerState::kClosed);
  EXPECT_EQ(host.window_requests, 0);
  EXPECT_EQ(host.answered_ms, kNow);  // but the delay runs
}

TEST(HostPoliteness, AFifthOfTwentyFailedWithinAnHourIsSlow) {
  const struct {
    int requests;
    int failures;
    bool slow;
  } cases[] = {{19, 19, false}, {20, 4, false}, {20, 5, true}, {100, 20, false}, {100, 21, true}};
  for (const auto& one : cases) {
    HostRow host;
    for (int i = 0; i < one.requests; ++i) {
      TakeAnswer(Answer(i >= one.requests - one.failures ? HostSign::kFailed : HostSign::kAnswered), {}, &host);
    }
    EXPECT_EQ(host.slow_until_ms == kNow + kHourMs, one.slow) << one.requests << " " << one.failures;
    TakeAnswer(Answer(HostSign::kFailed, -1, kNow + kHourMs), {}, &host);
    EXPECT_EQ(host.window_requests, 1);
  }
}

TEST(HostPoliteness, PagesOfADayAreCountedByDay) {
  HostRow host;
  TakeAnswer(Answer(HostSign::kAnswered, 1, kNow), {}, &host);
  TakeAnswer(Answer(HostSign::kAnswered, 1, kNow + 1), {}, &host);
  HostAnswer robots = Answer(HostSign::kAnswered, 1, kNow + 2);
  robots.is_page = false;
  TakeAnswer(robots, {}, &host);
  EXPECT_EQ(host.pages_today, 2);
  TakeAnswer(Answer(HostSign::kAnswered, 1, kNow + 24 * kHourMs), {}, &host);
  EXPECT_EQ(host.pages_today, 1);
  EXPECT_EQ(host.pages, 3);
}

}  // namespace
}  // namespace trawl
