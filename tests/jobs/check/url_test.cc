#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "formats/rows/seed_host_row.h"
#include "jobs/check/check.h"
#include "jobs/policy/advice.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

std::string Answers(const std::string& kind, const std::string& lines) {
  std::istringstream in(lines);
  std::ostringstream out;
  EXPECT_TRUE(AnswerChecks(kind, in, out).ok());
  return out.str();
}

std::string Printed(const CheckKind& kind, const std::vector<std::string>& arguments) {
  std::ostringstream out;
  const arrow::Status status = kind.print(arguments, out);
  return status.ok() ? out.str() : status.message();
}

TEST(CheckUrl, AnswersOneObjectALine) {
  EXPECT_EQ(Answers("url",
                    "{\"id\":1,\"url\":\"x?y\",\"base\":\"http://e.example/a/b\"}\n"
                    "{\"id\":2,\"url\":\"x\",\"base\":null}\n"
                    "{\"id\":3,\"url\":\"http://e.example/?\\u00e4\",\"base\":null,\"encoding\":\"windows-1252\"}\n"
                    "{\"id\":4}\n"),
            "{\"id\":1,\"href\":\"http://e.example/a/x?y\"}\n"
            "{\"id\":2,\"href\":null}\n"
            "{\"id\":3,\"href\":\"http://e.example/?%E4\"}\n"
            "{\"id\":4,\"error\":\"member 'url' is missing\"}\n");
  EXPECT_EQ(
      Answers("host",
              "{\"id\":1,\"host\":\"WWW.Example.co.uk\"}\n{\"id\":2,\"host\":\"com\"}\n{\"id\":3,\"host\":\"a b\"}\n"),
      "{\"id\":1,\"ascii\":\"www.example.co.uk\",\"domain\":\"example.co.uk\"}\n"
      "{\"id\":2,\"ascii\":\"com\",\"domain\":null}\n"
      "{\"id\":3,\"ascii\":null,\"domain\":null}\n");
  EXPECT_EQ(Answers("normalize",
                    "{\"id\":1,\"url\":\"HTTP://E.example./?b&a#c\"}\n"
                    "{\"id\":2,\"url\":\"HTTP://E.example./?b&a#c\",\"form\":\"strict\"}\n"
                    "{\"id\":3,\"url\":\"ftp://e.example/\"}\n"),
            "{\"id\":1,\"url\":\"http://e.example/?a&b\"}\n"
            "{\"id\":2,\"url\":\"http://e.example/?b&a\"}\n"
            "{\"id\":3,\"url\":null}\n");
}

TEST(CheckUrl, FiltersSayWhichRuleDecided) {
  EXPECT_EQ(Answers("urlfilter", "{\"id\":1,\"rules\":\"# x\\n-gif$\\n+.\",\"url\":\"http://e.example/a.gif\"}\n"),
            "{\"id\":1,\"accept\":false,\"line\":2,\"rule\":\"-gif$\"}\n");
  EXPECT_EQ(Answers("urlfilter", "{\"id\":2,\"rules\":\"-(a)\\\\1\",\"url\":\"http://e.example/\"}\n").substr(0, 25),
            "{\"id\":2,\"error\":\"rules:1:");
}

TEST(CheckUrl, PrintsForPeople) {
  EXPECT_EQ(Printed(HostCheck(), {"www.Example.com"}),
            "ascii       www.example.com\n"
            "domain      example.com\n"
            "key         com,example,www\n"
            "slot        16680\n");
  EXPECT_EQ(Printed(NormalizeCheck(), {"https://e.example/a/", "fold"}), "https://e.example/a\n");
}

// -- with arguments ---------------------------------------------------------------------------------------------------

std::string Said(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "check");
  const BinaryResult result = Trawl(arguments);
  return result.exit_code == 0 ? result.out : std::to_string(result.exit_code) + ": " + result.err;
}

TEST(CheckUrlArguments, TellAllThatWouldHappen) {
  EXPECT_EQ(Said({"url", "../B?z=1&a=2#f", "--base", "http://u:p@www.Example.com:8080/x/y"}),
            "url         http://u:p@www.example.com:8080/B?z=1&a=2#f\n"
            "userinfo    is there, and is neither kept nor sent\n"
            "fragment    f  (not sent)\n"
            "strict      http://www.example.com:8080/B?z=1&a=2\n"
            "standard    http://www.example.com:8080/B?a=2&z=1  (the form of the key)\n"
            "fold        http://www.example.com:8080/B?a=2&z=1\n"
            "key         com,example,www)http:8080/B?a=2&z=1\n"
            "slot        16680\n"
            "host        www.example.com\n"
            "domain      example.com\n"
            "length      37 of 2048 bytes\n"
            "parameters  2 of 10\n"
            "loop        none: nothing repeats 3 times\n"
            "scope       accepted: no check refuses it\n");
  EXPECT_EQ(Said({"url", "mailto:a@b"}),
            "url         mailto:a@b\n"
            "strict      (is neither http nor https)\n"
            "standard    (is neither http nor https)\n"
            "fold        (is neither http nor https)\n"
            "scope       refused: is neither http nor https\n");
}

TEST(CheckUrlArguments, WhatIsNoUrlSaysWhatToType) {
  const BinaryResult result = Trawl({"check", "url", "h0.test", "http://a.example/"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out.find("url         h0.test\nscope       refused: is not an absolute URL\n"), 0U) << result.out;
  EXPECT_NE(result.out.find("url         http://a.example/\n"), std::string::npos) << "the others are judged";
  EXPECT_NE(result.err.find("did you mean https://h0.test?"), std::string::npos) << result.err;
  EXPECT_NE(Trawl({"check", "url", "localhost:8080"}).err.find("did you mean https://localhost:8080?"),
            std::string::npos);
  EXPECT_EQ(Trawl({"check", "url", "mailto:a@b"}).exit_code, 0) << "a URL that the crawl refuses";
}

TEST(CheckUrlArguments, NameTheRuleThatRefuses) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/deny") << "bad.example\n";
  const struct {
    std::vector<std::string> arguments;
    std::string rule;
    std::string reason;
  } cases[] = {
      {{"http://a.example/a/b/a/b/a/b"},
       "loop",
       "refused: path segments that repeat 3 times or more: /a/b/a/b/a/b (--urls.repeated_segments)"},
      {{"http://a.example/a/b/a/b/a/b", "--urls.repeated_segments", "0"}, "accepted", "accepted: no check refuses it"},
      {{"http://a.example/a/a", "--urls.repeated_segments", "2"},
       "loop",
       "refused: path segments that repeat 2 times or more: /a/a (--urls.repeated_segments)"},
      {{"http://a.example/?a&b&c&d", "--urls.max_parameters", "3"},
       "parameters",
       "refused: more than 3 query parameters: it has 4 (--urls.max_parameters)"},
      {{"http://a.example/" + std::string(20, 'x'), "--urls.max_bytes", "30"},
       "length",
       "refused: longer than 30 bytes: it has 37 (--urls.max_bytes)"},
      {{"http://bad.example/", "--urls.deny_hosts", folder.path() + "/deny"},
       "deny_list",
       "refused by " + folder.path() + "/deny:1"},
  };
  for (const auto& c : cases) {
    std::vector<std::string> arguments = {"check", "url", "--json"};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const Json answer = AnswerOf(Trawl(arguments));
    EXPECT_EQ(answer["rule"], c.rule) << DumpJson(answer);
    EXPECT_EQ(answer["reason"], c.reason);
    EXPECT_EQ(answer["href"], c.arguments[0]);
    EXPECT_EQ(answer["accepted"], c.rule == "accepted");
  }
  const BinaryResult one = Trawl({"check", "url", "http://a.example/", "--urls.repeated_segments", "1"});
  EXPECT_EQ(one.exit_code, 2);
  EXPECT_NE(one.err.find("--urls.repeated_segments 1 would refuse every URL"), std::string::npos) << one.err;
}

TEST(CheckUrlArguments, SeveralUrlsAreAnObjectALine) {
  const BinaryResult result = Trawl({"check", "url", "--json", "http://a.example/", "http://b.example/"});
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 2) << result.out;
  EXPECT_EQ(Trawl({"check", "url", "--root", "/nowhere/at/all", "http://a.example/"}).exit_code, 3);
}

TEST(CheckUrlArguments, KnowTheCrawl) {
  SegmentFixture crawl;
  UrlRow known = UnfetchedRow("com,a)/known");
  known.depth = 2;
  HostRow host;
  host.key = "com,a";
  host.blocked = true;
  RobotsRow robots;
  robots.key = "com,a)";
  robots.outcome = Outcome::kFetched;
  robots.status = 200;
  robots.text = "User-agent: *\nDisallow: /known\n";
  robots.text_ms = robots.fetched_ms = 1'767'225'600'000;
  robots.due_ms = robots.fetched_ms + 86'400'000;
  SeedHostRow seed;
  seed.key = "com,a";
  ASSERT_OK(crawl.Put<UrlRow>({known}));
  ASSERT_OK(crawl.Put<HostRow>({host}));
  ASSERT_OK(crawl.Put<RobotsRow>({robots}));
  ASSERT_OK(crawl.Put<SeedHostRow>({seed}));
  const auto check = [&crawl](const std::string& url, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"check", "url", "--json", "--root", crawl.root(), url};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return AnswerOf(Trawl(arguments));
  };
  const Json answer = check("https://a.com/known");
  EXPECT_EQ(answer["known"], true);
  EXPECT_EQ(answer["state"], "unfetched");
  EXPECT_EQ(answer["depth"], 2);
  EXPECT_EQ(answer["robots"]["allowed"], false);
  EXPECT_EQ(answer["robots"]["line"], 2);
  ASSERT_EQ(answer["holds"].size(), 1U);
  EXPECT_EQ(answer["holds"][0],
            "a.com is blocked by the operator (trawl host --root " + crawl.root() + " a.com --unblock)");
  EXPECT_EQ(check("https://a.com/known", {"--depth", "1"})["rule"], "depth");
  EXPECT_EQ(check("https://a.com/new", {"--depth", "1"})["accepted"], true) << "its depth is not known";
  EXPECT_EQ(check("https://a.com/new")["known"], false);
  EXPECT_EQ(check("https://b.com/")["reason"], "refused: outside the seeds' domains (--urls.scope)");
}

// The same as generate counts: `holds` has a line for each reason that leaves the URL out.
TEST(CheckUrlArguments, EveryHoldIsNamed) {
  constexpr int64_t kNowMs = 1'767'225'600'000, kHour = 3'600'000;
  SegmentFixture crawl;
  std::vector<HostRow> hosts(5);
  hosts[0].key = "com,full";
  hosts[0].day_start_ms = kNowMs;
  hosts[0].pages_today = 7;
  hosts[1].key = "com,ended";
  hosts[1].operator_pages = hosts[1].pages = 9;
  hosts[2].key = "com,shut";
  hosts[2].domain = {.blocked = true, .operator_reason = "asked us"};
  hosts[3].key = "com,spent";
  hosts[3].domain = {.operator_pages_a_day = 3, .day_start_ms = kNowMs, .pages_today = 3, .pages = 30};
  hosts[4].key = "com,broken";
  hosts[4].breaker = BreakerState::kOpen;
  hosts[4].breaker_until_ms = kNowMs + kHour;
  hosts[4].failures_in_a_row = 5;
  std::vector<RobotsRow> robots(2);
  robots[0].key = "com,dead)";
  robots[0].outcome = Outcome::kDnsFailed;
  robots[0].is_dead = true;
  robots[0].due_ms = kNowMs + 2 * kHour;
  robots[1].key = "com,tried)";
  robots[1].outcome = Outcome::kDnsFailed;
  robots[1].is_dead = true;
  robots[1].due_ms = kNowMs;
  ASSERT_OK(crawl.Put<HostRow>(hosts));
  ASSERT_OK(crawl.Put<RobotsRow>(robots));
  ASSERT_OK(crawl.Put<UrlRow>({UnfetchedRow("com,tried)/a"), UnfetchedRow("com,tried)/b")}));
  const struct {
    const char* url;
    const char* hold;
  } cases[] = {
      {"https://full.com/",
       "until 2026-01-02T00:00:00Z: full.com has had 7 pages today, of at most 7 (--generate.pages_a_day)"},
      {"https://ended.com/", "ended.com has had 9 pages in all, of at most 9 (trawl host --pages)"},
      {"https://www.shut.com/",
       "shut.com is blocked by the operator: asked us (trawl host --domain shut.com --unblock)"},
      {"https://www.spent.com/",
       "until 2026-01-02T00:00:00Z: spent.com and its hosts have had 3 pages today, of at most 3 "
       "(trawl host --domain --per_day)"},
      {"https://broken.com/", "until 2026-01-01T01:00:00Z: broken.com failed 5 times in a row: no requests until then"},
      {"https://dead.com/", "until 2026-01-01T02:00:00Z: nobody is there"},
      {"https://tried.com/b", "nobody was there: the next round tries https://tried.com/a for all of its host"},
  };
  for (const auto& [url, hold] : cases) {
    const Json answer = AnswerOf(Trawl({"check", "url", "--json", "--root", crawl.root(), url, "--pages_a_day", "7",
                                        "--scope", "any", "--now", "2026-01-01T00:00:00Z"}));
    ASSERT_EQ(answer["holds"].size(), 1U) << url;
    // Commands are to be typed as they stand.
    EXPECT_TRUE(answer["holds"][0].get<std::string>().starts_with(WithRoot(hold, crawl.root()))) << answer["holds"][0];
  }
  const Json first = AnswerOf(Trawl({"check", "url", "--json", "--root", crawl.root(), "https://tried.com/a", "--scope",
                                     "any", "--now", "2026-01-01T00:00:00Z"}));
  EXPECT_TRUE(first["holds"].empty()) << "this one is tried";
}

TEST(CheckUrlArguments, FiltersTakeTheOtherOptionsOfTheScope) {
  const TemporaryFolder folder;
  const std::string rules = folder.path() + "/rules";
  std::ofstream(rules) << "# x\n-gif$\n+.\n";
  EXPECT_EQ(Said({"urlfilter", rules, "http://e.example/a.gif", "http://e.example/a"}),
            "url         http://e.example/a.gif\nscope       refused by " + rules +
                ":2: -gif$ (--urls.scope_rules)\n\n" + "url         http://e.example/a\nscope       accepted by " +
                rules + ":3: +.\n");
  const Json answer =
      AnswerOf(Trawl({"check", "urlfilter", "--json", rules, "http://e.example/?a&b", "--urls.max_parameters", "1"}));
  EXPECT_EQ(answer["accept"], false);
  EXPECT_EQ(answer["rule"], "parameters");
  EXPECT_EQ(Trawl({"check", "urlfilter", rules}).exit_code, 2);
}

}  // namespace
}  // namespace trawl
