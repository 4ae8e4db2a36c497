// trawl host HOST --robots.
#include "jobs/operate/host_robots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/crawl/crawled_web.h"
#include "tests/support/process/trawl_command.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

TEST(HostRobots, AreShownAsStoredWithWhatBecameOfTheRequests) {
  CrawledWeb web;
  web.web().AddHost("a.test", ServePages({{"/robots.txt", {.body = "User-agent: *\nDisallow: /private\n"}},
                                          {"/", {.body = "a page"}}}));
  web.Start();
  web.Crawl("a", {"http://a.test/"});
  const Json json = web.Object(web.Arguments("host", "a", {"a.test", "--robots"}));
  ASSERT_EQ(json["robots"].size(), 1u);
  EXPECT_EQ(json["robots"][0]["url"], "http://a.test/robots.txt");
  EXPECT_EQ(json["robots"][0]["status"], 200);
  EXPECT_EQ(json["robots"][0]["text"], "User-agent: *\nDisallow: /private\n");
  EXPECT_EQ(json["robots"][0]["history"].size(), 1u);
  EXPECT_EQ(json["breaker"]["state"], "closed");
  const std::string root = web.root("a");
  const std::string text = Trawl({"host", "a.test", "--robots", "--root", root}).out;
  EXPECT_THAT(text, HasSubstr("robots.txt    http://a.test/robots.txt\n"));
  EXPECT_THAT(text, HasSubstr("    Disallow: /private\n"));
  EXPECT_THAT(text, HasSubstr("breaker       closed, opened 0 times in a row; 0 failures in a row\n"));
  Json once = json;
  for (const char* const name : {"openings", "failures_in_a_row", "window_requests"}) once["breaker"][name] = 1;
  EXPECT_THAT(HostRobotsText(once), HasSubstr("opened 1 time in a row; 1 failure in a row\n"));
  EXPECT_THAT(HostRobotsText(once), HasSubstr(" of 1 request failed,"));
  for (const char* view : {"--robots", "--patterns", "--suggest"}) {
    const BinaryResult unknown = Trawl({"host", "b.test", view, "--root", root});
    EXPECT_EQ(unknown.exit_code, 1);
    EXPECT_THAT(unknown.out, HasSubstr("the crawl knows no host b.test; trawl readdb hosts --root"));
    EXPECT_EQ(Trawl({"host", "a.test", view, "--root", root}).exit_code, 0);
  }
  EXPECT_EQ(Trawl({"host", "a.test", "--robots", "--block", "--root", root}).exit_code, 2);
}

}  // namespace
}  // namespace trawl
