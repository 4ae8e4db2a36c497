// Other refresh settings hold at once for the pages that are known: their longest and shortest intervals.
#include "jobs/operate/reschedule.h"

#include <gtest/gtest.h>

#include "formats/rows/times.h"
#include "tests/support/crawl/crawled_web.h"

namespace trawl {
namespace {

constexpr int64_t kFetchedAt = 1'767'225'600'000;

UrlRow Page(int64_t interval_ms) {
  UrlRow row;
  row.key = "com,a)/";
  row.state = UrlState::kFetched;
  row.fetched_ms = kFetchedAt;
  row.interval_ms = interval_ms;
  row.due_ms = kFetchedAt + interval_ms;
  return row;
}

TEST(Reschedule, CutsAndRaisesIntervalsToTheBounds) {
  const RefreshOptions options = {.min_interval_ms = 2 * kHourMs, .max_interval_ms = 5 * kDayMs};
  const RefreshClass daily = {.name = "news", .longest_ms = kDayMs, .line = 1};
  struct Case {
    int64_t interval_ms;
    RefreshClass of;
    int32_t score;
    int64_t wanted_ms;
  };
  for (const Case& one :
       {Case{7 * kDayMs, {}, 0, 5 * kDayMs}, Case{3 * kDayMs, {}, 0, 3 * kDayMs}, Case{3 * kDayMs, daily, 0, kDayMs},
        Case{kHourMs, {}, 0, 2 * kHourMs}, Case{3 * kDayMs, {}, kScoreOne, 6 * kHourMs}}) {
    UrlRow row = Page(one.interval_ms);
    row.score = one.score;
    const UrlRow before = row;
    EXPECT_EQ(PutWithinBounds(options, one.of, &row), one.wanted_ms != one.interval_ms);
    UrlRow wanted = before;
    wanted.interval_ms = one.wanted_ms;
    wanted.due_ms = kFetchedAt + one.wanted_ms;
    EXPECT_EQ(row, wanted);
  }
}

TEST(Reschedule, ADuplicateIsDueAfterTwiceItsInterval) {
  UrlRow row = Page(7 * kDayMs);
  row.state = UrlState::kDuplicate;
  EXPECT_TRUE(PutWithinBounds({.max_interval_ms = kDayMs}, {}, &row));
  EXPECT_EQ(row.interval_ms, kDayMs);
  EXPECT_EQ(row.due_ms, kFetchedAt + 2 * kDayMs);
}

TEST(Reschedule, LeavesWhatIsNotAskedForByAnInterval) {
  const RefreshOptions options = {.max_interval_ms = kDayMs};
  UrlRow own = Page(7 * kDayMs), failing = own, never = own, set = own;
  own.fixed_interval_ms = 7 * kDayMs;
  failing.state = UrlState::kFailing;
  never.due_ms = kNever;
  for (UrlRow* const row : {&own, &failing, &never}) {
    const UrlRow before = *row;
    EXPECT_FALSE(PutWithinBounds(options, {}, row));
    EXPECT_EQ(*row, before);
  }
  set.due_set_ms = kFetchedAt;
  EXPECT_TRUE(PutWithinBounds(options, {}, &set));
  EXPECT_EQ(set.due_ms, kFetchedAt + 7 * kDayMs) << "the operator's due time stays";
}

TEST(Reschedule, ConfigSetDoesItAtOnceAndOnce) {
  CrawledWeb web(LinkGraph{.hosts = 1, .pages = 5});
  web.Crawl("a", {web.seed()});
  const std::string page = LinkGraphUrl({}, 0, 2);
  const auto row = [&] { return web.Object(web.Arguments("readdb get", "a", {page})); };
  EXPECT_EQ(row()["interval_ms"], 7 * kDayMs);
  const std::vector<std::string> set =
      web.Arguments("config set", "a", {"--now", "2026-01-01T06:00:00Z", "refresh.max_interval=2d"});
  EXPECT_EQ(web.Object(set)["rescheduled"], 4) << "all but the seed, which is a top page";
  EXPECT_EQ(row()["interval_ms"], 2 * kDayMs);
  EXPECT_TRUE(row()["due"].get<std::string>().starts_with("2026-01-03T00:00:"));
  const Json again = web.Object(set);
  EXPECT_EQ(again["changed"], false);
  EXPECT_EQ(again["rescheduled"], 0);
  // A longer one begins with the next fetch.
  web.Object(web.Arguments("config set", "a", {"--now", "2026-01-01T06:00:00Z", "refresh.max_interval="}));
  EXPECT_EQ(row()["interval_ms"], 2 * kDayMs);
}

}  // namespace
}  // namespace trawl
