// What generate decides of one URL and of one host: ranks, tiers and shares.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "formats/rows/times.h"
#include "jobs/politeness/share.h"
#include "jobs/select/host_facts.h"
#include "jobs/select/url_rank.h"

namespace trawl {
namespace {

constexpr TimeMs kNow = 1'767'225'600'000;
constexpr int64_t kAging = 7 * kDayMs;

UrlRank Rank(std::string_view key, const RankFacts& facts) { return RankOf(key, facts, kAging); }

TEST(UrlRank, TiersBySeedHomePageScoreAndShape) {
  struct Case {
    const char* key;
    bool seed;
    int32_t score;
    UrlTier tier;
  };
  const Case cases[] = {
      {"com,a)/x", true, 0, UrlTier::kHigh},
      {"com,a)/", false, 0, UrlTier::kHigh},
      {"com,a)http:8080/", false, 100'000, UrlTier::kHigh},
      {"com,a)/?q", false, 500'000, UrlTier::kMedium},
      {"com,a)/x", false, 700'000, UrlTier::kHigh},
      {"com,a)/x", false, 699'999, UrlTier::kMedium},
      {"com,a)/x", false, 300'000, UrlTier::kMedium},
      {"com,a)/x", false, 299'999, UrlTier::kLow},
      {"com,a)/list?page=2", false, 500'000, UrlTier::kLow},
      {"com,a)/archive/x", false, 500'000, UrlTier::kLow},
      {"com,a)/archive/x", false, 800'000, UrlTier::kHigh},
  };
  for (const Case& one : cases)
    EXPECT_EQ(TierOf(one.key, {.is_seed = one.seed, .score = one.score}), one.tier) << one.key << " " << one.score;
}

TEST(UrlRank, FurtherPagesAreNumberedFromTwo) {
  for (const char* path :
       {"/?page=2", "/a?x=1&p=17", "/blog/page/3", "/blog/page/3/", "/list/page-4", "/x?offset=20", "/?start=100&x"}) {
    EXPECT_TRUE(IsFurtherPage(path)) << path;
  }
  for (const char* path : {"/", "/?page=1", "/?page=0", "/?page=", "/?page=two", "/?homepage=2", "/page", "/page/1",
                           "/page/about", "/pages/2", "/2", "/page-one", "/?p=1234567", "/a?page"}) {
    EXPECT_FALSE(IsFurtherPage(path)) << path;
  }
}

TEST(UrlRank, ArchivesAreNamedOrEndInADate) {
  for (const char* path : {"/archive", "/archives/x", "/blog/archive/2", "/2019", "/2019/", "/2019/05",
                           "/blog/2019/05/31/", "/1999/1?x=1"}) {
    EXPECT_TRUE(IsArchive(path)) << path;
  }
  for (const char* path : {"/", "/archived", "/2019/05/title", "/20190531", "/3019/05", "/05/2019x", "/item/123",
                           "/?archive", "/a/2019/05/31/12/x"}) {
    EXPECT_FALSE(IsArchive(path)) << path;
  }
}

TEST(UrlRank, TierThatTheOperatorChoseComesBeforeTheRules) {
  EXPECT_EQ(TierOf("com,a)/x", {.is_seed = true, .score = kScoreOne, .tier = TierChoice::kLow}), UrlTier::kLow);
  // All of a suspected trap but what the operator named.
  EXPECT_EQ(TierOf("com,a)/", {.score = kScoreOne, .is_trap = true}), UrlTier::kLow);
  EXPECT_EQ(TierOf("com,a)/", {.is_seed = true, .is_trap = true}), UrlTier::kHigh);
  EXPECT_EQ(TierOf("com,a)/", {.tier = TierChoice::kMedium, .is_trap = true}), UrlTier::kMedium);
  EXPECT_EQ(TierOf("com,a)/2019", {.score = 0, .tier = TierChoice::kHigh}), UrlTier::kHigh);
  EXPECT_EQ(TierOf("com,a)/", {.score = 0, .tier = TierChoice::kMedium}), UrlTier::kMedium);
  EXPECT_LT(Rank("com,a)/x", {.tier = TierChoice::kHigh}),
            Rank("com,a)/", {.score = 690'000, .tier = TierChoice::kMedium}));
}

TEST(UrlRank, BetterTierThenBetterScoreThenHash) {
  const UrlRank seed = Rank("com,a)/x", {.is_seed = true, .score = 0}), best = Rank("com,a)/x", {.score = 690'000});
  const UrlRank next = Rank("com,a)/y", {.score = 689'999}), low = Rank("com,a)/z", {.score = 100'000});
  EXPECT_LT(seed, best);
  EXPECT_LT(best, next);
  EXPECT_LT(next, low);
  EXPECT_EQ(low.tier(), UrlTier::kLow);
  EXPECT_NE(Rank("com,a)/1", {.score = 500'000}), Rank("com,a)/2", {.score = 500'000}));
  // Scores outside of 0 to 1 do not leave their tier.
  EXPECT_EQ(Rank("com,a)/x", {.is_seed = true, .score = 2'000'000'000}).tier(), UrlTier::kHigh);
  EXPECT_EQ(Rank("com,a)/x", {.score = -2'000'000'000}).tier(), UrlTier::kLow);
  std::string a, b;
  best.AppendTo(&a);
  next.AppendTo(&b);
  EXPECT_LT(a, b);
  EXPECT_EQ(a.size(), 16U);
}

// The turns of URLs that came due an hour apart, as lags after the first one.
TEST(UrlRank, TheTurnIsWhenItCameDueAndALagByTierAndScore) {
  struct Case {
    const char* what;
    const char* key;
    RankFacts facts;
    int64_t lag_ms;
  };
  const Case cases[] = {
      {"a seed of the best score", "com,a)/x", {.is_seed = true, .score = kScoreOne}, 0},
      {"a high one of score 0", "com,a)/x", {.is_seed = true}, 28 * kHourMs},
      {"a medium one", "com,a)/x", {.score = 400'000}, 56 * kHourMs + 28 * kHourMs * 6 / 10},
      {"a low one of score 0", "com,a)/x", {}, 140 * kHourMs},
      {"daily", "com,a)/x", {.score = 400'000, .interval_ms = kDayMs}, kDayMs / 14},
      {"every 3 days", "com,a)/x", {.score = 400'000, .interval_ms = 3 * kDayMs}, kDayMs * 9 / 14},
      {"every century", "com,a)/x", {.interval_ms = 36'500 * kDayMs}, 140 * kHourMs},
      {"every month", "com,a)/x", {.score = 400'000, .interval_ms = 30 * kDayMs}, 56 * kHourMs + 28 * kHourMs * 6 / 10},
      {"a seed, every month", "com,a)/x", {.is_seed = true, .score = kScoreOne, .interval_ms = 30 * kDayMs}, 0}};
  for (Case one : cases) {
    one.facts.due_ms = kNow;
    EXPECT_EQ(Rank(one.key, one.facts).turn_ms() - kNow, one.lag_ms) << one.what;
    EXPECT_EQ(RankOf(one.key, one.facts, 0).turn_ms(), kNow) << one.what << ", without aging";
    one.facts.due_ms += kHourMs;
    EXPECT_EQ(Rank(one.key, one.facts).turn_ms() - kNow, one.lag_ms + kHourMs) << one.what;
  }
  EXPECT_LT(Rank("com,a)/x", {.due_ms = -1}), Rank("com,a)/x", {.due_ms = kNever}));
  EXPECT_EQ(Rank("com,a)/x", {.due_ms = kNever}).tier(), UrlTier::kLow);
  EXPECT_EQ(RankText("com,a)/x", {.score = 400'000}, kAging),
            "tier medium, score 0.4: its turn comes 3 d after it came due (--generate.aging 7 d)");
  EXPECT_EQ(
      RankText("com,a)/x", {.score = 400'000, .interval_ms = kDayMs}, kAging),
      "tier medium, score 0.4: its turn comes 1 h 42 min after it came due, for its interval of 1 d (by tier and score "
      "3 d)");
}

TEST(UrlRank, NoUrlIsOvertakenBeyondTheAging) {
  std::mt19937_64 random(7);
  const auto some = [&random] {
    return RankFacts{.is_seed = random() % 10 == 0,
                     .score = static_cast<int32_t>(random() % 1'000'001),
                     .tier = static_cast<TierChoice>(random() % 4),
                     .due_ms = kNow + static_cast<int64_t>(random() % static_cast<uint64_t>(20 * kDayMs)),
                     .interval_ms = random() % 2 == 0 ? 0 : static_cast<int64_t>(random() % (40 * kDayMs))};
  };
  int64_t longest_ms = 0;
  for (int i = 0; i < 200'000; ++i) {
    const RankFacts a = some(), b = some();
    const bool a_first = Rank("com,a)/x", a) < Rank("com,b)/archive/y", b);
    const int64_t overtaken_by_ms = a_first ? a.due_ms - b.due_ms : b.due_ms - a.due_ms;
    longest_ms = std::max(longest_ms, overtaken_by_ms);
  }
  EXPECT_LT(longest_ms, kAging);
  EXPECT_GT(longest_ms, kAging / 2) << "tier and score matter";
}

struct ShareCase {
  const char* what;
  HostRow host;
  std::optional<int64_t> crawl_delay_ms;
  int64_t pages;
  LeftOut left_out = LeftOut::kNone;
  TimeMs until_ms = 0;
};

TEST(HostShare, IsWhatFitsIntoTheRound) {
  const ShareCase cases[] = {
      {"unknown: an hour at a second", {}, {}, 3600},
      {"answers take time, too", {.response_ms = 200}, {}, 3000},
      {"slow answers lengthen the delay", {.response_ms = 3000}, {}, 400},
      {"Crawl-delay", {}, 10'000, 360},
      {"longer than the round: one", {}, 7'200'000, 1},
      {"the operator's word beats it", {.operator_delay_ms = 500}, 10'000, 7200},
      {"no delay is meant", {.operator_delay_ms = -1, .response_ms = 100}, {}, 36'000},
      {"neither delay nor answers: pages a day", {.operator_delay_ms = -1}, {}, 100'000},
      {"waits a while first", {.not_before_ms = kNow + 4 * kMinuteMs}, {}, 3360},
      {"waits longer than any pause",
       {.not_before_ms = kNow + kHourMs / 2},
       {},
       0,
       LeftOut::kThrottled,
       kNow + kHourMs / 2},
      {"waits longer than the round",
       {.not_before_ms = kNow + 2 * kHourMs},
       {},
       0,
       LeftOut::kThrottled,
       kNow + 2 * kHourMs},
      {"blocked", {.blocked = true}, {}, 0, LeftOut::kBlocked, kNever},
      {"open breaker",
       {.breaker = BreakerState::kOpen, .breaker_until_ms = kNow + 5},
       {},
       0,
       LeftOut::kBreakerOpen,
       kNow + 5},
      {"breaker's time is over", {.breaker = BreakerState::kOpen, .breaker_until_ms = kNow}, {}, 2},
      {"half open since a round that was killed", {.breaker = BreakerState::kHalfOpen}, {}, 2},
      {"it answered again", {.breaker = BreakerState::kClosed, .breaker_until_ms = kNow - 1}, {}, 3600},
      {"pages left today", {.day_start_ms = kNow - kHourMs, .pages_today = 99'990}, {}, 10},
      {"none left",
       {.day_start_ms = kNow - kHourMs, .pages_today = 100'000},
       {},
       0,
       LeftOut::kDayIsFull,
       kNow + 23 * kHourMs},
      {"another day", {.day_start_ms = kNow - 25 * kHourMs, .pages_today = 100'000}, {}, 3600},
      {"the operator's pages", {.operator_pages_a_day = 50, .day_start_ms = kNow, .pages_today = 20}, {}, 30},
      {"the operator's pages in all", {.pages = 20, .operator_pages = 50}, {}, 30},
      {"none left in all", {.pages = 50, .operator_pages = 50}, {}, 0, LeftOut::kHostIsFull, kNever},
      {"suspected trap", {.suspected_trap = true}, {}, 100},
      {"suspected trap, whatever the operator's pages",
       {.operator_pages_a_day = 5000, .day_start_ms = kNow, .pages_today = 40, .suspected_trap = true},
       {},
       60},
      {"its day is over",
       {.day_start_ms = kNow - kHourMs, .pages_today = 100, .suspected_trap = true},
       {},
       0,
       LeftOut::kDayIsFull,
       kNow + 23 * kHourMs},
      {"cleared", {.suspected_trap = true, .trap_cleared = true}, {}, 3600},
  };
  for (const ShareCase& one : cases) {
    const HostShare share = ShareOf(one.host, {.ms = one.crawl_delay_ms}, {}, {}, kNow);
    EXPECT_EQ(share.pages, one.pages) << one.what;
    EXPECT_EQ(share.left_out, one.left_out) << one.what;
    EXPECT_EQ(share.until_ms, one.until_ms) << one.what;
  }
  EXPECT_EQ(ShareOf({}, {}, {.per_host = 7}, {}, kNow).pages, 7);
  EXPECT_EQ(ShareOf({.pages = 4}, {}, {.host_pages = 9}, {}, kNow).pages, 5);
  EXPECT_EQ(ShareOf({.pages = 9}, {}, {.host_pages = 9}, {}, kNow).left_out, LeftOut::kHostIsFull);
  EXPECT_EQ(ShareOf({}, {.ms = 60'000}, {}, {.long_crawl_delay = LongCrawlDelay::kCap}, kNow).pages, 120);
  // Two hours between requests, an hour a round: nothing, until the last of the two has begun.
  constexpr int64_t kTwoHours = 7'200'000;
  HostRow asked;
  asked.answered_ms = kNow - 60'000;
  const HostShare waits = ShareOf(asked, {.ms = kTwoHours}, {}, {}, kNow);
  EXPECT_EQ(waits.left_out, LeftOut::kCrawlDelay);
  EXPECT_EQ(waits.until_ms, asked.answered_ms + kTwoHours);
  EXPECT_EQ(ShareOf(asked, {.ms = kTwoHours}, {}, {}, kNow + kTwoHours / 2).pages, 1);
}

TEST(HostShare, AHostThatIsSkippedIsLookedAtAgainWithItsRobots) {
  const FetchOptions skips = {.long_crawl_delay = LongCrawlDelay::kSkip};
  const CrawlDelay known = {.ms = 60'000, .until_ms = kNow + kHourMs};
  const HostShare skipped = ShareOf({}, known, {}, skips, kNow);
  EXPECT_EQ(skipped.left_out, LeftOut::kCrawlDelay);
  EXPECT_EQ(skipped.until_ms, known.until_ms);
  EXPECT_EQ(ShareOf({}, known, {}, skips, known.until_ms).left_out, LeftOut::kNone);
  EXPECT_EQ(ShareOf({.operator_delay_ms = 500}, known, {}, skips, kNow).left_out, LeftOut::kNone);
}

TEST(HostFacts, CrawlDelayIsFoundHoweverItIsWritten) {
  EXPECT_EQ(CrawlDelayOf("User-agent: *\nCRAWL-DeLaY: 2.5\n", "trawl"), 2500);
  EXPECT_EQ(CrawlDelayOf("User-agent: *\ncrawldelay: 3\n", "trawl"), 3000);
  EXPECT_EQ(CrawlDelayOf("User-agent: other\nCrawl-delay: 3\n", "trawl"), std::nullopt);
  EXPECT_EQ(CrawlDelayOf("User-agent: *\nDisallow: /delay\n", "trawl"), std::nullopt);
  EXPECT_EQ(CrawlDelayOf("", "trawl"), std::nullopt);
}

}  // namespace
}  // namespace trawl
