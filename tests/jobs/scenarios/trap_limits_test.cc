// A host that shows URLs without end over days, and hosts that are asked for a path that cannot exist: by the binary on a
// test web.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>

#include "formats/rows/host_row.h"
#include "formats/rows/settle_rows.h"
#include "formats/url/key.h"
#include "jobs/politeness/quota.h"
#include "jobs/select/probe.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

class TrapLimits : public ::testing::Test {
 protected:
  std::vector<std::string> Asking(std::vector<std::string> more = {}) const {
    more.insert(more.end(),
                {"--fetch.allow_private", "--fetch.delay_ms", "0", "--fetch.hosts_file", web_.hosts_file()});
    return more;
  }
  // One command on the crawl; its exit code may be 1.
  Json Run(const std::string& verb, const std::string& now, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--now", now});
    const BinaryResult result = web_.Run(web_.Arguments(verb, "crawl", more));
    EXPECT_LE(result.exit_code, 1) << verb << ": " << result.err;
    exit_code_ = result.exit_code;
    return ParseJson(result.out).ValueOr(Json());
  }
  void RoundByVerbs(const std::string& now) {
    Run("generate", now, Asking());
    if (exit_code_ == 1) return;
    Run("fetch", now, Asking());
    Run("parse", now);
    Run("updatedb", now, Asking());
  }
  int64_t Pages(const std::string& host) const {
    int64_t pages = 0;
    for (const auto& [path, count] : web_.Requests()) {
      if (path.starts_with(host + "/") && !path.ends_with("/robots.txt")) pages += count;
    }
    return pages;
  }
  int Asked(const std::string& path) const {
    const auto requests = web_.Requests();
    const auto found = requests.find(path);
    return found == requests.end() ? 0 : found->second;
  }

  CrawledWeb web_;
  int exit_code_ = 0;
};

TEST_F(TrapLimits, AHostOfEndlessUrlsHasAHundredPagesADayUntilItLooksLikeAHostAgain) {
  // Each page links to 600 others.
  const auto is_bait = std::make_shared<std::atomic<bool>>(true);
  web_.web().AddHost("bait.test", [is_bait](const TestRequest& request) {
    if (request.path == "/robots.txt") return AnswerWith({.status = 404}, request);
    std::string body = "<p>page " + request.path;
    const int64_t number = std::atoll(request.path.c_str() + 1);
    for (int64_t i = 1; *is_bait && i <= 600; ++i) {
      body += "<a href=/" + std::to_string((number * 600 + i) % 1'000'000'000'007) + ">x</a>";
    }
    return AnswerWith({.body = body}, request);
  });
  std::string links;
  for (int i = 0; i < 30; ++i) links += "<a href=/p" + std::to_string(i) + ">x</a>";
  web_.web().AddHost("good.test", ServePages({{"/", {.body = links}}, {"*", {.body = "<p>a page"}}}));
  web_.Start();

  const auto crawl = [this](const std::string& now, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--per_host", "120"});
    Run("crawl", now, Asking(more));
  };
  crawl("2026-01-01T08:00:00Z", {"http://bait.test/", "http://good.test/"});
  EXPECT_EQ(Pages("bait.test"), 121) << "until it is suspected";
  EXPECT_EQ(Pages("good.test"), 31);
  crawl("2026-01-01T20:00:00Z");
  RoundByVerbs("2026-01-01T23:00:00Z");
  EXPECT_EQ(Pages("bait.test"), 121);
  const Json idle = Run("generate", "2026-01-01T23:00:00Z", Asking());
  EXPECT_EQ(idle["next_due"], "2026-01-02T00:00:00Z");

  // Each day again, by whatever verb, and on both sides of midnight.
  int64_t pages = 121, discovered = Run("host", "2026-01-02T00:00:00Z", {"bait.test"})["discovered"];
  EXPECT_GT(discovered, 60'000);
  for (const char* day : {"2026-01-02T", "2026-01-03T", "2026-01-04T"}) {
    crawl(day + std::string("00:00:10Z"));
    RoundByVerbs(day + std::string("08:00:00Z"));
    Run("round", day + std::string("16:00:00Z"), Asking());
    crawl(day + std::string("23:30:00Z"));
    EXPECT_EQ(Pages("bait.test"), pages + kTrapPagesADay) << day;
    pages = Pages("bait.test");
    const Json host = Run("host", day + std::string("23:59:00Z"), {"bait.test"});
    EXPECT_EQ(host["suspected_trap"], true) << day;
    EXPECT_EQ(host["discovered"], discovered + kTrapUrlsADay) << day;
    discovered = host["discovered"].get<int64_t>();
  }
  const Json explained = Run("readdb get", "2026-01-04T23:59:00Z", {"--explain", "http://bait.test/599"});
  EXPECT_THAT(explained.dump(), HasSubstr("has had 100 pages today, of at most 100 (a suspected trap; trawl host "));

  // Then its pages lead nowhere.
  *is_bait = false;
  int days = 0;
  for (; days < 20; ++days) {
    const std::string day = "2026-02-" + std::string(days < 9 ? "0" : "") + std::to_string(days + 1);
    if (Run("host", day + "T00:00:00Z", {"bait.test"})["suspected_trap"] == false) break;
    Run("round", day + "T12:00:00Z", Asking());
    EXPECT_EQ(Pages("bait.test"), pages + kTrapPagesADay) << day;
    pages = Pages("bait.test");
  }
  EXPECT_GT(days, 1);
  EXPECT_LT(days, 20) << "it ends";
  Run("round", "2026-03-01T00:00:00Z", Asking({"--per_host", "150"}));
  EXPECT_EQ(Pages("bait.test"), pages + 150);
}

TEST_F(TrapLimits, ACrawlEndsWhereOnlyPatternsThatYieldLittleHaveDueUrls) {
  std::string links;
  for (int i = 0; i < 50; ++i) links += "<a href=/day/" + std::to_string(i) + ">x</a>";
  web_.web().AddHost("site.test", ServePages({{"/robots.txt", {.status = 404}},
                                              {"/", {.body = links + "<a href=/about>x</a>"}},
                                              {"/about", {.body = "<p>about"}},
                                              {"*", {.body = "<p>nothing on this day"}}}));
  web_.Start();
  SegmentFixture crawl(web_.root("crawl"));
  Run("inject", "2026-01-01T00:00:00Z", {"http://site.test/"});
  PatternRow days;
  days.key = "test,site)http/day/#";
  days.fetched = days.duplicates = 40'000;
  days.fetched_ever = 40;
  days.counted_ms = 1'767'225'600'000;
  days.budget = 2;
  ASSERT_OK(crawl.Put<PatternRow>({days}));
  const std::vector<std::string> options =
      Asking({"--generate.probe_errors=false", "--sitemaps.guess=false", "--settle.enabled=false"});
  const Json report = Run("crawl", "2026-01-01T00:00:00Z", options);
  EXPECT_EQ(exit_code_, 0);
  EXPECT_THAT(report["ended"].get<std::string>(), HasSubstr("only patterns that yield little have due URLs"));
  EXPECT_EQ(report["held"][0]["why"], "pattern_budget");
  const int64_t pages = Pages("site.test");
  EXPECT_GE(pages, 2 + 3);
  EXPECT_LE(pages, 2 + 6) << "a few of each round";
  // A round by itself, and rounds that were asked for, try on.
  Run("round", "2026-01-01T01:00:00Z", options);
  EXPECT_GT(Pages("site.test"), pages);
  Run("crawl", "2026-01-01T02:00:00Z",
      Asking({"--rounds", "4", "--generate.probe_errors=false", "--settle.enabled=false"}));
  EXPECT_GE(Pages("site.test"), pages + 1 + 4);
}

// -- paths that cannot exist ------------------------------------------------------------------------------------------

PatternRow ErrorPages(const std::string& key) {
  PatternRow row;
  row.key = key;
  row.fetched = 5'000;
  row.duplicates = 4'000;
  row.fetched_ever = 5;
  row.counted_ms = 1;
  return row;
}

TEST_F(TrapLimits, AHostIsAskedOnceInThirtyDaysWhatItsErrorPagesLookLike) {
  const std::string path = ProbeKeyOf("test,soft)http").substr(std::string("test,soft)http").size());
  // It has no page of status 404, and its error page has a link.
  const TestPage error = {.body =
                              "<title>Oops</title><p>We could not find what you are looking for. <a href=/secret>s"};
  web_.web().AddHost("soft.test", ServePages({{"/robots.txt", {.status = 404}},
                                              {"/", {.body = "<a href=/x/1>1</a><a href=/x/2>2</a>"}},
                                              {"*", error}}));
  web_.web().AddHost("turn.test", [](const TestRequest& request) {
    if (request.path == "/robots.txt") return AnswerWith(NotFound(), request);
    const bool is_page = request.path == "/";
    return AnswerWith(is_page ? TestPage{.body = "home"} : RedirectTo("http://turn.test/landing", 302), request);
  });
  web_.web().AddHost(
      "denied.test",
      ServePages({{"/robots.txt", {.content_type = "text/plain", .body = "User-agent: *\nAllow: /$\nDisallow: /\n"}},
                  {"*", error}}));
  web_.Start();
  SegmentFixture crawl(web_.root("crawl"));
  Run("inject", "2026-01-01T00:00:00Z", {"http://soft.test/", "http://turn.test/", "http://denied.test/"});
  ASSERT_OK(crawl.Put<PatternRow>(
      {ErrorPages("test,soft)http/x/#"), ErrorPages("test,turn)http/x/#"), ErrorPages("test,denied)http/x/#")}));
  const std::vector<std::string> options = Asking({"--sitemaps.guess=false"});

  Run("round", "2026-01-01T00:00:00Z", options);
  EXPECT_EQ(Asked("soft.test" + path), 1);
  const auto soft = crawl.Find<HostRow>("test,soft");
  ASSERT_TRUE(soft);
  EXPECT_GT(soft->probe_ms, 0);
  EXPECT_EQ(soft->error_digest.size(), 32U);
  EXPECT_EQ(soft->pages, 1) << "a limit of pages does not count it";
  EXPECT_EQ(soft->fetched, 1);
  EXPECT_FALSE(crawl.Find<UrlRow>("test,soft)http" + path));
  EXPECT_FALSE(crawl.Find<UrlRow>("test,soft)http/secret")) << "nothing enters by it";
  EXPECT_TRUE(crawl.Find<UrlRow>("test,soft)http/x/1"));
  const auto turn = crawl.Find<HostRow>("test,turn");
  EXPECT_GT(turn->probe_ms, 0);
  EXPECT_EQ(turn->error_digest, "") << "it has no error page of status 200";
  EXPECT_EQ(Asked("turn.test/landing"), 0);
  EXPECT_FALSE(crawl.Find<UrlRow>("test,turn)http/landing"));
  EXPECT_EQ(Pages("denied.test"), 1) << "robots.txt holds for it";
  EXPECT_GT(crawl.Find<HostRow>("test,denied")->probe_ms, 0) << "so it is not tried in each round";

  const Json round = Run("rounds", "2026-01-01T01:00:00Z", {"--limit", "1"});
  EXPECT_EQ(round["fetch"]["pages"], 3);
  EXPECT_EQ(round["fetch"]["fetched"], 3);
  EXPECT_EQ(round["fetch"]["outcomes"], (Json{{"fetched", 3}})) << "no report counts it";
  EXPECT_EQ(round["lists"][0]["urls"], 3);

  Run("crawl", "2026-01-02T00:00:00Z", options);
  EXPECT_EQ(Asked("soft.test/x/1"), 1);
  EXPECT_EQ(Asked("soft.test" + path), 1);
  Run("urls set", "2026-01-30T12:00:00Z", {"http://soft.test/", "--due", "now"});
  Run("round", "2026-01-30T12:00:00Z", options);
  EXPECT_EQ(Asked("soft.test" + path), 1);
  Run("urls set", "2026-02-01T00:00:00Z", {"http://soft.test/", "--due", "now"});
  Run("round", "2026-02-01T00:00:00Z", options);
  EXPECT_EQ(Asked("soft.test" + path), 2);
  const Json stats = Run("readdb stats", "2026-02-01T00:00:00Z");
  EXPECT_FALSE(stats["by_kind"].contains("probe")) << stats.dump();
  EXPECT_FALSE(crawl.Find<UrlRow>("test,soft)http" + path));
}

}  // namespace
}  // namespace trawl
