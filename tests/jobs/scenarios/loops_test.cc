// Paths that run in circles, from the page that links to them to the request: --urls.repeated_segments holds everywhere.
#include <gtest/gtest.h>

#include "tests/support/crawl/crawled_web.h"

namespace trawl {
namespace {

TEST(Loops, AreRefusedOrTakenAsTheOptionSays) {
  CrawledWeb web;
  web.web().AddHost(
      "a.test",
      ServePages({{"/robots.txt",
                   {.content_type = "text/plain", .body = "User-agent: *\nSitemap: http://a.test/s/s/s/map.xml\n"}},
                  {"/", {.body = "<a href=/x/x>2</a> <a href=/y/y/y>3</a> <a href=/hop>h</a>"}},
                  {"/hop", RedirectTo("/z/z/z/z", 302)},
                  {"*", {.body = "<p>page"}}}));
  web.Start();
  const struct {
    const char* option;
    bool two, three, four;
  } cases[] = {
      {"0", true, true, true}, {"2", false, false, false}, {"3", true, false, false}, {"4", true, true, false}};
  for (const auto& c : cases) {
    web.web().ClearLog();
    web.Crawl(c.option, {"--urls.repeated_segments", c.option, "http://a.test/"});
    const std::map<std::string, int> requests = web.Requests();
    EXPECT_EQ(requests.contains("a.test/x/x"), c.two) << c.option;
    EXPECT_EQ(requests.contains("a.test/y/y/y"), c.three) << c.option;
    EXPECT_EQ(requests.contains("a.test/s/s/s/map.xml"), c.three) << c.option;
    EXPECT_EQ(requests.contains("a.test/z/z/z/z"), c.four) << c.option;
  }
}

}  // namespace
}  // namespace trawl
