// trawl readdb get --explain: for each event of NextState a URL that had it, in a crawl of a web that makes it happen,
// and what the explanation says of it. An event without a line here fails the last test.

#include "jobs/read/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "formats/rows/host_row.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/seed_host_row.h"
#include "jobs/updatedb/url_event.h"
#include "runtime/root/layout.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

// The lines of an explanation, by what they are about; several of one are joined.
std::map<std::string, std::string> ExplanationOf(const Json& answer) {
  std::map<std::string, std::string> lines;
  for (const Json& line : answer["explain"]) {
    std::string& text = lines[line["about"].get<std::string>()];
    text +=
        line["text"].get<std::string>() + " @" + (line["time"].is_null() ? "" : line["time"].get<std::string>()) + "\n";
  }
  return lines;
}

struct Expected {
  UrlEvent event;
  std::string url;
  // What the lines about these contain.
  std::map<std::string, std::string> lines;
};

void ExpectExplained(const Expected& expected, const Json& answer) {
  auto lines = ExplanationOf(answer);
  const std::string what = expected.url + "\n" + DumpJson(answer["explain"]);
  EXPECT_THAT(lines["rule"], HasSubstr(TextOf(expected.event))) << what;
  for (const auto& [about, text] : expected.lines) EXPECT_THAT(lines[about], HasSubstr(text)) << about << ": " << what;
  // Whatever became of it: where it stands, and when it is next.
  for (const char* about : {"state", "found", "due", "scope", "robots", "host", "next"}) {
    EXPECT_FALSE(lines[about].empty()) << about << ": " << what;
  }
}

constexpr char kFirst[] = "2026-01-01T00:00:00Z";
constexpr char kMonthLater[] = "2026-02-02T00:00:00Z";

TestHandler Site() {
  std::map<std::string, TestPage> pages = {
      {"/robots.txt", {.content_type = "text/plain", .body = "User-agent: *\nAllow: /\nDisallow: /private\n"}},
      {"/", {.body = "<p>front<a href=/linked-later>x</a>"}},
      {"/linked", {.body = "<p>linked"}},
      {"/same", {.body = "<p>the same"}},
      {"/validated", {.body = "<p>valid", .etag = "\"1\""}},
      {"/odd", {.body = "???", .headers = {{"Content-Encoding", "odd"}}}},
      {"/found", RedirectTo("/linked", 302)},
      {"/moved", RedirectTo("/linked", 301)},
      {"/circle", RedirectTo("/circle", 302)},
      {"/410", {.status = 410}},
      {"/403", {.status = 403}},
      {"/500", {.status = 500}},
      {"/picture", {.content_type = "image/png", .body = "png"}},
      {"/heads", {.body = "x", .headers = {{"X-Long", std::string(70'000, 'x')}}}},
  };
  const TestHandler fixed = ServePages(std::move(pages)), changing = ServeChanging(1);
  return [fixed, changing](const TestRequest& request) {
    return request.path == "/changing" ? changing(request) : fixed(request);
  };
}

// What two crawls a month apart leave, each of one round.
const std::vector<Expected>& FirstMonth() {
  static const std::vector<Expected> all = {
      {UrlEvent::kLink,
       "http://site.test/linked-later",
       {{"state", "unfetched"}, {"found", "depth 1, first found on http://site.test/"}, {"due", "in "}}},
      {UrlEvent::kFetchedNew,
       "http://site.test/",
       {{"state", "fetched, asked once, status 200"},
        {"found", "a seed"},
        {"rule", "(rule 8): asked again after 6 h"},
        {"due", "in 6 h"},
        {"refresh", "every 6 h; class default, at most 30 d; a top page, at most 6 h"},
        {"robots", "allowed by line 2: Allow: /"},
        {"host", "site.test takes"},
        {"next", "it is due then @2026-01-01T06:"},
        {"history", "fetched, status 200"}}},
      {UrlEvent::kParseFailed, "http://site.test/odd", {{"state", "not parsed: its content coding is not known: odd"}}},
      {UrlEvent::kRedirectTemporary,
       "http://site.test/found",
       {{"state", "redirected, asked once, status 302, redirect, to http://site.test/linked"},
        {"rule", "(rule 10)"},
        {"due", "in 6 h"}}},
      {UrlEvent::kRedirectPermanent,
       "http://site.test/moved",
       {{"rule", "30 d (--refresh.max_interval)"}, {"due", "in 30 d"}}},
      {UrlEvent::kRedirectToItself,
       "http://site.test/circle",
       {{"state", "refused"}, {"rule", "in a circle"}, {"due", "in 90 d"}}},
      {UrlEvent::kNotFound,
       "http://site.test/nothing",
       {{"state", "failing, asked once, status 404"},
        {"rule", "(rule 11): asked again after 1 d (--refresh.retry_interval)"},
        {"due", "in 1 d"}}},
      {UrlEvent::kGoneForGood,
       "http://site.test/410",
       {{"state", "gone"},
        {"rule", "never"},
        {"due", "never"},
        {"next", "never by itself: the server said that it is gone"}}},
      {UrlEvent::kClientError, "http://site.test/403", {{"state", "gone, asked once, status 403"}, {"due", "in 90 d"}}},
      {UrlEvent::kFailed,
       "http://site.test/500",
       {{"state", "failing, asked once, status 500, server_error"}, {"due", "in 1 d"}}},
      {UrlEvent::kThrottled,
       "http://busy.test/",
       {{"state", "unfetched, status 429, throttled"},
        {"rule", "(rule 5)"},
        {"due", "in 2 h"},
        {"host", "asked for a pause until then @2026-01-01T02:"},
        {"next", "throttled @2026-01-01T02:"}}},
      {UrlEvent::kRobotsDenied,
       "http://site.test/private",
       {{"state", "denied"},
        {"rule", "7 d (--refresh.denied_interval)"},
        {"robots", "denied by line 3: Disallow: /private"},
        {"next", "robots.txt as it is stored denies it"}}},
      {UrlEvent::kRobotsDeferred,
       "http://norobots.test/",
       {{"state", "unfetched"},
        {"rule", "(rule 6)"},
        {"robots", "could not be fetched once: status 503"},
        {"host",
         "takes nothing: its robots.txt could not be had: status 503; it is fetched again then @2026-01-01T01:"},
        {"next", "its robots.txt is fetched again then @2026-01-01T01:"}}},
      {UrlEvent::kRefusedByLimit,
       "http://site.test/heads",
       {{"state", "refused, asked once, header_limit"}, {"due", "in 90 d"}}},
      {UrlEvent::kRefusedByType,
       "http://site.test/picture",
       {{"state", "refused, asked once, status 200, type_refused: image/png"}}},
      {UrlEvent::kNotReached,
       "http://down.test/?",
       {{"state", "unfetched"},
        {"rule", "(rule 4)"},
        {"host", "down.test failed 5 times in a row: no requests until then @2026-01-01T00:05"},
        {"next", "its host is left out: breaker_open @2026-01-01T00:05"},
        {"history", "not_reached; segment"}}},
  };
  return all;
}

const std::vector<Expected>& SecondMonth() {
  static const std::vector<Expected> all = {
      {UrlEvent::kFetchedChanged,
       "http://site.test/changing",
       {{"state", "fetched, asked 2 times"}, {"refresh", "changed in 100 % of its fetches"}, {"due", "in 6 h"}}},
      {UrlEvent::kFetchedUnchanged, "http://site.test/same", {{"refresh", "unchanged once"}, {"due", "in 6 h"}}},
      {UrlEvent::kNotModified,
       "http://site.test/validated",
       {{"state", "status 304, not_modified"}, {"rule", "(rule 9)"}, {"history", "asked with validators"}}},
  };
  return all;
}

// Five of a host's pages failed; one of those that were left when its breaker opened.
std::string FirstUnfetchedOf(const CrawledWeb& web, const std::string& prefix) {
  const BinaryResult dump = web.Run(web.Arguments("readdb dump", "a", {"--prefix", prefix}));
  std::istringstream lines(dump.out);
  for (std::string line; std::getline(lines, line);) {
    const Json row = ParseJson(line).ValueOrDie();
    if (row["state"] == "unfetched") return row["url"].get<std::string>();
  }
  return "";
}

TEST(Explain, EveryOutcomeOfACrawlIsNamed) {
  CrawledWeb web;
  web.web().AddHost("site.test", Site());
  web.web().AddHost("busy.test", ServePages({{"/robots.txt", NotFound()},
                                             {"*", {.status = 429, .headers = {{"Retry-After", "7200"}}}}}));
  web.web().AddHost("norobots.test", ServePages({{"*", {.status = 503}}}));
  web.web().AddHost("down.test", ServePages({{"/robots.txt", NotFound()}, {"*", {.status = 500}}}));
  web.Start();
  std::vector<std::string> seeds = {"--rounds", "1", "--fetch.retries", "0", "--robots.ttl", "365d"};
  for (const Expected& expected : FirstMonth()) {
    const bool is_seed = expected.event != UrlEvent::kLink && expected.event != UrlEvent::kNotReached;
    if (is_seed) seeds.push_back(expected.url);
  }
  for (const Expected& expected : SecondMonth()) seeds.push_back(expected.url);
  for (int page = 0; page < 7; ++page) seeds.push_back("http://down.test/" + std::to_string(page));
  web.Crawl("a", seeds);
  for (Expected expected : FirstMonth()) {
    if (expected.event == UrlEvent::kNotReached) expected.url = FirstUnfetchedOf(web, "http://down.test/");
    const Json answer = web.Object(web.Arguments("readdb get", "a", {"--explain", "--now", kFirst, expected.url}));
    ExpectExplained(expected, answer);
  }
  web.Crawl("a", {"--rounds", "1", "--now", kMonthLater});
  for (const Expected& expected : SecondMonth()) {
    const Json answer = web.Object(web.Arguments("readdb get", "a", {"--explain", "--now", kMonthLater, expected.url}));
    ExpectExplained(expected, answer);
  }
}

TEST(Explain, AddressesThatMayNotBeAskedAreNamed) {
  CrawledWeb web;
  web.web().AddHost("inside.test", ServePages({}));
  web.Start();
  web.Run(web.Arguments("crawl", "a",
                        {"--contact", "https://me.example/", "--fetch.hosts_file", web.hosts_file(), "--now", kFirst,
                         "http://inside.test/"}));
  EXPECT_TRUE(web.web().Log().empty());
  const Expected expected = {
      UrlEvent::kRefusedByAddress,
      "http://inside.test/",
      {{"state", "refused"}, {"rule", "(rule 13)"}, {"due", "in 90 d"}, {"history", "address_refused"}}};
  ExpectExplained(expected, web.Object(web.Arguments("readdb get", "a", {"--explain", "--now", kFirst, expected.url})));
}

TEST(Explain, TlsFaultsAreNamed) {
  CrawledWeb web(TestWebOptions{.https = true});
  web.web().AddHost("expired.test", ServePages({}), TestCertificate::kExpired);
  web.Start();
  // Else the pages wait for a robots.txt, which cannot be had either.
  web.Run(web.CrawlArguments("a", {"--robots.on_unreachable", "allow", "https://expired.test/"}));
  const Expected expected = {UrlEvent::kTlsFailed,
                             "https://expired.test/",
                             {{"state", "gone, asked once, tls_failed: expired"},
                              {"rule", "(rule 12)"},
                              {"due", "in 90 d"},
                              {"robots", "allowed, although it is unreachable (--robots.on_unreachable=allow)"}}};
  ExpectExplained(expected, web.Object(web.Arguments("readdb get", "a", {"--explain", "--now", kFirst, expected.url})));
}

// Two cases that no web can cause: a fault of our own machine, and a segment that is applied after a later one.
class ExplainRows : public ::testing::Test {
 protected:
  static constexpr int64_t kNowMs = 1'767'225'600'000;

  void ExpectEvent(UrlEvent event, const std::string& history) {
    const Json answer = AnswerOf(
        Trawl({"readdb", "get", "--explain", "--json", "--root", crawl_.root(), "--now", kFirst, "https://a.com/"}));
    auto lines = ExplanationOf(answer);
    EXPECT_THAT(lines["rule"], HasSubstr(std::string(TextOf(event)) + " (rule 4)")) << DumpJson(answer["explain"]);
    EXPECT_THAT(lines["history"], HasSubstr(history));
  }

  SegmentFixture crawl_;
};

TEST_F(ExplainRows, RulesThatAreNotHereHideNothingButDamageIsAnError) {
  ASSERT_OK(crawl_.Put<UrlRow>({UnfetchedRow("com,a)/")}));
  SeedHostRow seed;
  seed.key = "com,a";
  ASSERT_OK(crawl_.Put<SeedHostRow>({seed}));
  const std::vector<std::string> explain = {"readdb", "get",         "--explain",     "--json",
                                            "--root", crawl_.root(), "https://a.com/"};
  std::vector<std::string> with_rules = explain;
  with_rules.insert(with_rules.end(), {"--scope_rules", crawl_.root() + "/no.rules"});
  EXPECT_THAT(ExplanationOf(AnswerOf(Trawl(with_rules)))["scope"], HasSubstr("cannot be judged: --urls.scope_rules"));
  const RunReference run = crawl_.Present().tables.at(SeedHostRow::kTable).front();
  ASSERT_OK(crawl_.store()->Remove(RunFilePath(SeedHostRow::kTable, run.run, "r0-0-0.orc")));
  const BinaryResult damaged = Trawl(explain);
  EXPECT_EQ(damaged.exit_code, 3);
  EXPECT_THAT(damaged.err, HasSubstr("r0-0-0.orc: is missing"));
}

TEST_F(ExplainRows, WhetherItsSitemapIsBelievedIsSaid) {
  UrlRow row = UnfetchedRow("com,a)/");
  row.sitemap = "com,a)/map.xml";
  HostRow host;
  host.key = "com,a";
  host.discovered = 1;
  const auto line = [&] {
    return ExplanationOf(AnswerOf(Trawl({"readdb", "get", "--explain", "--json", "--root", crawl_.root(), "--now",
                                         kFirst, "https://a.com/"})))["sitemap"];
  };
  ASSERT_OK(crawl_.Put<UrlRow>({row}));
  ASSERT_OK(crawl_.Put<HostRow>({host}));
  EXPECT_THAT(line(), HasSubstr("listed by https://a.com/map.xml; what its sitemaps state is believed"));
  host.lastmods_checked = 20;
  host.lastmods_wrong = 19;
  ASSERT_OK(crawl_.Put<HostRow>({host}));
  EXPECT_THAT(line(), HasSubstr("dates are not believed"));
}

TEST_F(ExplainRows, OurOwnFaultIsSaid) {
  const UrlRow row = UnfetchedRow("com,a)/");
  ASSERT_OK(crawl_.Put<UrlRow>({row}));
  ASSERT_OK(crawl_.Generate("s1", kNowMs));
  FetchRow fetch = FetchOf(row, Outcome::kTimeout, 0, kNowMs + 1000);
  fetch.blameless = true;
  ASSERT_OK(crawl_.Finish("s1", {.fetch = {fetch}}));
  ASSERT_OK(crawl_.Apply("s1"));
  ExpectEvent(UrlEvent::kBlameless, "timeout, a fault of our own machine; segment s1");
}

TEST_F(ExplainRows, LateOutcomeIsSaid) {
  UrlRow row = UnfetchedRow("com,a)/");
  ASSERT_OK(crawl_.Put<UrlRow>({row}));
  ASSERT_OK(crawl_.Generate("s1", kNowMs));
  ASSERT_OK(crawl_.Finish("s1", {.fetch = {FetchOf(row, Outcome::kServerError, 500, kNowMs + 1000)}}));
  row.state = UrlState::kFetched;
  row.outcome = Outcome::kFetched;
  row.fetched_ms = kNowMs + 2000;
  row.due_ms = kNowMs + 86'400'000;
  ASSERT_OK(crawl_.Put<UrlRow>({row}));
  ASSERT_OK(crawl_.Apply("s1"));
  EXPECT_EQ(crawl_.Find<UrlRow>(row.key), row);
  ExpectEvent(UrlEvent::kLate, "server_error, status 500; segment s1");
}

TEST_F(ExplainRows, WhatTheOperatorSaidIsTold) {
  UrlRow dropped = UnfetchedRow("com,a)/dropped");
  dropped.state = UrlState::kRefused;
  dropped.outcome = Outcome::kDropped;
  dropped.reason = "dropped by the operator";
  dropped.due_ms = kNever;
  UrlRow back = UnfetchedRow("com,a)/back");
  back.fetched_ms = kNowMs - 2000;
  back.tier = TierChoice::kLow;
  back.score = 250'000;
  back.fixed_score = true;
  back.due_set_ms = back.due_ms = kNowMs - 1000;
  ASSERT_OK(crawl_.Put<UrlRow>({dropped, back}));
  const auto lines = [this](const std::string& url) {
    return ExplanationOf(
        AnswerOf(Trawl({"readdb", "get", "--explain", "--json", "--root", crawl_.root(), "--now", kFirst, url})));
  };
  auto of_dropped = lines("https://a.com/dropped");
  EXPECT_THAT(of_dropped["state"], HasSubstr("refused, dropped: dropped by the operator"));
  EXPECT_THAT(of_dropped["rule"], HasSubstr("rule 15"));
  EXPECT_THAT(of_dropped["next"],
              HasSubstr("trawl urls set --root " + crawl_.root() + " 'https://a.com/dropped' --undrop"));
  auto of_back = lines("https://a.com/back");
  EXPECT_THAT(of_back["rule"], HasSubstr("the operator set the due time"));
  EXPECT_THAT(of_back["rank"], HasSubstr("tier low, score 0.25: its turn comes 5 d 13 h after it came due"));
  EXPECT_THAT(of_back["set"], HasSubstr("tier low, score 0.25, by a seed, trawl urls set or trawl score"));
}

// The explanations agree with the number of URLs that generate takes.
TEST_F(ExplainRows, UrlsThatBetterOnesLeaveNoRoomAreNotAmongTheBest) {
  std::vector<UrlRow> rows;
  for (const char* host : {"com,a", "com,a,www", "com,b"}) {
    for (int i = 0; i < 4; ++i) {
      rows.push_back(UnfetchedRow(std::string(host) + ")/" + std::to_string(i)));
      rows.back().score = 500'000 + 10'000 * i;
    }
  }
  ASSERT_OK(crawl_.Put<UrlRow>(rows));
  const auto run = [this](std::vector<std::string> arguments, const std::vector<std::string>& limit) {
    arguments.insert(arguments.end(), {"--json", "--root", crawl_.root(), "--now", kFirst});
    arguments.insert(arguments.end(), limit.begin(), limit.end());
    return AnswerOf(Trawl(arguments));
  };
  const struct {
    std::vector<std::string> limit;
    int taken;
    std::string said;  // of the worst
  } cases[] = {
      {{}, 12, "in the next round"},
      {{"--per_host", "3"},
       9,
       "not among the best: 3 due URLs of its host come first, and the host takes 3 pages a round"},
      {{"--pages_a_day", "3"},
       9,
       "not among the best: 3 due URLs of its host come first, and the host takes 3 more pages today "
       "(--generate.pages_a_day)"},
      {{"--per_domain", "5"}, 9, "of its domain come first, and a round takes 5 of a domain (--generate.per_domain)"},
      {{"--domain_pages", "5"},
       9,
       "of its domain come first, and the domain takes 5 more pages in all (--generate.domain_pages)"},
      {{"--domain_pages_a_day", "5", "--domain_pages", "50"},
       9,
       "of its domain come first, and the domain takes 5 more pages today (--generate.domain_pages_a_day)"},
      {{"--host_pages", "3"}, 9, "and the host takes 3 more pages in all (--generate.host_pages)"},
      {{"--top_n", "7"}, 7, "due URLs come first, and a round takes 7 (--generate.top_n)"},
      {{"--pages_a_day", "3", "--domain_pages", "2"},
       4,
       "and the domain takes 2 more pages in all (--generate.domain_pages)"},
      {{"--top_n", "7", "--per_host", "1"}, 3, "not among the best: 3 due URLs of its host come first"},
  };
  for (const auto& one : cases) {
    const Json round = run({"generate", "--dry_run"}, one.limit);
    int taken = 0;
    for (const UrlRow& row : rows) {
      const std::string url = UrlOfKey(row.key).ValueOrDie();
      const std::string next = ExplanationOf(run({"readdb", "get", "--explain", url}, one.limit))["next"];
      const bool is_taken = next.starts_with("in the next round");
      taken += is_taken ? 1 : 0;
      EXPECT_TRUE(is_taken || next.starts_with("not in the next round, not among the best: ")) << url << ": " << next;
      if (row.key != "com,a,www)/0") continue;
      EXPECT_THAT(next, HasSubstr(one.said)) << next;
    }
    EXPECT_EQ(round["urls"], taken) << DumpJson(Json(one.limit));
    EXPECT_EQ(taken, one.taken) << DumpJson(Json(one.limit));
  }
}

// A page of a large crawl asks so: the count may read the whole table.
TEST_F(ExplainRows, BetterUrlsThatAreNotCountedAreSpokenOf) {
  const UrlRow row = UnfetchedRow("com,a)/1");
  ASSERT_OK(crawl_.Put<UrlRow>({UnfetchedRow("com,a)/0"), row}));
  const Manifest present = crawl_.Present();
  const EffectiveOptions defaults(ExplainOptionGroups(), ExplainOptionGroups());
  const auto next = [&](const std::string& top_n) {
    OptionTexts options = defaults.texts();
    options["generate.top_n"] = top_n;
    const ExplainContext context = {
        .store = crawl_.store(), .snapshot = &present, .options = options, .now_ms = kNowMs, .counts_before = false};
    for (const Explanation& line : ExplainUrl(context, row.key, &row).ValueOrDie()) {
      if (line.about == "next") return line.text;
    }
    return std::string();
  };
  EXPECT_EQ(next("1"), "in the next round, if it is among the best that the round takes");
  EXPECT_EQ(next("2"), "in the next round") << "the round takes all that there are";
}

// A dead host whose time has come: one URL is tried for all, and its port 8080, which answers, is none of its business.
TEST_F(ExplainRows, OfADeadHostTheOneUrlThatIsTriedIsNamed) {
  RobotsRow dead;
  dead.key = "com,a)";
  dead.outcome = Outcome::kDnsFailed;
  dead.is_dead = true;
  dead.dead_rounds = 1;
  dead.due_ms = kNowMs;
  ASSERT_OK(crawl_.Put<RobotsRow>({dead}));
  std::vector<UrlRow> rows;
  for (const char* key : {"com,a)/0", "com,a)/1", "com,a)/2", "com,a)/3", "com,a)http:8080/1", "com,a)http:8080/2"}) {
    rows.push_back(UnfetchedRow(key));
  }
  rows[0].depth = 11;           // out of scope
  rows[1].due_ms = kNowMs + 1;  // not due
  rows[3].score = 900'000;
  ASSERT_OK(crawl_.Put<UrlRow>(rows));
  const auto run = [this](std::vector<std::string> arguments, const std::vector<std::string>& limit) {
    arguments.insert(arguments.end(), {"--json", "--root", crawl_.root(), "--now", kFirst});
    arguments.insert(arguments.end(), limit.begin(), limit.end());
    return AnswerOf(Trawl(arguments));
  };
  for (const std::vector<std::string>& limit : {std::vector<std::string>{}, {"--per_host", "2"}}) {
    int taken = 0;
    for (const UrlRow& row : rows) {
      auto lines = ExplanationOf(run({"readdb", "get", "--explain", UrlOfKey(row.key).ValueOrDie()}, limit));
      taken += lines["next"].starts_with("in the next round") ? 1 : 0;
      if (row.key != "com,a)/3") continue;
      EXPECT_THAT(lines["next"], HasSubstr("not in the next round, nobody is there: https://a.com/2 is tried for all"));
    }
    const Json round = run({"generate", "--dry_run"}, limit);
    EXPECT_EQ(round["urls"], taken);
    EXPECT_EQ(taken, limit.empty() ? 3 : 2);
    EXPECT_EQ(round["left_out"]["dead_host"], 1);
  }
}

TEST_F(ExplainRows, OfAnUnknownUrlTheDepthIsNotKnown) {
  ASSERT_OK(crawl_.Put<UrlRow>({UnfetchedRow("com,a)/")}));
  const auto explain = [this](const std::string& url, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"readdb", "get", "--explain", "--json", "--root", crawl_.root(), url};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return ExplanationOf(ParseJson(Trawl(arguments).out).ValueOr(Json::object()));
  };
  auto deep = explain("https://a.com/4", {"--depth", "3"});
  EXPECT_THAT(deep["depth"],
              HasSubstr("not known: a page up to depth 2 brings it in by a link; one at depth 3 may link "
                        "to it, but --urls.depth 3 stops there"));
  EXPECT_THAT(deep["scope"], HasSubstr("accepted: no check refuses it"));
  EXPECT_THAT(explain("https://a.com/4", {"--depth", "0"})["depth"],
              HasSubstr("only seeds are taken (--urls.depth 0)"));
  auto loop = explain("https://a.com/a/b/a/b/a/b", {});
  EXPECT_THAT(loop["scope"], HasSubstr("refused: path segments that repeat 3 times or more: /a/b/a/b/a/b "
                                       "(--urls.repeated_segments)"));
  EXPECT_THAT(loop["next"], HasSubstr("never by itself: the scope of the crawl leaves it out"));
  EXPECT_EQ(explain("https://a.com/", {})["depth"], "");
}

TEST(Explain, NoEventIsForgotten) {
  // What a dead host does to its URLs takes days: tests/jobs/scenarios/dead_hosts_test.cc.
  // A reading leaves the rule of the last request in force.
  std::set<UrlEvent> named = {UrlEvent::kNone,  UrlEvent::kRefusedByAddress, UrlEvent::kTlsFailed, UrlEvent::kBlameless,
                              UrlEvent::kLate,  UrlEvent::kDropped,          UrlEvent::kHostGone,  UrlEvent::kHostBack,
                              UrlEvent::kReread};
  for (const Expected& expected : FirstMonth()) named.insert(expected.event);
  for (const Expected& expected : SecondMonth()) named.insert(expected.event);
  EXPECT_EQ(named.size(), static_cast<size_t>(kUrlEvents));
}

}  // namespace
}  // namespace trawl
