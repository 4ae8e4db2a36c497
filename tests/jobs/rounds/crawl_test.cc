// trawl crawl as its users run it, on a web of our own: every page once, again when it is due, and after being killed.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <random>
#include <sstream>
#include <thread>

#include "tests/support/crawl/crawled_web.h"
#include "tests/support/process/sanitized.h"

namespace trawl {
namespace {

constexpr char kMonthLater[] = "2026-02-02T00:00:00Z";

// The first rows that differ, in words; empty where none do.
std::string Difference(const std::vector<std::string>& actual, const std::vector<std::string>& expected) {
  std::vector<std::string> more, less;
  std::set_difference(actual.begin(), actual.end(), expected.begin(), expected.end(), std::back_inserter(more));
  std::set_difference(expected.begin(), expected.end(), actual.begin(), actual.end(), std::back_inserter(less));
  if (more.empty() && less.empty()) return actual.size() == expected.size() ? "" : "rows stand there twice";
  return std::to_string(more.size()) + " rows too many, such as " + (more.empty() ? "" : more[0]) + "\n" +
         std::to_string(less.size()) + " missing, such as " + (less.empty() ? "" : less[0]);
}

TEST(Crawl, FindsAndFetchesEachPageOnce) {
  CrawledWeb web(LinkGraph{.hosts = 10, .pages = 20});
  const Json summary = web.Crawl("a", {web.seed()});
  EXPECT_EQ(summary["pages"], 200);
  EXPECT_EQ(summary["fetched"], 200);
  EXPECT_EQ(summary["urls"], 200);
  EXPECT_EQ(summary["statuses"]["200"], 200);
  EXPECT_EQ(summary["by_state"]["fetched"], 200);
  for (const auto& [url, times] : web.Requests()) EXPECT_EQ(times, 1) << url;
  EXPECT_EQ(web.Requests().size(), 200u + 10u);  // with robots.txt

  // Nothing is due the next moment; a month later all of it is, and is told to be as it was.
  web.web().ClearLog();
  EXPECT_EQ(web.Run(web.CrawlArguments("a", {web.seed()})).exit_code, 1);
  EXPECT_TRUE(web.web().Log().empty());
  const Json later = web.Crawl("a", {"--now", kMonthLater});
  EXPECT_EQ(later["statuses"]["304"], 200);
  EXPECT_EQ(later["pages"], 0);
  EXPECT_EQ(later["urls"], 200);
}

TEST(Crawl, SettingsOfAFirstRunLast) {
  CrawledWeb web(LinkGraph{.hosts = 1, .pages = 3});
  web.Crawl("a", {web.seed(), "--fetch.agent", "ourbot"});
  web.web().ClearLog();
  // Not a word about hosts, scope or private addresses.
  const Json later = web.Object(web.Arguments("crawl", "a", {"--now", kMonthLater}));
  EXPECT_EQ(later["fetched"], 3);
  ASSERT_FALSE(web.web().Log().empty());
  EXPECT_NE(web.web().Log()[0].raw.find("User-Agent: ourbot/"), std::string::npos) << web.web().Log()[0].raw;
}

TEST(Crawl, FilesOfItsSettingsAreFoundFromAnyFolder) {
  CrawledWeb web(LinkGraph{.hosts = 1, .pages = 3});
  const std::filesystem::path hosts = web.hosts_file();
  const BinaryResult first =
      RunBinary({.arguments = web.CrawlArguments("a", {web.seed(), "--fetch.hosts_file", "hosts"}),
                 .folder = hosts.parent_path()});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(web.Object(web.Arguments("config get", "a", {"fetch.hosts_file"}))["fetch.hosts_file"], hosts.string());
  EXPECT_EQ(web.Object(web.Arguments("crawl", "a", {"--now", kMonthLater}))["fetched"], 3);
}

TEST(Crawl, StepsOneByOneGiveTheSameRows) {
  CrawledWeb web(LinkGraph{.hosts = 5, .pages = 10});
  web.Crawl("whole", {web.seed()});
  web.Run(web.CrawlArguments("steps", {web.seed(), "--rounds", "1"}));
  for (int round = 10; round < 59; ++round) {
    // A minute a round: what one finds is due in the next.
    const std::string now = "2026-01-01T00:" + std::to_string(round) + ":00Z";
    const BinaryResult generate = web.Run(web.Arguments("generate", "steps", {"--now", now}));
    if (generate.exit_code == 1) break;
    ASSERT_EQ(generate.exit_code, 0) << generate.err;
    for (const char* verb : {"fetch", "parse", "updatedb"}) {
      const BinaryResult step = web.Run(web.Arguments(verb, "steps", {"--now", now}));
      ASSERT_EQ(step.exit_code, 0) << verb << ": " << step.err;
    }
  }
  EXPECT_EQ(Difference(web.Rows("steps"), web.Rows("whole")), "");
}

// Pages that redirect to one that is known are no reason to ask for it before its time.
TEST(Crawl, ARedirectToASettledPageAsksForNothing) {
  CrawledWeb web;
  std::map<std::string, TestPage> pages = {{"/robots.txt", NotFound()},
                                           {"/target", {.body = "here"}},
                                           {"/gone", {.status = 410}},
                                           {"/5", {.body = "the end"}}};
  for (int page = 0; page < 5; ++page) {
    const std::string number = std::to_string(page);
    pages["/to" + number] = RedirectTo("/target", 302);
    pages["/off" + number] = RedirectTo("/gone", 302);
    pages[page == 0 ? "/" : "/" + number].body = "<a href=/" + std::to_string(page + 1) + ">on</a><a href=/to" +
                                                 number + ">to</a><a href=/off" + number + ">off</a>";
  }
  web.web().AddHost("a.test", ServePages(pages));
  web.Start();
  const Json summary = web.Crawl("a", {"http://a.test/"});
  EXPECT_GE(summary["rounds"], 5);
  EXPECT_EQ(web.Requests()["a.test/target"], 1);
  EXPECT_EQ(web.Requests()["a.test/gone"], 1);
  EXPECT_EQ(web.Requests()["a.test/to4"], 1);
}

// The domain is held, but the list has only the hosts that are asked something.
TEST(Crawl, ARedirectToAHostThatIsBlockedOrWaitsAsksForNothing) {
  CrawledWeb web;
  web.web().AddHost("www.site.test", ServePages({{"/robots.txt", NotFound()},
                                                 {"/1", RedirectTo("http://blocked.site.test/x", 302)},
                                                 {"/2", RedirectTo("http://busy.site.test/x", 302)}}));
  web.web().AddHost("blocked.site.test", ServePages({{"*", {.body = "x"}}}));
  const TestPage busy = {.status = 429, .headers = {{"Retry-After", "7200"}}};
  web.web().AddHost("busy.site.test", ServePages({{"/robots.txt", NotFound()}, {"/", busy}, {"*", {.body = "x"}}}));
  web.Start();
  EXPECT_EQ(web.Run(web.CrawlArguments("a", {"http://busy.site.test/"})).exit_code, 3) << "it got no page";
  web.Object(web.Arguments("host", "a", {"blocked.site.test", "--block", "--now", CrawledWeb::kNow}));
  web.web().ClearLog();
  web.Crawl("a", {"--now", "2026-01-01T00:10:00Z", "http://www.site.test/1", "http://www.site.test/2"});
  EXPECT_EQ(web.Requests()["www.site.test/1"], 1);
  EXPECT_EQ(web.Requests()["www.site.test/2"], 1);
  EXPECT_TRUE(EntriesOf(web.web().Log(), "blocked.site.test").empty());
  EXPECT_TRUE(EntriesOf(web.web().Log(), "busy.site.test").empty());
  const Json host = web.Object(web.Arguments("host", "a", {"busy.site.test"}));
  EXPECT_FALSE(host["not_before"].is_null());
}

TEST(Crawl, SuccessIsOfWhatWasAskedFor) {
  CrawledWeb web;
  const TestPage robots = {.content_type = "text/plain", .body = "User-agent: *\nDisallow: /no\n"};
  const TestPage home = {.body = "<a href=/no1>1</a><a href=/no2>2</a><a href=/yes>yes</a><a href=/missing>-</a>"};
  web.web().AddHost("a.test", ServePages({{"/robots.txt", robots}, {"/", home}, {"/yes", {.body = "yes"}}}));
  web.Start();
  const Json summary = web.Crawl("a", {"http://a.test/"});
  EXPECT_EQ(summary["outcomes"]["robots_denied"], 2);
  EXPECT_EQ(summary["fetched"], 3);
  EXPECT_DOUBLE_EQ(summary["success_rate"].get<double>(), 2.0 / 3);
}

// What is told to end after some rounds ends after as many where it was stopped in between.
TEST(Crawl, StoppedAndRunAgainItDoesNoMoreRounds) {
  CrawledWeb web(LinkGraph{.hosts = 3, .pages = 30, .delay_ms = 5});
  const std::vector<std::string> two_rounds = {web.seed(), "--rounds", "2"};
  web.Crawl("whole", two_rounds);
  const std::vector<std::string> expected = web.Rows("whole");
  for (const int wait_ms : {150, 500, 900}) {
    const std::string name = "stopped" + std::to_string(wait_ms);
    {
      BinaryProcess process({.arguments = web.CrawlArguments(name, two_rounds)});
      std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
      process.Signal(SIGKILL);
      process.Wait();
    }
    web.Run(web.CrawlArguments(name, two_rounds));
    EXPECT_EQ(Difference(web.Rows(name), expected), "") << wait_ms;
  }
}

TEST(Crawl, RefusesPublicSitesWithoutAContact) {
  CrawledWeb web(LinkGraph{.hosts = 1, .pages = 1});
  const BinaryResult result = web.Run({"crawl", "--root", web.root("b"), "https://www.example.com/"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("--contact"), std::string::npos) << result.err;
}

// Every round has its document, and they add up to what was ever fetched.
void ExpectCompleteRounds(const CrawledWeb& web, const std::string& name) {
  const Json ever = web.Object(web.Arguments("readdb stats", name, {}))["ever"];
  int64_t rounds = 0, pages = 0;
  std::istringstream lines(web.Run(web.Arguments("rounds", name, {"--limit", "0"})).out);
  for (std::string line; std::getline(lines, line);) {
    const Json round = *ParseJson(line);
    ASSERT_TRUE(round["fetch"].is_object()) << line;
    EXPECT_EQ(round["totals"]["rounds"], ++rounds);
    EXPECT_EQ(round["totals"]["pages"], pages += round["fetch"]["pages"].get<int64_t>());
  }
  EXPECT_EQ(ever["rounds"], rounds);
  EXPECT_EQ(ever["pages"], pages);
  EXPECT_EQ(pages, 72);
}

// Kills the crawl at moments spread over all of its stages, and runs it to its end.
TEST(Crawl, KilledAnywhereItEndsTheSame) {
  CrawledWeb web(LinkGraph{.hosts = 6, .pages = 12, .delay_ms = 2});
  web.Crawl("whole", {web.seed()});
  const std::vector<std::string> expected = web.Rows("whole");
  ASSERT_EQ(expected.size(), 72u);
  const int kills = std::getenv("TRAWL_TEST_SOAK") != nullptr ? 100 : kSanitized ? 3 : 10;
  std::mt19937 random(20260101);
  for (int kill = 0; kill < kills; ++kill) {
    const std::string name = "killed" + std::to_string(kill);
    const int64_t wait_ms = std::uniform_int_distribution<int64_t>(20, 1500)(random);
    {
      BinaryProcess process({.arguments = web.CrawlArguments(name, {web.seed()})});
      std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
      process.Signal(SIGKILL);
      process.Wait();
    }
    const BinaryResult resumed = web.Run(web.CrawlArguments(name, {web.seed()}));
    ASSERT_TRUE(resumed.exit_code == 0 || resumed.exit_code == 1) << "after " << wait_ms << " ms: " << resumed.err;
    EXPECT_EQ(Difference(web.Rows(name), expected), "") << "after " << wait_ms << " ms";
    ExpectCompleteRounds(web, name);
  }
  std::printf("Crawls killed, run again, same rows: %d\n", kills);
}

}  // namespace
}  // namespace trawl
