// What trawl crawl says at its end: what holds what is due, when there will be more, and why nothing was fetched.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/crawl/crawled_web.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

const TestPage kNoRobots = NotFound();

// The arguments without --json, for what people read.
std::vector<std::string> ForPeople(std::vector<std::string> arguments) {
  std::erase(arguments, "--json");
  return arguments;
}

Json JsonOf(const BinaryResult& result) {
  auto json = ParseJson(result.out);
  EXPECT_TRUE(json.ok()) << result.out << result.err;
  return json.ok() ? *json : Json();
}

std::string Links(int from, int to) {
  std::string text;
  for (int page = from; page < to; ++page) text += "<a href=/" + std::to_string(page) + ">page</a>";
  return text;
}

TEST(CrawlEnd, AFullDayHoldsWhatIsDue) {
  CrawledWeb web(LinkGraph{.hosts = 1, .pages = 20});
  const std::vector<std::string> few = {web.seed(), "--pages_a_day", "3"};
  const Json end = web.Crawl("a", few);
  EXPECT_EQ(end["pages"], 3);
  ASSERT_EQ(end["held"].size(), 1u) << end;
  EXPECT_EQ(end["held"][0]["why"], "day_is_full");
  EXPECT_EQ(end["held"][0]["urls"], end["due"]);
  EXPECT_EQ(end["held"][0]["until"], "2026-01-02T00:00:00Z");
  EXPECT_EQ(end["next_due"], "2026-01-02T00:00:00Z");
  EXPECT_EQ(end["ended"], "all that is due is held");

  const std::string held = DumpJson(end["due"]) + " due are held: day is full until 2026-01-02T00:00:00Z";
  const BinaryResult again =
      web.Run(ForPeople(web.CrawlArguments("a", {"--pages_a_day", "3", "--now", "2026-01-01T00:10:00Z"})));
  EXPECT_EQ(again.exit_code, 1) << again.err;
  EXPECT_THAT(again.out, HasSubstr(held)) << "the answer";
  EXPECT_EQ(again.err, "");
  // generate says the same.
  const BinaryResult generate =
      web.Run(ForPeople(web.Arguments("generate", "a", {"--pages_a_day", "3", "--now", "2026-01-01T00:10:00Z"})));
  EXPECT_EQ(generate.exit_code, 1);
  EXPECT_THAT(generate.err, HasSubstr("nothing can be fetched: "));
  EXPECT_THAT(generate.err, HasSubstr(held));
  EXPECT_THAT(generate.err, HasSubstr("; the next URL can be fetched at 2026-01-02T00:00:00Z, in 23 h 50 min"));
}

TEST(CrawlEnd, WhatIsLeftAfterTheLastRoundIsDueNow) {
  CrawledWeb web(LinkGraph{.hosts = 1, .pages = 20});
  const Json end = web.Crawl("a", {web.seed(), "--rounds", "1"});
  EXPECT_GT(end["due"], 0);
  EXPECT_EQ(end["held"], Json::array());
  EXPECT_EQ(end["next_due"].get<std::string>().substr(0, 16), "2026-01-01T00:00");
}

TEST(CrawlEnd, ASegmentThatIsOpenElsewhereHoldsItsDomains) {
  CrawledWeb web(LinkGraph{.hosts = 1, .pages = 20});
  web.Crawl("a", {web.seed(), "--rounds", "1"});
  web.Object(web.Arguments("generate", "a", {"--now", "2026-01-01T00:10:00Z", "--top_n", "1"}));
  const BinaryResult second = web.Run(ForPeople(web.Arguments("generate", "a", {"--now", "2026-01-01T00:10:00Z"})));
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_THAT(second.err, HasSubstr("due are held: open segment (trawl segments list --root " + web.root("a") +
                                    ") until 2026-01-02T00:10:00Z"));
}

TEST(CrawlEnd, WhatTheScopeRefusesIsSaid) {
  CrawledWeb web(LinkGraph{.hosts = 1, .pages = 20});
  web.Crawl("a", {web.seed(), "--rounds", "1"});
  const BinaryResult result =
      web.Run(ForPeople(web.Arguments("generate", "a", {"--now", "2026-01-01T00:10:00Z", "--depth", "0"})));
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("refused by the scope (trawl readdb get --root " + web.root("a") +
                                    " --explain URL names the rule)"));
}

// One URL each that cannot be fetched, for a reason that its owner must learn.
TEST(CrawlEnd, WithNothingFetchedItFailsAndSaysWhy) {
  CrawledWeb web;
  web.web().AddHost("errors.test", ServePages({{"/robots.txt", kNoRobots}, {"*", {.status = 500}}}));
  const TestPage pdf = {.content_type = "application/pdf", .body = "%PDF-1.4"};
  web.web().AddHost("pdf.test", ServePages({{"/robots.txt", kNoRobots}, {"*", pdf}}));
  web.Start("127.0.0.1:1 closed.test\n");  // nobody listens on port 1
  const struct {
    const char* seed;
    const char* says;
  } kCases[] = {{"http://errors.test/", "the server answers with errors only (server_error 500"},
                {"http://pdf.test/", "its type is not one that is crawled (type_refused"},
                {"http://closed.test/", "the server refuses the connection, or none is there ("}};
  for (const auto& [seed, says] : kCases) {
    const std::string name = std::string(seed).substr(7, 3);
    const BinaryResult result = web.Run(web.CrawlArguments(name, {seed, "--fetch.idle_wait", "0s"}));
    EXPECT_EQ(result.exit_code, 3) << seed << result.err;
    EXPECT_THAT(result.err, HasSubstr("nothing was fetched"));
    EXPECT_THAT(result.err, HasSubstr(std::string(seed) + ": " + says));
    const Json end = JsonOf(result);
    ASSERT_EQ(end["failures"].size(), 1u) << end;
    EXPECT_EQ(end["failures"][0]["url"], seed);
    EXPECT_THAT(end["failures"][0]["reason"].get<std::string>(), HasSubstr(says));
  }
}

TEST(CrawlEnd, ARedirectIsEnough) {
  CrawledWeb web;
  web.web().AddHost(
      "a.test", ServePages({{"/robots.txt", kNoRobots}, {"/", RedirectTo("/gone", 302)}, {"/gone", {.status = 410}}}));
  web.Start();
  const Json end = web.Crawl("a", {"http://a.test/"});
  EXPECT_EQ(end["pages"], 0);
  EXPECT_FALSE(end.contains("failures"));
}

TEST(CrawlEnd, TheStepFetchEndsWellWhereNothingWasFetched) {
  CrawledWeb web;
  web.web().AddHost("errors.test", ServePages({{"/robots.txt", kNoRobots}, {"*", {.status = 410}}}));
  web.Start();
  web.Object(web.Arguments("inject", "a", {"--now", CrawledWeb::kNow, "http://errors.test/"}));
  web.Object(web.Arguments("generate", "a", {"--now", CrawledWeb::kNow}));
  const Json fetch = web.Object(web.Arguments(
      "fetch", "a", {"--now", CrawledWeb::kNow, "--fetch.allow_private", "--fetch.hosts_file", web.hosts_file()}));
  EXPECT_EQ(fetch["changed"], true);
}

// Its retries would take seven and a half minutes, with nothing else to do.
TEST(CrawlEnd, OneFlakyPageGoesToTheNextRound) {
  CrawledWeb web;
  std::map<std::string, TestPage> pages = {{"/robots.txt", kNoRobots}, {"/", {.body = Links(1, 7)}}};
  for (int page = 1; page < 6; ++page) pages["/" + std::to_string(page)] = {.body = "page"};
  pages["/6"] = {.status = 500};
  web.web().AddHost("a.test", ServePages(pages));
  web.Start();
  const Json end = web.Crawl("a", {"http://a.test/", "--fetch.idle_wait", "0s"});
  EXPECT_LT(end["seconds"], 20.0);
  EXPECT_EQ(end["pages"], 6);
  EXPECT_EQ(end["by_state"]["failing"], 1);
  EXPECT_EQ(end["counters"]["fetch.retries_left"], 1);
  EXPECT_EQ(end["due"], 0);
  const Json flaky = web.Object(web.Arguments("readdb get", "a", {"http://a.test/6"}));
  EXPECT_EQ(flaky["due"], "2026-01-02T00:00:00Z");
  EXPECT_EQ(web.Requests()["a.test/6"], 1);
  // It is asked for again at its time, and not before.
  web.Crawl("a", {"--now", "2026-01-03T00:00:00Z", "--fetch.idle_wait", "0s", "--rounds", "1"});
  EXPECT_EQ(web.Requests()["a.test/6"], 2);
}

TEST(CrawlEnd, AnOpenSegmentIsTakenUpWithAWord) {
  CrawledWeb web(LinkGraph{.hosts = 1, .pages = 20});
  web.Crawl("a", {web.seed(), "--rounds", "1"});
  web.Object(web.Arguments("generate", "a", {"--now", "2026-01-01T00:10:00Z", "--segment", "s1"}));
  const std::vector<std::string> more = {"--rounds", "1", "--top_n", "1", "--now", "2026-01-01T00:20:00Z"};
  const BinaryResult people = web.Run(ForPeople(web.CrawlArguments("a", more)));
  EXPECT_EQ(people.exit_code, 0) << people.err;
  EXPECT_THAT(people.err, HasSubstr("taking up the unfinished segment s1 first: "));
  EXPECT_THAT(people.err, HasSubstr("opened 2026-01-01T00:10:00Z; to drop it instead, stop this and type  trawl "
                                    "segments abandon --root " +
                                    web.root("a") + " s1"));
  web.Object(web.Arguments("generate", "a", {"--now", "2026-01-01T00:30:00Z", "--segment", "s2"}));
  const Json end = web.Crawl("a", {"--now", "2026-01-01T00:40:00Z"});
  ASSERT_EQ(end["taken_up"].size(), 1u);
  EXPECT_EQ(end["taken_up"][0]["segment"], "s2");
  EXPECT_GT(end["taken_up"][0]["urls"], 0);
}

TEST(CrawlEnd, ATimeBeforeTheNewestSnapshotIsNotTakenSilently) {
  CrawledWeb web(LinkGraph{.hosts = 1, .pages = 20});
  web.Crawl("a", {web.seed(), "--rounds", "1", "--now", "2026-01-02T00:00:00Z"});
  const std::vector<std::string> options = {
      "--now", "2026-01-01T00:00:00Z", "--top_n", "1", "--fetch.allow_private", "--fetch.hosts_file", web.hosts_file()};
  const BinaryResult earlier = web.Run(ForPeople(web.Arguments("round", "a", options)));
  EXPECT_EQ(earlier.exit_code, 0) << earlier.err;
  EXPECT_THAT(earlier.err, HasSubstr("--now 2026-01-01T00:00:00Z is before the newest snapshot; the time here begins "
                                     "with that one's, 2026-01-02T00:"));
}

TEST(CrawlEnd, AnotherUrlPolicyIsRefusedWithAndWithoutSeeds) {
  CrawledWeb web(LinkGraph{.hosts = 1, .pages = 2});
  web.Crawl("a", {web.seed(), "--url_policy", "fold"});
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--url_policy", "strict"}, {"--url_policy", "strict", web.seed()}}) {
    const BinaryResult result = web.Run(web.CrawlArguments("a", more));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("this crawl was made with --url_policy fold"));
  }
  EXPECT_EQ(web.Run(web.CrawlArguments("a", {"--url_policy", "fold"})).exit_code, 1);
}

class LongDelay : public ::testing::Test {
 protected:
  LongDelay() {
    const TestPage robots = {.content_type = "text/plain", .body = "User-agent: *\nCrawl-delay: 60\n"};
    web_.web().AddHost("slow.test", ServePages({{"/robots.txt", robots}, {"*", {.body = "page"}}}));
    web_.Start();
  }
  CrawledWeb web_;
};

TEST_F(LongDelay, AHostThatIsSkippedIsSkippedAtOnce) {
  const BinaryResult result =
      web_.Run(web_.CrawlArguments("a", {"http://slow.test/", "--fetch.long_crawl_delay", "skip"}));
  EXPECT_EQ(result.exit_code, 3) << "nothing was fetched";
  EXPECT_THAT(result.err, HasSubstr("1 due is held: long Crawl-delay until "));
  const Json end = JsonOf(result);
  EXPECT_LT(end["seconds"], 10.0);
  EXPECT_EQ(end["held"][0]["why"], "crawl_delay");
  EXPECT_FALSE(end["outcomes"].contains("robots_deferred")) << end["outcomes"];
  EXPECT_EQ(end["counters"]["fetch.skipped_for_delay"], 1);
  EXPECT_EQ(web_.Requests()["slow.test/"], 0);
  // Until its robots.txt is due again, nothing is made for it.
  EXPECT_EQ(web_.Run(web_.Arguments("generate", "a", {"--now", "2026-01-01T00:10:00Z"})).exit_code, 1);
}

TEST_F(LongDelay, ARoundThatIsTooShortSaysUntilWhenItsHostsWait) {
  const BinaryResult result = web_.Run(web_.CrawlArguments("a", {"http://slow.test/", "--time_limit", "10s"}));
  const Json end = JsonOf(result);
  ASSERT_EQ(end["held"].size(), 1u) << end;
  EXPECT_EQ(end["held"][0]["why"], "crawl_delay");
  EXPECT_EQ(end["next_due"], end["held"][0]["until"]);
  EXPECT_EQ(end["next_due"].get<std::string>().substr(0, 15), "2026-01-01T00:0");
}

}  // namespace
}  // namespace trawl
