#include "jobs/updatedb/next_host.h"

#include <gtest/gtest.h>

#include "formats/rows/times.h"

namespace trawl {
namespace {
constexpr int64_t kNow = 1'767'225'600'000;

TEST(HostUpdate, OperatorsWordAndCountsComeFromTheTable) {
  HostRow known;
  known.key = "com,a";
  known.blocked = true;
  known.operator_delay_ms = 5000;
  known.operator_pages_a_day = 7;
  known.trap_cleared = true;
  known.operator_pages = 70;
  known.operator_reason = "asked";
  known.domain.operator_pages = 700;
  known.discovered = 40;
  known.linking_hosts = 3;
  known.answered_ms = kNow - 10 * kHourMs;
  HostRow observed = known;
  observed.blocked = false;
  observed.operator_delay_ms = 0;
  observed.operator_pages_a_day = 0;
  observed.operator_pages = 1;
  observed.operator_reason = "";
  observed.domain = {.blocked = true};
  observed.trap_cleared = false;
  observed.discovered = 1;
  observed.linking_hosts = 0;
  observed.answered_ms = kNow - 60'000;
  observed.delay_ms = 900;
  observed.breaker = BreakerState::kOpen;
  observed.fetched = 9;
  const HostRow next = NextHost(&known, &observed, {.discovered = 2, .linking_hosts = 1}, {}, kNow);
  EXPECT_TRUE(next.blocked);
  EXPECT_EQ(next.operator_delay_ms, 5000);
  EXPECT_EQ(next.operator_pages_a_day, 7);
  EXPECT_EQ(next.operator_pages, 70);
  EXPECT_EQ(next.operator_reason, "asked");
  EXPECT_EQ(next.domain, known.domain);
  EXPECT_TRUE(next.trap_cleared);
  EXPECT_EQ(next.discovered, 42);
  EXPECT_EQ(next.linking_hosts, 4);
  EXPECT_EQ(next.delay_ms, 900);
  EXPECT_EQ(next.breaker, BreakerState::kOpen);
  EXPECT_EQ(next.fetched, 9);
}

TEST(HostUpdate, LateSegmentKeepsTheNewerStateAndTheLargerCounts) {
  HostRow known, observed;
  known.answered_ms = kNow;
  known.delay_ms = 100;
  known.pages = 50;
  observed.answered_ms = kNow - kHourMs;
  observed.delay_ms = 200;
  observed.pages = 60;
  const HostRow next = NextHost(&known, &observed, {}, {}, kNow);
  EXPECT_EQ(next.delay_ms, 100);
  EXPECT_EQ(next.pages, 60);
}

// An expired segment that is applied after a later one of the same day: both have asked for pages, and both count.
TEST(HostUpdate, PagesOfALateSegmentComeToThoseOfTheTable) {
  constexpr int64_t kDay = kNow - kNow % kDayMs;
  HostRow known, late;
  known.answered_ms = kNow;
  known.day_start_ms = kDay;
  known.pages_today = 7;  // 2 before both segments, 5 of the later one
  known.pages = 70;
  late.answered_ms = kNow - kHourMs;
  late.day_start_ms = kDay;
  late.pages_today = 5;  // 2 before, 3 of its own
  late.pages = 68;
  late.round_pages = late.round_pages_today = 3;
  HostRow next = NextHost(&known, &late, {}, {}, kNow);
  EXPECT_EQ(next.pages, 73);
  EXPECT_EQ(next.pages_today, 10);
  EXPECT_EQ(next.round_pages, 0);
  EXPECT_EQ(next.round_pages_today, 0);
  late.day_start_ms = kDay - kDayMs;
  next = NextHost(&known, &late, {}, {}, kNow);
  EXPECT_EQ(next.pages, 73);
  EXPECT_EQ(next.pages_today, 7);
  EXPECT_EQ(next.day_start_ms, kDay);
}

TEST(HostUpdate, AHostIsDiscoveredOnce) {
  HostRow only_blocked;
  only_blocked.blocked = true;
  EXPECT_EQ(NextHost(nullptr, nullptr, {.discovered = 1}, {}, kNow).discovered_ms, kNow);
  EXPECT_EQ(NextHost(&only_blocked, nullptr, {.linking_hosts = 1}, {}, kNow).discovered_ms, kNow);
  const HostRow seen = NextHost(nullptr, nullptr, {.discovered = 1}, {}, kNow);
  EXPECT_EQ(NextHost(&seen, nullptr, {.discovered = 1}, {}, kNow + 1).discovered_ms, kNow);
  HostRow older;  // seen by a version that did not note it
  older.discovered = 3;
  EXPECT_EQ(NextHost(&older, nullptr, {.discovered = 1}, {}, kNow).discovered_ms, 0);
}

TEST(HostUpdate, FifthOfTwentyRequestsMakesItSlow) {
  const auto slow_until = [](int32_t requests, int32_t failures) {
    HostRow observed;
    observed.answered_ms = kNow - 1000;
    observed.window_start_ms = kNow - kHourMs / 2;
    observed.window_requests = requests;
    observed.window_failures = failures;
    return NextHost(nullptr, &observed, {}, {}, kNow).slow_until_ms;
  };
  EXPECT_EQ(slow_until(19, 19), 0);
  EXPECT_EQ(slow_until(20, 4), 0);
  EXPECT_EQ(slow_until(20, 5), kNow - 1000 + kHourMs);
}

TEST(HostUpdate, WindowOfAnHourAgoIsOver) {
  HostRow observed;
  observed.answered_ms = kNow - 1000;
  observed.window_start_ms = kNow - kHourMs;
  observed.window_requests = 30;
  observed.window_failures = 3;
  const HostRow next = NextHost(nullptr, &observed, {}, {}, kNow);
  EXPECT_EQ(next.window_requests, 0);
  EXPECT_EQ(next.window_failures, 0);
  EXPECT_EQ(next.window_start_ms, 0);
}

TEST(HostUpdate, AClearedTrapIsJudgedByWhatCameSince) {
  HostRow known;
  known.fetched = 1000;
  known.discovered = 900'000;
  known.trap_cleared = true;  // by a version that did not say since when
  HostRow next = NextHost(&known, nullptr, {.discovered = 5}, {}, kNow);
  EXPECT_FALSE(next.suspected_trap);
  EXPECT_EQ(next.cleared_fetched, 1000);
  EXPECT_EQ(next.cleared_discovered, 900'005);
  next.fetched = 1099;
  next = NextHost(&next, nullptr, {.discovered = 60'000}, {}, kNow);
  EXPECT_FALSE(next.suspected_trap) << "of 99 pages nothing is said";
  EXPECT_TRUE(next.trap_cleared);
  next.fetched = 1100;
  next = NextHost(&next, nullptr, {}, {}, kNow);
  EXPECT_TRUE(next.suspected_trap) << "100 pages since brought 60,000 URLs";
  EXPECT_FALSE(next.trap_cleared);
  next.fetched = 1241;
  next = NextHost(&next, nullptr, {}, {}, kNow);
  EXPECT_FALSE(next.suspected_trap);
}

TEST(HostUpdate, UrlsThatTheLimitOfATrapLeftOutCountAgainstIt) {
  HostRow known;
  known.suspected_trap = true;
  known.fetched = 300;
  known.discovered = 60'000;
  EXPECT_FALSE(NextHost(&known, nullptr, {.discovered = 1000}, {}, kNow).suspected_trap);
  const HostRow next = NextHost(&known, nullptr, {.discovered = 1000, .left_out = 20'000}, {}, kNow);
  EXPECT_TRUE(next.suspected_trap) << "it is the limit that kept the number down";
  EXPECT_EQ(next.discovered, 61'000);
}

TEST(HostUpdate, NewUrlsCountByTheDay) {
  HostRow row = NextHost(nullptr, nullptr, {.discovered = 7}, {}, kNow);
  row = NextHost(&row, nullptr, {.discovered = 3}, {}, kNow + 1);
  EXPECT_EQ(row.discovered_today, 10);
  EXPECT_EQ(row.discovered_day_ms, kNow - kNow % kDayMs);
  row = NextHost(&row, nullptr, {.discovered = 2}, {}, kNow + kDayMs);
  EXPECT_EQ(row.discovered_today, 2);
  EXPECT_EQ(row.discovered, 12);
}

TEST(HostUpdate, TheAnswerToAPathThatCannotExistReplacesTheOneBefore) {
  HostRow row = NextHost(nullptr, nullptr, {.probe = {.asked_ms = 5, .content_digest = "d", .simhash = 9}}, {}, kNow);
  EXPECT_EQ(row.probe_ms, 5);
  EXPECT_EQ(row.error_digest, "d");
  EXPECT_EQ(row.error_simhash, 9);
  HostRow observed;
  observed.answered_ms = kNow;
  EXPECT_EQ(NextHost(&row, &observed, {}, {}, kNow).error_digest, "d") << "fetch says nothing of it";
  row = NextHost(&row, nullptr, {.probe = {.asked_ms = 4, .content_digest = "late"}}, {}, kNow);
  EXPECT_EQ(row.error_digest, "d");
  row = NextHost(&row, nullptr, {.probe = {.asked_ms = 6}}, {}, kNow);
  EXPECT_EQ(row.probe_ms, 6);
  EXPECT_EQ(row.error_digest, "") << "it answers 404 now";
}

TEST(HostUpdate, TrapIsSuspectedUntilItLooksLikeAHostAgain) {
  struct Case {
    bool was, cleared;
    int64_t fetched, discovered;
    bool is;
  };
  constexpr Case kCases[] = {
      {false, false, 99, 1'000'000, false}, {false, false, 100, 50'000, false}, {false, false, 100, 50'001, true},
      {true, false, 100, 30'000, true},     {true, false, 100, 25'000, true},   {true, false, 100, 24'999, false},
      {true, true, 100, 90'000, false},     {false, true, 100, 90'000, false},  {true, false, 1000, 60'000, false},
  };
  for (const Case& c : kCases) {
    HostRow known;
    known.suspected_trap = c.was;
    known.trap_cleared = c.cleared;
    known.fetched = c.fetched;
    known.discovered = c.discovered - 1;
    EXPECT_EQ(NextHost(&known, nullptr, {.discovered = 1}, {}, kNow).suspected_trap, c.is)
        << c.fetched << " " << c.discovered;
  }
}

TEST(HostUpdate, LastObservationOfASegmentCounts) {
  HostRow a, b;
  a.answered_ms = b.answered_ms = kNow;
  a.pages = 2;
  b.pages = 1;
  EXPECT_TRUE(IsNewerObservation(a, b));
  EXPECT_FALSE(IsNewerObservation(b, a));
  b.answered_ms = kNow + 1;
  EXPECT_TRUE(IsNewerObservation(b, a));
}

TEST(HostUpdate, RobotsTextStaysWhileFailuresGoOn) {
  RobotsRow known, observed;
  known.fetched_ms = kNow - kHourMs;
  known.text = "User-agent: *\nDisallow: /x";
  known.text_ms = kNow - kHourMs;
  observed.fetched_ms = kNow;
  observed.failures = 2;
  observed.outcome = Outcome::kServerError;
  const std::optional<RobotsRow> next = NextRobots(&known, observed, {}, 0);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->text, known.text);
  EXPECT_EQ(next->failures, 2);
  EXPECT_FALSE(NextRobots(&*next, known, {}, 0));  // what is older changes nothing
  EXPECT_FALSE(NextRobots(&*next, *next, {}, 0));
  // A good answer without a rule is a good answer.
  observed.failures = 0;
  observed.outcome = Outcome::kFetched;
  observed.text_ms = kNow;
  EXPECT_EQ(NextRobots(&known, observed, {}, 0)->text, "");
}

// The round's robots.txt of an origin, after the rounds before it.
RobotsRow Observed(int64_t at_ms, bool is_dead) {
  RobotsRow row;
  row.fetched_ms = at_ms;
  row.outcome = is_dead ? Outcome::kConnectFailed : Outcome::kTimeout;
  row.failures = 1;
  row.is_dead = is_dead;
  row.dead_rounds = is_dead ? 1 : 0;
  return row;
}

TEST(DeadOrigin, IsGoneInTheLastOfThreeRoundsAndThenLeftAloneForLonger) {
  std::optional<RobotsRow> known;
  int64_t now_ms = kNow;
  struct {
    int64_t days;
    OriginFate fate;
  } rounds[] = {{1, OriginFate::kSame}, {1, OriginFate::kSame}, {1, OriginFate::kGone},
                {2, OriginFate::kGone}, {4, OriginFate::kGone}, {8, OriginFate::kGone}};
  int32_t count = 0;
  for (const auto& round : rounds) {
    const std::optional<RobotsRow> next = NextRobots(known ? &*known : nullptr, Observed(now_ms, true), {}, now_ms);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->dead_rounds, ++count);
    EXPECT_EQ(FateOf(known ? &*known : nullptr, *next, {}), round.fate) << count;
    EXPECT_EQ(next->due_ms, now_ms + round.days * kDayMs) << count;
    known = next;
    now_ms = next->due_ms;
  }
  for (int i = 0; i < 40; ++i) {
    ++now_ms;
    known = NextRobots(&*known, Observed(now_ms, true), {}, 0);
  }
  EXPECT_EQ(known->due_ms, now_ms + 90 * kDayMs);
}

TEST(DeadOrigin, OnlyAnAnswerEndsTheCount) {
  RobotsRow known = Observed(kNow, true);
  known.dead_rounds = 2;
  const std::optional<RobotsRow> late = NextRobots(&known, Observed(kNow + 1, false), {}, kNow);
  EXPECT_EQ(late->dead_rounds, 2);
  EXPECT_FALSE(late->is_dead);
  EXPECT_EQ(FateOf(&known, *late, {}), OriginFate::kSame);
  RobotsRow error = Observed(kNow + 2, false);
  error.outcome = Outcome::kServerError;
  error.status = 500;
  const std::optional<RobotsRow> answered = NextRobots(&*late, error, {}, kNow);
  EXPECT_EQ(answered->dead_rounds, 0);
  EXPECT_EQ(FateOf(&*late, *answered, {}), OriginFate::kBack);
  EXPECT_EQ(FateOf(&*answered, *answered, {}), OriginFate::kSame);
}

}  // namespace
}  // namespace trawl
