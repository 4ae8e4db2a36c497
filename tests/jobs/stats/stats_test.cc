// What readdb stats says of hosts, bytes and filters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jobs/stats/holds.h"
#include "jobs/stats/stored_bytes.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/process/trawl_command.h"

namespace trawl {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

constexpr TimeMs kNow = 1'767'225'600'000;

TEST(HostHolds, AHostIsHeldWhileItsTimeLasts) {
  HostRow held;
  held.blocked = held.suspected_trap = true;
  held.domain.blocked = true;
  held.breaker = BreakerState::kOpen;
  held.breaker_until_ms = held.not_before_ms = held.slow_until_ms = kNow + 1;
  HostRow over = held;
  over.blocked = over.domain.blocked = false;
  over.trap_cleared = true;
  over.breaker_until_ms = over.not_before_ms = over.slow_until_ms = kNow;
  HostHolds holds;
  holds.Count(held, kNow);
  holds.Count(over, kNow);
  holds.Count(HostRow(), kNow);
  EXPECT_EQ(DumpJson(ToJson(holds)),
            R"({"blocked":1,"breaker_open":1,"throttled":1,"slow":1,"suspected_trap":1,"blocked_domains":1})");
}

TEST(StoredBytes, CountByAge) {
  constexpr int64_t kDay = 86'400'000;
  StoredBytes bytes;
  for (const int64_t age_ms : {int64_t{0}, kDay, kDay + 1, 7 * kDay, 30 * kDay, 90 * kDay, 90 * kDay + 1}) {
    bytes.AddSegmentFile(10, age_ms);
  }
  EXPECT_EQ(DumpJson(ToJson(bytes)["segments_by_age"]), R"({"day":20,"week":20,"month":10,"quarter":10,"older":10})");
  EXPECT_EQ(bytes.segments, 70);
}

TEST(Stats, CountWhatIsHeldStoredAndWaiting) {
  CrawledWeb web;
  web.web().AddHost("a.site.test", ServePages({{"/robots.txt", NotFound()},
                                               {"/",
                                                {.body = "<a href=http://b.site.test/>b</a><a href=/x>x</a>"
                                                         "<a href=http://other.test/>o</a>"}}}));
  web.Start();
  web.Run(web.CrawlArguments("a", {"http://a.site.test/", "--rounds", "1"}));
  web.Object(web.Arguments("host", "a", {"b.site.test", "--block"}));
  const Json stats = web.Object(web.Arguments("readdb stats", "a", {}));
  EXPECT_EQ(stats["bodies"], 1);
  EXPECT_EQ(stats["frontier"], (Json{{"urls", 3}, {"hosts", 3}, {"domains", 2}}));
  EXPECT_EQ(stats["holds"]["blocked"], 1);
  EXPECT_EQ(stats["ever"]["pages"], 1);
  EXPECT_EQ(stats["ever"]["rounds"], 1);
  EXPECT_GT(stats["filters"]["bytes"], 0);
  EXPECT_LT(stats["filters"]["false_positive_rate"].get<double>(), 0.2);
  EXPECT_GT(stats["storage"]["segments_by_age"]["day"], 0);
  const std::string text = Trawl({"readdb", "stats", "--root", web.root("a")}).out;
  EXPECT_THAT(text, HasSubstr("frontier      3 URLs of 3 hosts in 2 domains\n"));
  EXPECT_THAT(text, HasSubstr("  held        1 blocked\n"));
  EXPECT_THAT(text, ContainsRegex("segments      [0-9.]+ KiB: [0-9.]+ KiB up to a day old\n"));
  EXPECT_THAT(text, HasSubstr("ever          1 request, 1 page stored, "));
}

}  // namespace
}  // namespace trawl
