// Quotas of pages over rounds, verbs and days, and trawl host on many hosts and whole domains at once, by the binary on a
// test web.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "formats/rows/host_row.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

constexpr char kFirst[] = "2026-01-01T08:00:00Z";
constexpr char kLater[] = "2026-01-01T12:00:00Z";
constexpr char kEvening[] = "2026-01-01T20:00:00Z";
constexpr char kNextDay[] = "2026-01-02T08:00:00Z";
constexpr char kNextEvening[] = "2026-01-02T20:00:00Z";

// A front page with links to 40 pages, and to whatever `more` says.
TestHandler Site(const std::string& more = "") {
  std::string links = more;
  for (int i = 0; i < 40; ++i) links += "<a href=/p" + std::to_string(i) + ">x</a>";
  return ServePages({{"/robots.txt", {.status = 404}}, {"/", {.body = links}}, {"*", {.body = "<p>a page"}}});
}

class Quotas : public ::testing::Test {
 protected:
  std::vector<std::string> Asking(std::vector<std::string> more) const {
    more.insert(more.end(),
                {"--fetch.allow_private", "--fetch.delay_ms", "0", "--fetch.hosts_file", web_.hosts_file()});
    return more;
  }
  // One command on the crawl; its exit code may be 1.
  Json Run(const std::string& verb, const char* now, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--now", now});
    const BinaryResult result = web_.Run(web_.Arguments(verb, "crawl", more));
    EXPECT_LE(result.exit_code, 1) << verb << ": " << result.err;
    exit_code_ = result.exit_code;
    err_ = result.err;
    return ParseJson(result.out).ValueOr(Json());
  }
  // A round by single verbs, without a word of quotas. False where nothing is due.
  bool RoundByVerbs(const char* now) {
    Run("generate", now, Asking({}));
    if (exit_code_ == 1) return false;
    Run("fetch", now, Asking({}));
    Run("parse", now);
    Run("updatedb", now, Asking({}));
    return true;
  }
  int64_t Pages() const {
    int64_t pages = 0;
    for (const auto& [path, count] : web_.Requests()) pages += path.ends_with("/robots.txt") ? 0 : count;
    return pages;
  }
  std::string Next(const std::string& url, const char* now) {
    const Json answer = Run("readdb get", now, {"--explain", url});
    std::string text;
    for (const Json& line : answer["explain"]) {
      if (line["about"] == "host" || line["about"] == "domain" || line["about"] == "next") {
        text += line["about"].get<std::string>() + ": " + line["text"].get<std::string>() + "\n";
      }
    }
    return text;
  }

  CrawledWeb web_;
  int exit_code_ = 0;
  std::string err_;
};

TEST_F(Quotas, PagesADayHoldWhoeverRunsTheRounds) {
  web_.web().AddHost("site.test", Site());
  web_.Start();
  Run("crawl", kFirst, Asking({"http://site.test/", "--pages_a_day", "5"}));
  EXPECT_THAT(err_, HasSubstr("kept as a setting of the crawl: generate.pages_a_day=5"));
  EXPECT_EQ(Pages(), 5);
  // The same command again, other commands, and all of them hours later.
  Run("crawl", kFirst, Asking({"--pages_a_day", "5"}));
  Run("crawl", kLater, Asking({}));
  for (const char* now : {kFirst, kLater, kEvening}) {
    EXPECT_FALSE(RoundByVerbs(now)) << now;
    Run("round", now, Asking({}));
    EXPECT_EQ(exit_code_, 1) << now;
  }
  EXPECT_EQ(Pages(), 5) << "never a sixth page that day";
  const Json idle = Run("generate", kLater, Asking({}));
  EXPECT_EQ(idle["left_out"]["day_is_full"], 36);
  EXPECT_EQ(idle["left_out_until"]["day_is_full"], "2026-01-02T00:00:00Z");
  EXPECT_EQ(idle["next_due"], "2026-01-02T00:00:00Z");
  const std::string next = Next("http://site.test/p7", kEvening);
  EXPECT_THAT(next + Next("http://site.test/p8", kEvening),
              HasSubstr("has had 5 pages today, of at most 5 (--generate.pages_a_day)"));

  while (RoundByVerbs(kNextDay)) {
  }
  EXPECT_EQ(Pages(), 10) << "the next day five more";
  Run("crawl", kNextEvening, Asking({}));
  Run("round", kNextEvening, Asking({}));
  EXPECT_EQ(Pages(), 10);
  for (int i = 0; i < 6; ++i) Run("round", "2026-01-03T08:00:00Z", Asking({}));
  EXPECT_EQ(Pages(), 15);
}

TEST_F(Quotas, WhatACommandLineSaysBecomesASettingOnce) {
  web_.web().AddHost("site.test", Site());
  web_.Start();
  Run("inject", kFirst, {"http://site.test/"});
  const std::vector<std::string> quotas = {"--pages_a_day",        "7", "--host_pages",   "9",
                                           "--domain_pages_a_day", "8", "--domain_pages", "100"};
  std::vector<std::string> tried = Asking(quotas);
  tried.push_back("--dry_run");
  Run("generate", kFirst, tried);
  EXPECT_EQ(Run("config get", kFirst), Json::object()) << "a dry run stores nothing";
  Run("generate", kFirst, Asking(quotas));
  EXPECT_THAT(err_, HasSubstr("kept as a setting of the crawl: generate.domain_pages=100"));
  const Json settings = Run("config get", kFirst);
  EXPECT_EQ(settings, (Json{{"generate.domain_pages", "100"},
                            {"generate.domain_pages_a_day", "8"},
                            {"generate.host_pages", "9"},
                            {"generate.pages_a_day", "7"}}));
  Run("generate", kLater, Asking(quotas));
  EXPECT_EQ(err_.find("kept as"), std::string::npos) << "said before";
  Run("generate", kLater, Asking({"--pages_a_day", "6"}));
  EXPECT_THAT(err_, HasSubstr("kept as a setting of the crawl: generate.pages_a_day=6 "));
}

TEST_F(Quotas, PagesInAllOfAHostAreCountedOverDays) {
  web_.web().AddHost("site.test", Site());
  web_.Start();
  Run("crawl", kFirst, Asking({"http://site.test/", "--pages_a_day", "5", "--host_pages", "8"}));
  EXPECT_EQ(Pages(), 5);
  Run("crawl", kNextDay, Asking({}));
  EXPECT_EQ(Pages(), 8);
  Run("crawl", "2026-01-03T08:00:00Z", Asking({}));
  EXPECT_EQ(Pages(), 8);
  EXPECT_THAT(Next("http://site.test/p7", kNextEvening) + Next("http://site.test/p8", kNextEvening),
              HasSubstr("site.test has had 8 pages in all, of at most 8 (--generate.host_pages)"));
  Run("host", kNextDay, {"site.test", "--pages", "10"});
  Run("crawl", "2026-01-04T08:00:00Z", Asking({}));
  EXPECT_EQ(Pages(), 10) << "the operator's number comes before that of all";
}

TEST_F(Quotas, ADomainsLimitHoldsOverItsHostsRoundsAndDays) {
  std::vector<std::string> seeds;
  for (const char* host : {"a.site.test", "b.site.test", "c.site.test", "other.test"}) {
    web_.web().AddHost(host, Site());
    seeds.push_back("http://" + std::string(host) + "/");
  }
  web_.Start();
  const auto of_domain = [this] {
    int64_t pages = 0;
    for (const auto& [path, count] : web_.Requests()) {
      pages += path.find(".site.test/") != std::string::npos && !path.ends_with("/robots.txt") ? count : 0;
    }
    return pages;
  };
  std::vector<std::string> first = {"--domain_pages_a_day", "10", "--domain_pages", "17", "--pages_a_day", "6"};
  first.insert(first.end(), seeds.begin(), seeds.end());
  Run("crawl", kFirst, Asking(first));
  EXPECT_EQ(of_domain(), 10);
  EXPECT_EQ(Pages(), 16) << "another domain has its own";
  for (const char* now : {kFirst, kEvening}) EXPECT_FALSE(RoundByVerbs(now)) << now;
  EXPECT_EQ(of_domain(), 10);
  const Json domain = Run("host", kEvening, {"--domain", "site.test"});
  EXPECT_EQ(domain["pages_today"], 10);
  EXPECT_EQ(domain["pages"], 10);
  EXPECT_THAT(
      Next("http://a.site.test/p39", kEvening),
      HasSubstr("site.test and its hosts have had 10 pages today, of at most 10 (--generate.domain_pages_a_day)"));
  while (RoundByVerbs(kNextDay)) {
  }
  EXPECT_EQ(of_domain(), 17) << "seven are left in all";
  Run("crawl", "2026-01-03T08:00:00Z", Asking({}));
  EXPECT_EQ(of_domain(), 17);
  // Rows that tell of a domain alone are no hosts.
  const BinaryResult hosts = web_.Run(web_.Arguments("readdb hosts", "crawl", {}));
  EXPECT_EQ(std::count(hosts.out.begin(), hosts.out.end(), '\n'), 4) << hosts.out;
  EXPECT_EQ(Run("readdb stats", kEvening)["hosts"], 4);
}

TEST_F(Quotas, ABlockedDomainHoldsAHostThatAppearsLater) {
  web_.web().AddHost("site.test", Site("<a href=http://later.bad.test/>x</a>"));
  web_.web().AddHost("later.bad.test", Site());
  web_.Start();
  Run("inject", kFirst, {"http://site.test/"});
  Run("host", kFirst, {"--domain", "bad.test", "--block", "--reason", "asked us to stay away"});
  Run("crawl", kFirst, Asking({"--scope", "any", "--pages_a_day", "3"}));
  EXPECT_EQ(Run("readdb get", kFirst, {"http://later.bad.test/"})["state"], "unfetched") << "it has entered";
  Run("crawl", kNextDay, Asking({"--scope", "any"}));
  EXPECT_EQ(web_.Requests().count("later.bad.test/robots.txt"), 0U);
  EXPECT_EQ(web_.Requests().count("later.bad.test/"), 0U);
  const std::string next = Next("http://later.bad.test/", kNextDay);
  EXPECT_THAT(next, HasSubstr("bad.test is blocked by the operator: asked us to stay away (trawl host --root " +
                              web_.root("crawl") + " --domain bad.test --unblock)"));
  EXPECT_THAT(next, HasSubstr("next: never by itself: its domain is left out: domain_blocked"));
  Run("host", kNextDay, {"--domain", "bad.test", "--unblock"});
  Run("crawl", kNextDay, Asking({"--scope", "any"}));
  EXPECT_EQ(web_.Requests().count("later.bad.test/"), 1U);
}

// A link, a redirect and a seed into a blocked host: all three wait there, and are fetched once it is unblocked.
TEST_F(Quotas, ABlockedHostHoldsWhatEntersItUntilItIsUnblocked) {
  web_.web().AddHost("site.test",
                     ServePages({{"/robots.txt", {.status = 404}},
                                 {"/", {.body = "<a href=http://shut.test/linked>x</a><a href=/moved>x</a>"}},
                                 {"/moved", RedirectTo("http://shut.test/target", 301)}}));
  web_.web().AddHost("shut.test", Site());
  web_.Start();
  Run("inject", kFirst, {"http://site.test/"});
  Run("host", kFirst, {"shut.test", "--block", "--reason", "asked us"});
  const Json injected = Run("inject", kFirst, {"http://shut.test/seed", "http://shut.test/seed2"});
  EXPECT_EQ(injected["new"], 2);
  EXPECT_EQ(injected["blocked_hosts"], 1);
  EXPECT_THAT(DumpJson(injected["samples"]),
              HasSubstr("shut.test is blocked by the operator, so its URLs wait until trawl host shut.test --unblock"));
  const std::vector<std::string> crawl = Asking({"--scope", "any"});
  Run("crawl", kFirst, crawl);
  const std::vector<std::string> waiting = {"/linked", "/target", "/seed", "/seed2"};
  for (const std::string& path : waiting) {
    EXPECT_EQ(Run("readdb get", kFirst, {"http://shut.test" + path})["state"], "unfetched") << path;
    EXPECT_THAT(Next("http://shut.test" + path, kFirst),
                HasSubstr("next: never by itself: its host is left out: blocked"));
  }
  EXPECT_EQ(Run("readdb get", kFirst, {"http://site.test/moved"})["redirect"], "http://shut.test/target");
  EXPECT_EQ(Run("generate", kLater, Asking({}))["left_out"]["blocked"], 4);
  EXPECT_EQ(web_.Requests().count("shut.test/robots.txt"), 0U);
  Run("host", kLater, {"shut.test", "--unblock"});
  Run("crawl", kLater, crawl);
  for (const std::string& path : waiting) EXPECT_EQ(web_.Requests()["shut.test" + path], 1) << path;
}

TEST(HostVerb, AThousandPolicyLinesAreOneSnapshot) {
  SegmentFixture crawl;
  const TemporaryFolder folder;
  const std::string policy = folder.path() + "/hosts.policy";
  {
    std::ofstream file(policy);
    file << "# who asked for what\n\n";
    for (int i = 0; i < 998; ++i) file << "host=h" << i << ".test\tdelay=" << i + 1 << "s pages=" << i + 1 << "\n";
    file << "domain=example.com blocked=yes reason=asked us\nhost=example.com pages_a_day=7\n";
  }
  const int64_t before = crawl.Present().number;
  const auto run = [&](std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.end(), {"--root", crawl.root(), "--json"});
    return Trawl(arguments, input);
  };
  const Json first = AnswerOf(run({"host", "--policy", policy}));
  EXPECT_EQ(first["matched"], 1000);
  EXPECT_EQ(first["rows_changed"], 1000);
  EXPECT_EQ(crawl.Present().number, before + 1);
  EXPECT_EQ(crawl.Find<HostRow>("test,h41")->operator_delay_ms, 42'000);
  EXPECT_EQ(crawl.Find<HostRow>("test,h997")->operator_pages, 998);
  const HostRow both = *crawl.Find<HostRow>("com,example");
  EXPECT_EQ(both.operator_pages_a_day, 7);
  EXPECT_FALSE(both.blocked);
  EXPECT_TRUE(both.domain.blocked);
  EXPECT_EQ(both.domain.operator_reason, "asked us");
  EXPECT_EQ(AnswerOf(run({"host", "--policy", policy}))["changed"], false);
  EXPECT_EQ(crawl.Present().number, before + 1) << "nothing new is no snapshot";

  const std::string bad = "host=a.test delay=1s\nhost=b.test dealy=1s\nc.test\n";
  const BinaryResult refused = run({"host", "--policy", "-"}, bad);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("standard input:2: 'dealy' is not known"));
  EXPECT_THAT(refused.err, HasSubstr("standard input:3: 'c.test' is no NAME=VALUE"));
  EXPECT_THAT(refused.err, HasSubstr("2 lines make no sense, so nothing was changed"));
  EXPECT_FALSE(crawl.Find<HostRow>("test,a"));
  const Json skipped = AnswerOf(run({"host", "--policy", "-", "--skip_bad"}, bad));
  EXPECT_EQ(skipped["rows_changed"], 1);
  EXPECT_EQ(skipped["bad_lines"], 2);
  EXPECT_TRUE(crawl.Find<HostRow>("test,a"));
}

TEST(HostVerb, HostsOnStandardInputChangeTogether) {
  SegmentFixture crawl;
  const auto run = [&](std::vector<std::string> arguments, const std::string& input) {
    arguments.insert(arguments.end(), {"--root", crawl.root(), "--json"});
    return Trawl(arguments, input);
  };
  const int64_t before = crawl.Present().number;
  EXPECT_EQ(AnswerOf(run({"host", "-", "--block"}, "a.test\n# no\n https://b.test/x \n"))["rows_changed"], 2);
  EXPECT_EQ(crawl.Present().number, before + 1);
  EXPECT_TRUE(crawl.Find<HostRow>("test,b")->blocked);
  EXPECT_EQ(AnswerOf(run({"host", "--domain", "-", "--per_day", "9"}, "c.test\nd.test\n"))["rows_changed"], 2);
  EXPECT_EQ(crawl.Find<HostRow>("test,d")->domain.operator_pages_a_day, 9);
  EXPECT_EQ(run({"host", "--domain", "www.example.com", "--block"}, "").exit_code, 2);
  EXPECT_EQ(run({"host", "--domain", "c.test", "--clear", "breaker"}, "").exit_code, 2);
  EXPECT_EQ(run({"host"}, "").exit_code, 2);
}

TEST(HostVerb, AChangeOfAnUnknownHostSaysSo) {
  SegmentFixture crawl;
  HostRow asked, decided;
  asked.key = "test,asked";
  asked.pages = asked.domain.pages = 1;
  decided.key = "test,decided";
  decided.blocked = true;
  ASSERT_OK(crawl.Put<HostRow>({asked, decided}));
  ASSERT_OK(crawl.Put<UrlRow>({UnfetchedRow("test,queued)/"), UnfetchedRow("test,queued,www)http:8080/")}));
  const auto host = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--root", crawl.root()});
    arguments.insert(arguments.begin(), "host");
    return Trawl(arguments);
  };
  for (const char* known : {"asked.test", "queued.test", "www.queued.test"}) {
    EXPECT_EQ(host({known, "--block"}).err, std::string(known) + ": changed\n");
  }
  EXPECT_EQ(host({"decided.test", "--block"}).err.find("decided.test: unchanged, not known yet\n"), 0U)
      << "that it was blocked is all that is known";
  EXPECT_EQ(host({"nosuch.test", "--block"}).err,
            "nosuch.test: changed, not known yet\n"
            "  nosuch.test: not known; trawl readdb hosts --root " +
                crawl.root() +
                " lists the hosts that are known\n"
                "  what was decided holds from their first appearance on\n");
  EXPECT_EQ(host({"other.test", "--clear", "breaker"}).err,
            "other.test: unchanged, not known yet\n"
            "  other.test: not known; trawl readdb hosts --root " +
                crawl.root() + " lists the hosts that are known\n");
  EXPECT_EQ(host({"--domain", "asked.test", "--per_day", "1"}).err, "the domain asked.test: changed\n");
  EXPECT_THAT(host({"--domain", "nosuch.test", "--per_day", "1"}).err,
              HasSubstr("  the domain nosuch.test: no page of it has been asked for yet\n"));
  const Json all = AnswerOf(host({"asked.test", "a.test", "b.test", "--unblock", "--json"}));
  EXPECT_EQ(all["matched"], 3);
  EXPECT_EQ(all["rows_changed"], 1);
  EXPECT_EQ(all["unknown"], 2);
  EXPECT_EQ(all["samples"][0]["source"], "a.test");
}

TEST(HostVerb, AnUnknownHostIsSaidToBeUnknown) {
  SegmentFixture crawl;
  ASSERT_OK(crawl.Put<UrlRow>({UnfetchedRow("test,known)/")}));
  HostRow domain;
  domain.key = "test,only";
  domain.domain.pages = 4;
  ASSERT_OK(crawl.Put<HostRow>({domain}));
  for (const char* host : {"nosuch.test", "only.test"}) {
    const BinaryResult text = Trawl({"host", host, "--root", crawl.root()});
    EXPECT_EQ(text.exit_code, 1);
    EXPECT_THAT(text.out, HasSubstr("the crawl knows no host " + std::string(host)));
    const BinaryResult json = Trawl({"host", host, "--root", crawl.root(), "--json"});
    EXPECT_EQ(json.exit_code, 1);
    EXPECT_EQ(ParseJson(json.out).ValueOrDie(), (Json{{"host", host}, {"known", false}}));
  }
  EXPECT_EQ(AnswerOf(Trawl({"host", "known.test", "--root", crawl.root(), "--json"}))["known"], true);
  EXPECT_EQ(AnswerOf(Trawl({"host", "--domain", "only.test", "--root", crawl.root(), "--json"}))["pages"], 4);
  EXPECT_EQ(Trawl({"host", "--domain", "nosuch.test", "--root", crawl.root()}).exit_code, 1);
}

TEST(HostVerb, ThePagesOfTodayAreThoseOfToday) {
  SegmentFixture crawl;
  HostRow row;
  row.key = "test,a";
  row.day_start_ms = row.domain.day_start_ms = 1'767'225'600'000;  // 2026-01-01
  row.pages = row.pages_today = 7;
  row.domain.pages = row.domain.pages_today = 9;
  ASSERT_OK(crawl.Put<HostRow>({row}));
  for (const bool same_day : {true, false}) {
    const std::vector<std::string> more = {"--root", crawl.root(), "--json", "--now", same_day ? kEvening : kNextDay};
    std::vector<std::string> host = {"host", "a.test"}, hosts = {"readdb", "hosts"};
    host.insert(host.end(), more.begin(), more.end());
    hosts.insert(hosts.end(), more.begin(), more.end());
    const Json answer = AnswerOf(Trawl(host));
    EXPECT_EQ(answer["pages_today"], same_day ? 7 : 0);
    EXPECT_EQ(answer["of_domain"]["pages_today"], same_day ? 9 : 0);
    EXPECT_EQ(answer["of_domain"]["pages"], 9);
    EXPECT_EQ(AnswerOf(Trawl(hosts))["pages_today"], same_day ? 7 : 0);
  }
}

}  // namespace
}  // namespace trawl
