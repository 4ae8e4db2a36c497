// The schedule of a fetch task, by hand: no clock, no network.
#include "jobs/politeness/frontier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace trawl {
namespace {

constexpr int64_t kNow = 1'772'366'400'000;

HostRow Host(const std::string& key) {
  HostRow row;
  row.key = key;
  return row;
}

HostAnswer AnsweredAt(int64_t at_ms) { return {.ended_ms = at_ms, .response_ms = 100}; }

FetchOptions Delay(int32_t ms) {
  FetchOptions options;
  options.delay_ms = ms;
  return options;
}

TEST(FetchFrontier, AHostIsAskedInOrderADelayBehindEachAnswer) {
  FetchFrontier frontier(Delay(1'000), kNow);
  const HostNumber host = frontier.AddHost(Host("a"), "a", false);
  for (const UrlNumber url : {7u, 8u, 9u}) frontier.Append(host, url);
  int64_t now_ms = kNow;
  for (const UrlNumber expected : {7u, 8u, 9u}) {
    ASSERT_EQ(frontier.Take(now_ms), host);
    EXPECT_EQ(frontier.NextUrl(host, now_ms), expected);
    EXPECT_EQ(frontier.Take(now_ms + 100'000), std::nullopt);  // it is busy
    now_ms += 300;
    frontier.Answered(host, AnsweredAt(now_ms));
    EXPECT_EQ(frontier.Take(now_ms + 1'000), std::nullopt);
    now_ms += 1'016;
  }
  EXPECT_EQ(frontier.NextMs(), kNever);
  EXPECT_EQ(frontier.urls_left(), 0);
}

TEST(FetchFrontier, WhatWasSettledWithoutARequestCostsNoDelay) {
  FetchFrontier frontier(Delay(1'000), kNow);
  const HostNumber host = frontier.AddHost(Host("a"), "a", false);
  frontier.Append(host, 0);
  frontier.Append(host, 1);
  ASSERT_EQ(frontier.Take(kNow), host);
  frontier.NextUrl(host, kNow);
  frontier.Release(host);
  EXPECT_EQ(frontier.Take(kNow), host);
}

TEST(FetchFrontier, ItStartsFromWhatIsKnownOfTheHost) {
  const struct {
    const char* name;
    void (*change)(HostRow& row);
    bool waits_first;
    int64_t first_ms;
  } cases[] = {
      {"never asked", [](HostRow&) {}, false, 0},
      {"asked long ago", [](HostRow& row) { row.answered_ms = kNow - 60'000; }, false, 0},
      {"asked just now", [](HostRow& row) { row.answered_ms = kNow - 400; }, false, 616},
      {"asked just now, when it wanted more",
       [](HostRow& row) {
         row.answered_ms = kNow - 400;
         row.delay_ms = 2'000;
       },
       false, 1'616},
      {"unless the operator says otherwise",
       [](HostRow& row) {
         row.answered_ms = kNow - 400;
         row.delay_ms = 2'000;
         row.operator_delay_ms = 1'000;
       },
       false, 616},
      {"asked in the future", [](HostRow& row) { row.answered_ms = kNow + 3'600'000; }, false, 1'016},
      {"throttled", [](HostRow& row) { row.not_before_ms = kNow + 5'000; }, false, 5'016},
      {"an attempt before, whose last answer may not have ended", [](HostRow&) {}, true, 2'016},
      {"an attempt before, and it answers slowly", [](HostRow& row) { row.response_ms = 1'500; }, true, 2'516},
  };
  for (const auto& one : cases) {
    FetchFrontier frontier(Delay(1'000), kNow);
    HostRow row = Host("a");
    one.change(row);
    const HostNumber host = frontier.AddHost(row, "a", one.waits_first);
    frontier.Append(host, 0);
    EXPECT_EQ(std::max<int64_t>(frontier.NextMs() - kNow, 0), one.first_ms) << one.name;
  }
}

TEST(FetchFrontier, HostsOfOneUnitTakeTurns) {
  FetchFrontier frontier(Delay(100), kNow);
  std::map<HostNumber, int> asked;
  for (const char* key : {"a", "b", "c"}) {
    const HostNumber host = frontier.AddHost(Host(key), "site", false);
    for (UrlNumber url = 0; url < 4; ++url) frontier.Append(host, host * 10 + url);
  }
  int64_t now_ms = kNow, last_end_ms = 0;
  while (frontier.urls_left() > 0) {
    now_ms = std::max(now_ms, frontier.NextMs());
    const auto host = frontier.Take(now_ms);
    ASSERT_TRUE(host.has_value());
    EXPECT_EQ(frontier.Take(now_ms + 1'000'000), std::nullopt);
    EXPECT_GE(now_ms - last_end_ms, 100);
    ASSERT_TRUE(frontier.NextUrl(*host, now_ms).has_value());
    ++asked[*host];
    last_end_ms = now_ms + 10;
    frontier.Answered(*host, AnsweredAt(last_end_ms));
  }
  EXPECT_EQ(asked.size(), 3u);
}

TEST(FetchFrontier, AUnitKeepsToItsStrictestHost) {
  FetchFrontier frontier(Delay(100), kNow);
  const HostNumber a = frontier.AddHost(Host("a"), "site", false), b = frontier.AddHost(Host("b"), "site", false);
  for (UrlNumber url = 0; url < 3; ++url) frontier.Append(a, url);
  const auto ask = [&](int64_t now_ms) {
    ASSERT_EQ(frontier.Take(now_ms), a);
    frontier.NextUrl(a, now_ms);
    frontier.Answered(a, AnsweredAt(now_ms));
  };
  ask(kNow);
  EXPECT_EQ(frontier.DelayMs(a), 100);
  frontier.SetCrawlDelay(b, 700);
  EXPECT_EQ(frontier.DelayMs(a), 700);
  EXPECT_EQ(frontier.Take(kNow + 699), std::nullopt);
  ask(kNow + 720);
  frontier.SetCrawlDelay(b, std::nullopt);
  EXPECT_EQ(frontier.DelayMs(a), 100);
  EXPECT_EQ(frontier.row(a).delay_ms, 100) << "its own, for the next round";
}

// Its turn came by a delay that was shorter; whatever else waits in its queue has no part in it.
TEST(FetchFrontier, AHostIsReadyByTheDelayThatItHasNow) {
  FetchFrontier frontier(Delay(100), kNow);
  HostRow row = Host("a");
  row.answered_ms = kNow - 500;
  const HostNumber host = frontier.AddHost(row, "a", false);
  frontier.Append(host, 0);
  frontier.AskLater(host, 1, kNow + 30'000);
  ASSERT_EQ(frontier.Take(kNow), host);
  ASSERT_EQ(frontier.NextUrl(host, kNow), 0u);
  EXPECT_TRUE(frontier.IsReady(host, kNow));
  frontier.SetCrawlDelay(host, 2'000);
  EXPECT_FALSE(frontier.IsReady(host, kNow));
  frontier.PutBack(host, 0);
  frontier.Release(host);
  EXPECT_EQ(frontier.NextMs(), kNow + 1'516);
}

TEST(FetchFrontier, GivingAHostBackLetsItsUnitGoOn) {
  FetchFrontier frontier(Delay(100), kNow);
  const HostNumber a = frontier.AddHost(Host("a"), "site", false), b = frontier.AddHost(Host("b"), "site", false);
  for (const HostNumber host : {a, b}) {
    frontier.Append(host, host);
    frontier.Append(host, host + 10);
  }
  ASSERT_EQ(frontier.Take(kNow), a);
  EXPECT_EQ(frontier.Take(kNow), std::nullopt);  // b waits for the unit
  frontier.NextUrl(a, kNow);
  frontier.Answered(a, AnsweredAt(kNow));
  EXPECT_EQ(frontier.GiveBack(a), 1);
  EXPECT_EQ(frontier.urls_left(), 2);
  EXPECT_EQ(frontier.Take(kNow + 200), b);
}

TEST(FetchFrontier, RetriesComeWhenTheyAreDueAndHoldNothingUp) {
  FetchFrontier frontier(Delay(0), kNow);
  const HostNumber host = frontier.AddHost(Host("a"), "a", false);
  frontier.Append(host, 0);
  frontier.AskLater(host, 5, kNow + 30'000);
  frontier.AskLater(host, 4, kNow + 10'000);
  ASSERT_EQ(frontier.Take(kNow), host);
  EXPECT_EQ(frontier.NextUrl(host, kNow), 0u);
  EXPECT_EQ(frontier.NextUrl(host, kNow), std::nullopt);
  frontier.Release(host);
  EXPECT_EQ(frontier.NextMs(), kNow + 10'000);
  ASSERT_EQ(frontier.Take(kNow + 10'000), host);
  EXPECT_EQ(frontier.NextUrl(host, kNow + 10'000), 4u);
  EXPECT_EQ(frontier.NextUrl(host, kNow + 10'000), std::nullopt);
  frontier.Append(host, 1);  // while it is busy
  frontier.Release(host);
  EXPECT_LE(frontier.NextMs(), kNow + 10'000);
}

TEST(FetchFrontier, KnowsThatOnlyRetriesAreLeft) {
  FetchFrontier frontier(Delay(1'000), kNow);
  const HostNumber host = frontier.AddHost(Host("a"), "a", false);
  EXPECT_FALSE(frontier.HasOnlyRetries()) << "nothing is left";
  frontier.Append(host, 1);
  frontier.AskLater(host, 2, kNow + 30'000);
  EXPECT_FALSE(frontier.HasOnlyRetries());
  ASSERT_EQ(frontier.Take(kNow), host);
  EXPECT_EQ(frontier.NextUrl(host, kNow), 1u);
  frontier.Answered(host, AnsweredAt(kNow + 100));
  EXPECT_TRUE(frontier.HasOnlyRetries());
  EXPECT_EQ(frontier.NextMs(), kNow + 30'000);
  EXPECT_EQ(frontier.GiveBack(host), 1);
  EXPECT_FALSE(frontier.HasOnlyRetries());
  EXPECT_EQ(frontier.urls_left(), 0);
}

TEST(FetchFrontier, AParkedHostDoesItsErrandsAlone) {
  FetchFrontier frontier(Delay(0), kNow);
  const HostNumber host = frontier.AddHost(Host("a"), "a", false);
  frontier.Append(host, 0);
  ASSERT_EQ(frontier.Take(kNow), host);
  frontier.Park(host);
  frontier.Release(host);
  EXPECT_EQ(frontier.Take(kNow), std::nullopt);
  frontier.AddErrand(host);
  ASSERT_EQ(frontier.Take(kNow), host);
  EXPECT_TRUE(frontier.TakeErrand(host));
  EXPECT_FALSE(frontier.TakeErrand(host));
  frontier.Release(host);
  EXPECT_EQ(frontier.Take(kNow), std::nullopt);
  frontier.Unpark(host);
  EXPECT_EQ(frontier.Take(kNow), host);
}

TEST(FetchFrontier, RequestsToOneAddressAreApart) {
  FetchOptions options = Delay(0);
  options.address_delay_ms = 250;
  FetchFrontier frontier(options, kNow);
  constexpr int kHosts = 8;
  for (int i = 0; i < kHosts; ++i) {
    const std::string name = "h" + std::to_string(i);
    const HostNumber host = frontier.AddHost(Host(name), name, false);
    frontier.SetAddress(host, i % 2 == 0 ? "192.0.2.1" : "192.0.2.2");
    frontier.Append(host, host);
  }
  std::map<int, int64_t> last_ms;
  int asked = 0;
  for (int64_t now_ms = kNow; asked < kHosts; now_ms += 30) {
    while (const auto host = frontier.Take(now_ms)) {
      int64_t& last = last_ms[static_cast<int>(*host) % 2];
      EXPECT_GE(now_ms - last, 250) << *host;
      last = now_ms;
      ++asked;
      frontier.NextUrl(*host, now_ms);
      frontier.Answered(*host, AnsweredAt(now_ms));
    }
    ASSERT_LT(now_ms, kNow + 10'000);
  }
}

TEST(FetchFrontier, AnOpenBreakerWhoseTimeIsOverLetsOneThrough) {
  FetchFrontier frontier(Delay(0), kNow);
  HostRow row = Host("a");
  row.breaker = BreakerState::kOpen;
  row.breaker_until_ms = kNow - 1;
  const HostNumber host = frontier.AddHost(row, "a", false);
  frontier.Append(host, 0);
  ASSERT_EQ(frontier.Take(kNow), host);
  EXPECT_EQ(frontier.row(host).breaker, BreakerState::kHalfOpen);
}

}  // namespace
}  // namespace trawl
