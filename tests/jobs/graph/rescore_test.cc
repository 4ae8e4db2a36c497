// What the graph makes of scores: they depend on what is known, never on when it became known.
#include "jobs/graph/rescore.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <sstream>

#include "formats/rows/host_graph_row.h"
#include "formats/rows/outlinks_row.h"
#include "formats/rows/times.h"
#include "jobs/graph/graph.h"
#include "jobs/policy/score.h"
#include "runtime/job/local_runner.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

constexpr char kSeed[] = "http://www.site.test/";

// Four hosts of a domain. The pages of www gain links to other hosts from version to version, and those link back, and to
// each other: some pages to many hosts, some hosts to one page.
TestAnswer Answer(int version, const TestRequest& request) {
  if (request.path == "/robots.txt") return AnswerWith(NotFound(), request);
  const std::string host = request.host.substr(0, request.host.find('.'));
  const int page = request.path == "/" ? 0 : std::atoi(request.path.c_str() + 1);
  std::string body =
      "<title>page</title>version " + std::to_string(version) + " of " + request.path + " of " + request.host;
  const auto link = [&body](const std::string& to, int number) {
    body += "<a href='http://" + to + ".site.test/" + (number == 0 ? "" : std::to_string(number)) + "'>x</a>";
  };
  for (int i = 1; i <= 2; ++i) {
    if (page * 2 + i < 12) link(host, page * 2 + i);
  }
  if (host == "www") {
    if (page == 3) link("one", 0);
    if (version >= 1 && page < 5) link("two", page);
    if (version >= 2 && page == 4) link("three", 7);
  } else {
    link("www", 9);
    if (page % 2 == 0) link(host == "one" ? "two" : "one", page / 2);
    if (page == 7) link("three", 0);
  }
  return AnswerWith({.body = body}, request);
}

class Rescore : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* host : {"www", "one", "two", "three"}) {
      web_.web().AddHost(std::string(host) + ".site.test",
                         [this](const TestRequest& request) { return Answer(version_, request); });
    }
    web_.Start();
  }
  // A round of fetching everything that is due, with its pages in that version.
  Json Crawl(const std::string& name, int version, const std::string& now, std::vector<std::string> more = {}) {
    version_ = version;
    more.insert(more.end(), {"--fetch.allow_private", "--fetch.delay_ms", "0", "--fetch.hosts_file", web_.hosts_file(),
                             "--now", now});
    return web_.Object(web_.Arguments("crawl", name, more));
  }
  Json Verb(const std::string& verb, const std::string& name, std::vector<std::string> more = {}) const {
    return web_.Object(web_.Arguments(verb, name, more));
  }
  // "url state depth score" of every URL.
  std::set<std::string> Facts(const std::string& name) const {
    std::set<std::string> facts;
    std::istringstream lines(web_.Run(web_.Arguments("readdb dump", name, {})).out);
    for (std::string line; std::getline(lines, line);) {
      const Json row = *ParseJson(line);
      facts.insert(row["url"].get<std::string>() + " " + row["state"].get<std::string>() + " " +
                   DumpJson(row["depth"]) + " " + DumpJson(row["score"]));
    }
    return facts;
  }
  CrawledWeb web_;
  std::atomic<int> version_ = 0;
};

constexpr char kFirst[] = "2026-01-01T00:00:00Z";
constexpr char kSecond[] = "2026-03-01T00:00:00Z";
constexpr char kThird[] = "2026-05-01T00:00:00Z";
constexpr char kFourth[] = "2026-07-01T00:00:00Z";

TEST_F(Rescore, AScopeWidenedLaterEndsWithTheScoresOfAWideOne) {
  Crawl("late", 0, kFirst, {"--scope", "host", "--depth", "6", kSeed});
  Crawl("late", 1, kSecond);
  Verb("config set", "late", {"urls.scope=domain", "--now", kSecond});
  EXPECT_GT(Verb("reparse", "late", {"--now", kSecond})["urls_new"], 0);
  Crawl("late", 1, kSecond);
  Crawl("late", 2, kThird);
  Crawl("wide", 0, kFirst, {"--scope", "domain", "--depth", "6", kSeed});
  Crawl("wide", 1, kSecond);
  Verb("graph", "wide", {"--now", kSecond});  // one knew the graph early, the other did not
  Crawl("wide", 2, kThird);
  EXPECT_NE(Facts("late"), Facts("wide")) << "the graph says more of scores";

  for (const char* name : {"late", "wide"}) {
    const Json graph = Verb("graph", name, {"--now", kThird});
    EXPECT_EQ(graph["hosts"], 4) << name;
    EXPECT_GT(graph["rescored"], 20) << name;
    // Nothing has changed, so nothing is published.
    const Json again = Verb("graph", name, {"--now", kThird});
    EXPECT_EQ(again["changed"], false);
    EXPECT_EQ(again["snapshot"], graph["snapshot"]);
    EXPECT_EQ(again["rescored"], 0);
    EXPECT_EQ(again["hosts"], 4);
    EXPECT_EQ(again["edges"], graph["edges"]);
    EXPECT_EQ(again["iterations"], graph["iterations"]);
  }
  EXPECT_EQ(Facts("late"), Facts("wide"));
  EXPECT_GT(Facts("late").size(), 40u);
  // A round gives the same scores as the graph's own pass: rows that it writes keep theirs.
  const std::set<std::string> before = Facts("late");
  EXPECT_GT(Crawl("late", 2, kFourth)["fetched"], 40);
  EXPECT_EQ(Facts("late"), before);
}

TEST_F(Rescore, WithoutAGraphRoundsCountNothing) {
  Crawl("late", 0, kFirst, {"--scope", "host", "--depth", "6", kSeed});
  Crawl("late", 1, kSecond);
  Verb("config set", "late", {"urls.scope=domain", "--now", kSecond});
  Crawl("late", 1, kSecond);
  Crawl("late", 2, kThird);
  Crawl("wide", 0, kFirst, {"--scope", "domain", "--depth", "6", kSeed});
  Crawl("wide", 1, kSecond);
  Crawl("wide", 2, kThird);
  EXPECT_EQ(Facts("late"), Facts("wide"));
}

arrow::Result<JobResult> RunRescore(const SegmentFixture& crawl) {
  LocalRunner runner({.threads = 1, .memory_bytes = int64_t{64} << 20, .temp_folder = "/tmp"});
  JobEnvironment environment;
  environment.store = crawl.store();
  environment.runner = &runner;
  environment.clock = &SystemClock();
  environment.now_ms = crawl.now_ms;
  environment.version = "test";
  environment.options = GraphOptionTexts();
  return RunJob(environment, RescoreRequest(1));
}

// A page at depth 1 becomes important by links alone, and an ordinary one again.
TEST(RescoreJob, LinksMakeAPageImportantAndNoLonger) {
  SegmentFixture crawl;
  UrlRow page = UnfetchedRow("com,a)/page", 1);
  page.state = UrlState::kFetched;
  page.score = 400'000;
  page.fetched_ms = crawl.now_ms - kDayMs;
  page.interval_ms = 7 * kDayMs;
  page.due_ms = page.fetched_ms + page.interval_ms;
  UrlRow seed = page, fixed = page, spammed = page;
  seed.key = "com,a)/";
  seed.is_seed = true;
  fixed.key = "com,a)/fixed";
  fixed.fixed_score = true;
  spammed.key = "com,b)/page";
  ASSERT_OK(crawl.Put<UrlRow>({page, seed, fixed, spammed}));
  const auto linked = [](const UrlRow& row) {
    InlinksRow links;
    links.key = row.key;
    links.links = links.elsewhere = 5'000;
    return links;
  };
  RankRow great, small;
  great.key = "com,a";
  great.authority = 785'714;
  great.in_hosts = 1024;
  small.key = "com,b";
  small.authority = 71'428;
  small.in_hosts = 1;
  ASSERT_OK(crawl.Put<InlinksRow>({linked(page), linked(seed), linked(fixed), linked(spammed)}));
  ASSERT_OK(crawl.Put<RankRow>({great, small}));
  ASSERT_OK_AND_ASSIGN(const JobResult first, RunRescore(crawl));
  EXPECT_EQ(first.output.counters.Get("rescored"), 2);
  const UrlRow top = *crawl.Find<UrlRow>(page.key);
  EXPECT_EQ(top.score, 871'428) << "0.4, 0.236 of its host, and 0.236 of 1,024 hosts";
  EXPECT_EQ(top.interval_ms, 6 * kHourMs);
  EXPECT_EQ(top.due_ms, page.fetched_ms + 6 * kHourMs);
  EXPECT_EQ(crawl.Find<UrlRow>(seed.key)->score, 400'000);
  EXPECT_EQ(crawl.Find<UrlRow>(fixed.key)->score, 400'000);
  EXPECT_EQ(crawl.Find<UrlRow>(spammed.key)->score, 400'000 + 21'428 + 21'428) << "one site, however many pages";
  ASSERT_OK_AND_ASSIGN(const JobResult second, RunRescore(crawl));
  EXPECT_FALSE(second.changed);
  great.authority = 0;
  ASSERT_OK(crawl.Put<RankRow>({great}));
  ASSERT_OK(RunRescore(crawl).status());
  const UrlRow after = *crawl.Find<UrlRow>(page.key);
  EXPECT_LT(after.score, 800'000);
  EXPECT_EQ(after.interval_ms, 7 * kDayMs) << "it begins anew";
  EXPECT_EQ(after.due_ms, top.due_ms);
}

}  // namespace
}  // namespace trawl
