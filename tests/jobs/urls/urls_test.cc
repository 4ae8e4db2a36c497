// trawl urls set by the binary: on crawls that the tests write themselves, and on a web of our own over rounds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "formats/rows/times.h"
#include "jobs/inject/seed_fold.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kNow = 1'767'225'600'000;  // 2026-01-01
constexpr char kAnHourLater[] = "2026-01-01T01:00:00Z";

UrlRow RowOf(const std::string& key, UrlState state, Outcome outcome) {
  UrlRow row = UnfetchedRow(key);
  row.state = state;
  row.outcome = outcome;
  row.due_ms = kNow + 90 * kDayMs;
  row.fetched_ms = kNow - kHourMs;
  row.fetches = 1;
  row.retries = 1;
  return row;
}

class UrlsSet : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(crawl_.Put<UrlRow>({RowOf("com,a)/refused", UrlState::kRefused, Outcome::kAddressRefused),
                                  RowOf("com,a)/gone", UrlState::kGone, Outcome::kGone),
                                  RowOf("com,a)/ok", UrlState::kFetched, Outcome::kFetched),
                                  RowOf("com,a)http/denied", UrlState::kDenied, Outcome::kRobotsDenied),
                                  RowOf("com,b)/refused", UrlState::kRefused, Outcome::kTypeRefused),
                                  RowOf("com,b)/failing", UrlState::kFailing, Outcome::kTimeout)}));
  }
  BinaryResult Set(std::vector<std::string> arguments, const std::string& input = "") {
    for (const char* more : {"set", "urls"}) arguments.insert(arguments.begin(), more);
    arguments.insert(arguments.end(), {"--root", crawl_.root(), "--now", kAnHourLater});
    return Trawl(arguments, input);
  }
  Json Answer(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.push_back("--json");
    return AnswerOf(Set(std::move(arguments), input));
  }
  UrlState StateOf(const std::string& key) const { return crawl_.Find<UrlRow>(key)->state; }

  SegmentFixture crawl_;
};

TEST_F(UrlsSet, SelectionsAreJoinedByAnd) {
  const struct {
    std::vector<std::string> arguments;
    int matched, changed;
  } cases[] = {{{"--state", "refused", "--retry"}, 2, 2},
               {{"--state", "refused,gone", "--retry"}, 3, 3},
               {{"--state", "refused", "--outcome", "address_refused", "--retry"}, 1, 1},
               {{"--prefix", "https://a.com/", "--retry"}, 3, 2},
               {{"--prefix", "https://a.com/", "--prefix", "https://a.com/g", "--state", "gone", "--retry"}, 1, 1},
               {{"--prefix", "https://b.com/", "--outcome", "timeout", "--due", "3d"}, 1, 1},
               {{"https://a.com/ok", "https://b.com/refused", "--state", "refused", "--tier", "low"}, 1, 1},
               {{"--state", "duplicate", "--retry"}, 0, 0}};
  for (const auto& one : cases) {
    std::vector<std::string> dry = one.arguments;
    dry.push_back("--dry_run");
    const int64_t before = crawl_.Present().number;
    const Json counted = Answer(dry);
    EXPECT_EQ(counted["matched"], one.matched) << DumpJson(Json(one.arguments));
    EXPECT_EQ(counted["changed"], one.changed) << DumpJson(Json(one.arguments));
    EXPECT_EQ(crawl_.Present().number, before) << "a dry run published";
  }
  for (const auto& one : {cases[5], cases[6], cases[0]}) {
    const int64_t before = crawl_.Present().number;
    const Json done = Answer(one.arguments);
    EXPECT_EQ(done["matched"], one.matched);
    EXPECT_EQ(done["changed"], one.changed);
    EXPECT_EQ(crawl_.Present().number, before + 1) << "one command is one snapshot";
  }
}

TEST_F(UrlsSet, OneCommandRepairsEachMistake) {
  EXPECT_EQ(Answer({"--outcome", "address_refused", "--retry"})["changed"], 1);
  const UrlRow row = *crawl_.Find<UrlRow>("com,a)/refused");
  EXPECT_EQ(row.state, UrlState::kUnfetched);
  EXPECT_EQ(row.due_ms, kNow + kHourMs);
  EXPECT_EQ(row.retries, 0);
  EXPECT_EQ(StateOf("com,b)/refused"), UrlState::kRefused);
  EXPECT_EQ(Answer({"https://a.com/gone", "https://b.com/failing", "--retry"})["put_back"], 2);
  EXPECT_EQ(StateOf("com,a)/gone"), UrlState::kUnfetched);
}

TEST_F(UrlsSet, RobotsThatHeldItBackAreAskedAgain) {
  RobotsRow denies;
  denies.key = "com,a)http";
  denies.due_ms = kNow + kDayMs;
  denies.text = "User-agent: *\nDisallow: /";
  RobotsRow unreachable;
  unreachable.key = "com,a)";
  unreachable.due_ms = kNow + kDayMs;
  unreachable.failures = 5;
  RobotsRow other = unreachable;
  other.key = "com,b)";
  ASSERT_OK(crawl_.Put<RobotsRow>({denies, unreachable, other}));
  EXPECT_EQ(Answer({"--state", "denied,refused", "--prefix", "https://a.com/", "--prefix", "http://a.com/",
                    "--retry"})["robots"],
            2);
  EXPECT_EQ(crawl_.Find<RobotsRow>("com,a)http")->due_ms, kNow + kHourMs);
  EXPECT_EQ(crawl_.Find<RobotsRow>("com,a)")->due_ms, kNow + kHourMs);
  EXPECT_EQ(crawl_.Find<RobotsRow>("com,b)")->due_ms, kNow + kDayMs);
}

TEST_F(UrlsSet, ListsComeFromFilesAndStandardInput) {
  const std::string list = crawl_.root() + "/list.txt";
  std::ofstream(list) << "# mistakes\nhttps://a.com/gone\n\nhttps://a.com/gone\nnonsense\nhttps://c.com/new\tscore=1\n";
  for (const bool dry : {true, false}) {
    std::vector<std::string> arguments = {list, "-", "https://a.com/ok", "--score", "0.9"};
    if (dry) arguments.push_back("--dry_run");
    const Json answer = Answer(arguments, "https://b.com/refused\n");
    EXPECT_EQ(answer["matched"], 3);
    EXPECT_EQ(answer["changed"], 3);
    EXPECT_EQ(answer["not_known"], 1);
    EXPECT_EQ(answer["bad"], 1);
    EXPECT_EQ(answer["samples"][0]["number"], 5);
  }
  EXPECT_EQ(crawl_.Find<UrlRow>("com,a)/ok")->score, 900'000);
  const BinaryResult said = Set({"https://nobody.example/", "--retry"});
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_EQ(said.out, "0 URLs matched, 0 changed, 1 not in the crawl\n");
  EXPECT_THAT(said.err, HasSubstr("  https://nobody.example/: not in the crawl; trawl inject adds it\n"));
  EXPECT_EQ(Set({"https://nobody.example/", "--retry", "--dry_run"}).err, said.err);
}

TEST_F(UrlsSet, WhatMakesNoSenseIsAUsageErrorThatSaysWhatToType) {
  const struct {
    std::vector<std::string> arguments;
    const char* message;
  } cases[] = {{{"--retry"}, "no URL is named; name URLs, a file with one URL per line or -"},
               {{"--state", "refused"}, "nothing is set; say what to change: --due,"},
               {{"--state", "refusd", "--retry"}, "did you mean refused?"},
               {{"--outcome", "xyz", "--retry"}, "write one of fetched, not_modified"},
               {{"https://a.com/", "--due", "soon"}, "write now, 3d, or 2026-03-01T12:00:00Z"},
               {{"https://a.com/", "--tier", "top"}, "write high, medium or low"},
               {{"https://a.com/", "--score", "-1"}, "is not a number from 0 to 1"},
               {{"https://a.com/", "--score", "2"}, "--score: score '2' is over 1; write a number from 0 to 1"},
               {{"https://a.com/", "--interval", "0"}, "is not an interval"},
               {{"https://a.com/", "--drop", "--retry"}, "--drop ends what the crawl does with a URL"},
               {{"nofile.txt", "--retry"}, "there is no file 'nofile.txt'; name a URL"}};
  for (const auto& one : cases) {
    const BinaryResult result = Set(one.arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(one.message));
  }
}

TEST_F(UrlsSet, TheAnswerIsOnStandardOutputAndNotesOnStandardError) {
  Set({"https://a.com/gone", "--drop"});
  const BinaryResult result = Set({"--state", "refused", "--retry"});
  EXPECT_EQ(result.out, "3 URLs matched, 2 changed; snapshot 3\n");
  EXPECT_THAT(result.err, HasSubstr("1 is dropped and stays so; --undrop brings back what was dropped"));
}

// The URL is on the list of an open segment while the operator speaks; its result comes later.
TEST_F(UrlsSet, TheOperatorsWordOutlivesAnOpenSegment) {
  std::vector<UrlRow> rows;
  for (const char* name : {"due", "retry", "drop", "score", "tier"})
    rows.push_back(UnfetchedRow(std::string("com,c)/") + name));
  ASSERT_OK(crawl_.Put<UrlRow>(rows));
  ASSERT_OK(crawl_.Generate("s1", kNow));
  SegmentRows answers;
  for (const UrlRow& row : rows) {
    const bool refused = row.key == "com,c)/retry";
    FetchRow fetch =
        FetchOf(row, refused ? Outcome::kAddressRefused : Outcome::kFetched, refused ? 0 : 200, kNow + kMinuteMs);
    EncodeRow(row, &fetch.listed);
    if (!refused) fetch.body_digest = "digest";
    answers.fetch.push_back(fetch);
  }
  answers.links = {LinkOf("com,c)/due", "com,c)/drop", 1)};
  ASSERT_OK(crawl_.Finish("s1", answers));
  // "retry" failed before in the operator's eyes: the older row says so.
  UrlRow failing = rows[1];
  failing.state = UrlState::kFailing;
  failing.outcome = Outcome::kTimeout;
  failing.fetched_ms = kNow - kDayMs;
  ASSERT_OK(crawl_.Put<UrlRow>({failing}));
  Answer({"https://c.com/due", "--due", "+30d"});
  Answer({"https://c.com/retry", "--retry"});
  Answer({"https://c.com/drop", "--drop"});
  Answer({"https://c.com/score", "--score", "0.25", "--interval", "3d"});
  Answer({"https://c.com/tier", "--tier", "low"});
  crawl_.now_ms = kNow + 2 * kHourMs;
  ASSERT_OK_AND_ASSIGN(const JobResult applied, crawl_.Apply("s1"));
  EXPECT_EQ(applied.output.counters.Get("dropped"), 1);
  const UrlRow due = *crawl_.Find<UrlRow>("com,c)/due");
  EXPECT_EQ(due.state, UrlState::kFetched);
  EXPECT_EQ(due.due_ms, kNow + kHourMs + 30 * kDayMs);
  const UrlRow retry = *crawl_.Find<UrlRow>("com,c)/retry");
  EXPECT_EQ(retry.state, UrlState::kUnfetched);
  EXPECT_EQ(retry.due_ms, kNow + kHourMs);
  EXPECT_TRUE(IsDropped(*crawl_.Find<UrlRow>("com,c)/drop")));
  const UrlRow score = *crawl_.Find<UrlRow>("com,c)/score");
  EXPECT_EQ(score.state, UrlState::kFetched);
  EXPECT_EQ(score.score, 250'000);
  EXPECT_EQ(score.interval_ms, 3 * kDayMs);
  EXPECT_EQ(crawl_.Find<UrlRow>("com,c)/tier")->tier, TierChoice::kLow);
}

TEST_F(UrlsSet, RemoveLeavesWhatWasDropped) {
  Set({"https://a.com/gone", "--drop"});
  const auto remove = [this](const std::vector<std::string>& what) {
    std::vector<std::string> arguments = {"remove", "--root", crawl_.root()};
    arguments.insert(arguments.end(), what.begin(), what.end());
    return Trawl(arguments, "https://a.com/refused\nhttps://b.com/failing\n");
  };
  EXPECT_EQ(remove({"https://a.com/gone"}).out, "0 URLs removed\n");
  const BinaryResult range = remove({"--prefix", "https://a.com/g"});
  EXPECT_EQ(range.out, "0 URLs removed\n");
  EXPECT_THAT(range.err, HasSubstr("1 dropped URL stays"));
  EXPECT_TRUE(IsDropped(*crawl_.Find<UrlRow>("com,a)/gone")));
  EXPECT_EQ(remove({"-"}).out, "2 URLs removed\n");
}

// -- over rounds, on a web ---------------------------------------------------------------------------------------------

std::map<std::string, TestPage> SitePages() {
  return {{"/robots.txt", {.content_type = "text/plain", .body = "Sitemap: http://a.test/sitemap.xml\n"}},
          {"/sitemap.xml",
           {.content_type = "application/xml",
            .body = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
                    "<url><loc>http://a.test/x</loc></url></urlset>"}},
          {"/", {.body = "<a href=/x>x</a><a href=/y>y</a><a href=/to>to</a>"}},
          {"/to", RedirectTo("/x", 302)},
          {"/y", {.body = "<a href=/x>x</a>"}},
          {"/x", {.body = "x"}}};
}

TEST(UrlsOverRounds, ADroppedUrlStaysDropped) {
  CrawledWeb web;
  web.web().AddHost("a.test", ServePages(SitePages()));
  web.Start();
  web.Crawl("a", {"http://a.test/"});
  EXPECT_EQ(web.Requests()["a.test/x"], 1);
  EXPECT_EQ(web.Object(web.Arguments("urls set", "a", {"http://a.test/x", "--drop", "--now", kAnHourLater}))["changed"],
            1);
  const BinaryResult inject =
      web.Run({"inject", "--root", web.root("a"), "--now", kAnHourLater, "http://a.test/x", "--update"});
  EXPECT_THAT(inject.out, HasSubstr("0 new, 1 known; no change"));
  EXPECT_THAT(inject.err, HasSubstr(" URL --undrop brings it back"));
  web.Object(web.Arguments("compact", "a", {"--now", kAnHourLater}));
  web.web().ClearLog();
  for (const char* now : {"2026-02-01T00:00:00Z", "2026-03-05T00:00:00Z", "2026-04-10T00:00:00Z"}) {
    web.Crawl("a", {"--now", now});
    web.Object(web.Arguments("compact", "a", {"--now", now}));
    const Json row = web.Object(web.Arguments("readdb get", "a", {"http://a.test/x"}));
    EXPECT_EQ(row["state"], "refused") << now;
    EXPECT_EQ(row["reason"], "dropped: dropped by the operator") << now;
  }
  EXPECT_EQ(web.Requests()["a.test/x"], 0);
  EXPECT_GE(web.Requests()["a.test/to"], 3);
  EXPECT_EQ(web.Object(web.Arguments("urls set", "a",
                                     {"http://a.test/x", "--undrop", "--now", "2026-04-11T00:00:00Z"}))["changed"],
            1);
  web.Crawl("a", {"--now", "2026-04-11T00:00:00Z"});
  EXPECT_EQ(web.Requests()["a.test/x"], 1);
  EXPECT_EQ(web.Object(web.Arguments("readdb get", "a", {"http://a.test/x"}))["state"], "fetched");
}

// Dropped while it is on the list of an open segment, by the single verbs.
TEST(UrlsOverRounds, ADropBetweenTheStepsOfARoundHolds) {
  CrawledWeb web;
  web.web().AddHost("a.test", ServePages(SitePages()));
  web.Start();
  web.Crawl("a", {"http://a.test/", "--rounds", "1"});
  const auto step = [&web](const std::string& verb, const std::string& now) {
    return web.Object(web.Arguments(verb, "a", {"--now", now}));
  };
  step("generate", "2026-01-02T00:00:00Z");
  web.Object(web.Arguments("urls set", "a", {"http://a.test/x", "--drop", "--now", "2026-01-02T00:01:00Z"}));
  for (const char* verb : {"fetch", "parse"}) step(verb, "2026-01-02T00:02:00Z");
  EXPECT_EQ(step("updatedb", "2026-01-02T00:03:00Z")["dropped"], 1);
  EXPECT_EQ(web.Object(web.Arguments("readdb get", "a", {"http://a.test/x"}))["state"], "refused");
}

TEST(UrlsOverRounds, APageIsFetchedNow) {
  CrawledWeb web(LinkGraph{.hosts = 1, .pages = 3});
  web.Crawl("a", {web.seed()});
  web.web().ClearLog();
  web.Object(web.Arguments("urls set", "a", {web.seed(), "--due", "now", "--now", kAnHourLater}));
  EXPECT_EQ(web.Crawl("a", {"--now", kAnHourLater})["fetched"], 1);
  EXPECT_EQ(web.Run(web.CrawlArguments("a", {"--now", "2026-01-01T01:10:00Z"})).exit_code, 1) << "once is enough";
}

// Rounds of one page by the single verbs: tiers decide, those of the seed list and those that are set later.
TEST(UrlsOverRounds, TiersDecideWhatComesFirst) {
  CrawledWeb web;
  web.web().AddHost("a.test", ServePages({{"/robots.txt", {.status = 404}}, {"*", {.body = "here"}}}));
  web.Start();
  const std::string seeds = web.root("seeds");
  std::ofstream(seeds) << "http://a.test/low\tpriority=low\tscore=1\nhttp://a.test/medium\tpriority=1\n"
                       << "http://a.test/high\tpriority=0\tscore=0\n";
  web.Object(web.Arguments("inject", "a", {seeds, "--now", CrawledWeb::kNow}));
  int minute = 10;
  const auto round = [&] {
    const std::string now = "2026-01-01T01:" + std::to_string(minute++) + ":00Z";
    web.web().ClearLog();
    web.Object(web.Arguments("generate", "a", {"--top_n", "1", "--now", now}));
    web.Object(
        web.Arguments("fetch", "a", {"--fetch.allow_private", "--fetch.hosts_file", web.hosts_file(), "--now", now}));
    for (const char* verb : {"parse", "updatedb"}) web.Object(web.Arguments(verb, "a", {"--now", now}));
    const std::vector<TestLogEntry> log = web.web().Log();
    return log.empty() ? std::string() : log.back().path;
  };
  EXPECT_EQ(round(), "/high");
  const Json set = web.Object(web.Arguments(
      "urls set", "a",
      {"http://a.test/high", "http://a.test/low", "--due", "now", "--tier", "high", "--now", "2026-01-01T01:10:30Z"}));
  EXPECT_EQ(set["changed"], 2);
  EXPECT_EQ(round(), "/low") << "the better score of the tier";
  EXPECT_EQ(round(), "/high") << "again, before its time";
  EXPECT_EQ(round(), "/medium");
}

// The operator forgot an option; with it, one command brings everything back.
TEST(UrlsOverRounds, ARefusedAddressSaysWhatToTypeAndComesBack) {
  CrawledWeb web;
  web.web().AddHost("a.test", ServePages({{"*", {.body = "here"}}}));
  web.Start();
  const std::vector<std::string> first = {
      "http://a.test/", "--fetch.hosts_file", web.hosts_file(), "--fetch.delay_ms", "0",
      "--contact",      "me@example.com",     "--now",          CrawledWeb::kNow};
  web.Run(web.Arguments("crawl", "a", first));
  const auto get = [&web] { return web.Object(web.Arguments("readdb get", "a", {"http://a.test/"})); };
  ASSERT_EQ(get()["state"], "refused");
  const BinaryResult explained = web.Run(
      {"readdb", "get", "--explain", "--root", web.root("a"), "--now", "2026-01-01T00:01:00Z", "http://a.test/"});
  EXPECT_THAT(explained.out, HasSubstr("--fetch.allow_private lifts this"));
  EXPECT_THAT(explained.out, HasSubstr(" --outcome address_refused --retry"));
  const BinaryResult again = web.Run({"inject", "--root", web.root("a"), "http://a.test/"});
  EXPECT_THAT(again.err, HasSubstr(" --outcome address_refused --retry"));
  EXPECT_EQ(
      web.Object(web.Arguments(
          "urls set", "a", {"--outcome", "address_refused", "--retry", "--now", "2026-01-01T00:01:00Z"}))["changed"],
      1);
  EXPECT_EQ(web.Crawl("a", {"--now", "2026-01-01T00:02:00Z"})["fetched"], 1);
  EXPECT_EQ(get()["state"], "fetched");
}

}  // namespace
}  // namespace trawl
