#include <gtest/gtest.h>

#include <sstream>

#include "jobs/check/check.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/values/encode.h"
#include "tests/support/web/test_web.h"

namespace trawl {
namespace {

Json AskFetch(const Json& input) {
  const auto answer = FetchCheck().answer(input);
  return answer.ok() ? *answer : Json{{"error", answer.status().message()}};
}

TEST(CheckFetch, AnswersWhatCameOfIt) {
  // The check knows no names of a test: it is asked by number, so the Host field is the address.
  const auto pages = ServePages({{"/", {.body = "abc", .coding = "gzip"}},
                                 {"/hop", RedirectTo("/")},
                                 {"/loop", RedirectTo("/loop")},
                                 {"/mail", RedirectTo("mailto:x")},
                                 {"/cut", {.body = "abc", .content_length = 9}}});
  TestWeb numbered;
  numbered.AddHost("numbered.test", pages);
  ASSERT_OK(numbered.Start());
  const std::string origin = "http://" + numbered.HttpAddress("numbered.test");
  Json answer = AskFetch({{"url", origin + "/"}});
  EXPECT_EQ(answer["status"], 200) << DumpJson(answer);
  EXPECT_EQ(answer["length"], 3);
  EXPECT_EQ(answer["sha1"], "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_TRUE(answer["error"].is_null());
  EXPECT_EQ(answer["truncated"], false);
  EXPECT_EQ(AskFetch({{"url", origin + "/"}, {"max_bytes", 2}})["truncated"], true);
  EXPECT_EQ(AskFetch({{"url", origin + "/cut"}})["truncated_by"], "incomplete");
  EXPECT_EQ(AskFetch({{"url", origin + "/hop"}})["status"], 301);
  EXPECT_EQ(AskFetch({{"url", origin + "/hop"}, {"follow", true}})["status"], 200);
  EXPECT_EQ(AskFetch({{"url", origin + "/loop"}, {"follow", true}})["error"], "redirect_limit");
  EXPECT_EQ(AskFetch({{"url", origin + "/mail"}, {"follow", true}})["error"], "redirect_refused: mailto:x");
  EXPECT_EQ(AskFetch({{"url", "ftp://127.0.0.1/"}})["outcome"], "scheme_refused");
  EXPECT_TRUE(AskFetch({{"url", "http://127.255.255.1:1/"}})["status"].is_null());
  EXPECT_NE(AskFetch({{"url", "no url"}})["error"], "");
}

TEST(CheckFetch, PrintsForPeople) {
  TestWeb web;
  web.AddHost("a.test", ServePages({{"*", {.body = "abc"}}}));
  ASSERT_OK(web.Start());
  std::ostringstream out;
  ASSERT_OK(FetchCheck().print({"http://" + web.HttpAddress("a.test") + "/"}, out));
  EXPECT_NE(out.str().find(": answered\n"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("HTTP/1.1 200 OK\r\n"), std::string::npos);
  EXPECT_TRUE(FetchCheck().print({}, out).IsInvalid());
}

TEST(CheckRobotsLive, Rfc9309AccessResults) {
  const TestPage rules = {.content_type = "text/plain", .body = "User-agent: *\nDisallow: /private\n"};
  const struct {
    const char* what;
    std::map<std::string, TestPage> pages;
    bool allowed;
  } kCases[] = {
      {"2.3.1.1 successful access", {{"/robots.txt", rules}}, false},
      {"2.3.1.2 redirects",
       {{"/robots.txt", RedirectTo("/1")},
        {"/1", RedirectTo("/2", 302)},
        {"/2", RedirectTo("/3", 307)},
        {"/3", RedirectTo("/4", 308)},
        {"/4", RedirectTo("/5", 303)},
        {"/5", rules}},
       false},
      {"2.3.1.2 more than five", {{"*", RedirectTo("/next")}}, true},
      {"2.3.1.3 unavailable", {}, true},
      {"2.3.1.4 unreachable", {{"/robots.txt", {.status = 503}}}, false},
      {"429 is about the whole site", {{"/robots.txt", {.status = 429}}}, false},
      {"a body that is cut off", {{"/robots.txt", {.body = "User-agent: x", .content_length = 99}}}, false},
  };
  for (const auto& c : kCases) {
    TestWeb web;
    web.AddHost("a.test", ServePages(c.pages));
    ASSERT_OK(web.Start());
    const auto answer = RobotsLiveCheck().answer(
        {{"url", "http://" + web.HttpAddress("a.test") + "/private/page"}, {"agent", "examplebot"}});
    ASSERT_OK(answer);
    EXPECT_EQ((*answer)["allowed"], c.allowed) << c.what << DumpJson(*answer);
  }
}

}  // namespace
}  // namespace trawl
