// Politeness, from the server's own log.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/support/crawl/fetch_scene.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

TestPage Page() { return {.body = std::string(2000, 'x')}; }

std::string HostName(int host) { return "h" + std::to_string(host) + ".test"; }

std::vector<std::string> Urls(int hosts, int pages, const std::string& scheme = "http") {
  std::vector<std::string> urls;
  for (int host = 0; host < hosts; ++host) {
    for (int page = 0; page < pages; ++page) {
      urls.push_back(scheme + "://" + HostName(host) + "/p" + std::to_string(page));
    }
  }
  return urls;
}

void ExpectPolite(const std::vector<TestLogEntry>& log, int hosts, double delay_ms) {
  std::string host;
  EXPECT_GE(MinGapMs(log, &host), delay_ms) << host;
  for (int i = 0; i < hosts; ++i) EXPECT_LE(MaxConcurrentPerHost(log, HostName(i)), 1) << i;
}

TEST(FetchPoliteness, TheDelayHoldsBetweenPagesRobotsAndRedirects) {
  constexpr int kHosts = 20, kPages = 8;
  TestWeb web;
  for (int i = 0; i < kHosts; ++i) {
    web.AddHost(HostName(i),
                ServePages({{"/robots.txt", RedirectTo("/robots2.txt")},
                            {"/robots2.txt", {.content_type = "text/plain", .body = "User-agent: *\nAllow: /\n"}},
                            {"/p1", RedirectTo("/hop")},
                            {"/p2", {.status = 500, .body = "broken"}},
                            {"*", Page()}}));
  }
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  scene.options.delay_ms = 100;
  scene.options.retries = 0;
  ASSERT_OK_AND_ASSIGN(const JobResult result, scene.FetchUrls(Urls(kHosts, kPages)));
  const std::vector<TestLogEntry> log = web.Log();
  EXPECT_EQ(log.size(), static_cast<size_t>(kHosts * (kPages + 1 + 2)));
  ExpectPolite(log, kHosts, 100);
  // The slowest host: its delays, and little else; how little, scripts/soak measures on a quiet machine.
  EXPECT_LT(result.seconds, 1.05 * (kPages + 2) * 0.105 + 3);
}

TEST(FetchPoliteness, TheNextRoundWaitsForTheLastAnswerOfTheOneBefore) {
  TestWeb web;
  web.AddHost(HostName(0), ServePages({{"*", Page()}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  scene.options.delay_ms = 300;
  ASSERT_OK_AND_ASSIGN(const JobResult first, scene.FetchUrls(Urls(1, 2)));
  const std::vector<HostRow> hosts = scene.Dataset<HostRow>();
  ASSERT_EQ(hosts.size(), 1u);
  // The next list has the host's row; its plan's now is where the round before ended.
  scene.now_ms = hosts[0].answered_ms + 50;
  ASSERT_OK_AND_ASSIGN(const OpenSegment segment,
                       scene.Open({{.urls = ListedUrls({"http://h0.test/next"}), .hosts = hosts}}));
  ASSERT_OK(scene.Fetch(segment));
  const int64_t last_us = EntriesOf(web.Log(), HostName(0)).back().start_us;
  EXPECT_EQ(EntriesOf(web.Log(), HostName(0)).back().path, "/next");
  ExpectPolite(web.Log(), 1, 0);
  EXPECT_GT(last_us, 0);
}

TEST(FetchPoliteness, CrawlDelayAndTheOperatorsWordCount) {
  TestWeb web;
  const TestPage robots = {.content_type = "text/plain", .body = "User-agent: *\nCrawl-delay: 0.4\n"};
  web.AddHost("slow.test", ServePages({{"/robots.txt", robots}, {"*", Page()}}));
  web.AddHost("told.test", ServePages({{"/robots.txt", robots}, {"*", Page()}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  HostRow told;
  told.key = "test,told";
  told.operator_delay_ms = 150;
  FetchListContent list = {.urls = ListedUrls({"http://slow.test/1", "http://slow.test/2", "http://slow.test/3",
                                               "http://told.test/1", "http://told.test/2", "http://told.test/3"}),
                           .hosts = {told}};
  ASSERT_OK_AND_ASSIGN(const OpenSegment segment, scene.Open({list}));
  ASSERT_OK(scene.Fetch(segment));
  EXPECT_GE(MinGapMs(web.Log(), "slow.test"), 400);
  EXPECT_GE(MinGapMs(web.Log(), "told.test"), 150);
  EXPECT_LT(MinGapMs(web.Log(), "told.test"), 390);
}

// Of one host name, each scheme and port has a robots.txt of its own, and the host is one all the same.
TEST(FetchPoliteness, ACrawlDelayHoldsForAllOriginsOfTheHost) {
  TestWeb web({.https = true});
  web.AddHost("a.test", [](const TestRequest& request) {
    if (request.path != "/robots.txt") return AnswerWith(Page(), request);
    if (!request.https) return AnswerWith(NotFound(), request);
    return AnswerWith({.content_type = "text/plain", .body = "User-agent: *\nCrawl-delay: 0.3\n"}, request);
  });
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  scene.options.delay_ms = 20;
  std::vector<std::string> urls;
  for (const char* path : {"/1", "/2", "/3"}) {
    for (const char* scheme : {"http", "https"}) urls.push_back(std::string(scheme) + "://a.test" + path);
  }
  ASSERT_OK(scene.FetchUrls(urls));
  const std::vector<TestLogEntry> log = EntriesOf(web.Log(), "a.test");
  EXPECT_EQ(log.size(), 8u);
  const auto known = std::find_if(log.begin(), log.end(),
                                  [](const TestLogEntry& entry) { return entry.https && entry.path == "/robots.txt"; });
  EXPECT_GE(MinGapMs({known, log.end()}, "a.test"), 300);
}

TEST(FetchPoliteness, ByDomainTheHostsOfADomainTakeTurns) {
  TestWeb web;
  for (const char* host : {"a.site.com", "b.site.com", "c.site.com", "other.com"}) {
    web.AddHost(host, ServePages({{"*", Page()}}));
  }
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  scene.options.delay_ms = 60;
  scene.options.politeness_by = PolitenessUnit::kDomain;
  std::vector<std::string> urls;
  for (const char* host : {"a.site.com", "b.site.com", "c.site.com", "other.com"}) {
    for (int i = 0; i < 3; ++i) urls.push_back(std::string("http://") + host + "/" + std::to_string(i));
  }
  ASSERT_OK(scene.FetchUrls(urls));
  std::vector<TestLogEntry> site;
  for (TestLogEntry entry : web.Log()) {
    if (entry.host == "other.com") continue;
    entry.host = "site.com";
    site.push_back(entry);
  }
  EXPECT_EQ(site.size(), 12u);
  EXPECT_GE(MinGapMs(site, "site.com"), 60);
  EXPECT_LE(MaxConcurrentPerHost(site, "site.com"), 1);
}

TEST(FetchPoliteness, ByDomainTheStrictestHostDecides) {
  TestWeb web;
  const TestPage robots = {.content_type = "text/plain", .body = "User-agent: *\nCrawl-delay: 0.4\n"};
  web.AddHost("a.site.com", ServePages({{"*", Page()}}));
  web.AddHost("b.site.com", ServePages({{"/robots.txt", robots}, {"*", Page()}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  scene.options.delay_ms = 50;
  scene.options.politeness_by = PolitenessUnit::kDomain;
  std::vector<std::string> urls;
  for (const char* host : {"a.site.com", "b.site.com"}) {
    for (int i = 0; i < 3; ++i) urls.push_back(std::string("http://") + host + "/" + std::to_string(i));
  }
  ASSERT_OK(scene.FetchUrls(urls));
  std::vector<TestLogEntry> since_known;
  bool is_known = false;
  for (TestLogEntry entry : web.Log()) {
    is_known = is_known || (entry.host == "b.site.com" && entry.path == "/robots.txt");
    entry.host = "site.com";
    if (is_known) since_known.push_back(entry);
  }
  EXPECT_GE(since_known.size(), 4u);
  EXPECT_GE(MinGapMs(since_known, "site.com"), 400);
}

TEST(FetchPoliteness, TheNextRoundKnowsTheDelayOfTheOneBefore) {
  TestWeb web;
  const TestPage robots = {.content_type = "text/plain", .body = "User-agent: *\nCrawl-delay: 0.6\n"};
  web.AddHost(HostName(0), ServePages({{"/robots.txt", robots}, {"*", Page()}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  scene.options.delay_ms = 20;
  ASSERT_OK(scene.FetchUrls(Urls(1, 1)));
  std::vector<HostRow> hosts = scene.Dataset<HostRow>();
  ASSERT_FALSE(hosts.empty());
  hosts = {hosts.back()};  // what it asked for had a part of its own
  scene.now_ms = hosts[0].answered_ms;
  ASSERT_OK_AND_ASSIGN(const OpenSegment segment,
                       scene.Open({{.urls = ListedUrls({"http://h0.test/next"}), .hosts = hosts}}));
  ASSERT_OK(scene.Fetch(segment));
  // Whatever robots.txt is asked for again: the first request waits as long as the last answer wanted.
  ExpectPolite(web.Log(), 1, 600);
}

TEST(FetchPoliteness, ThePagesOfADayHoldForHopsToo) {
  TestWeb web;
  web.AddHost(HostName(0), [](const TestRequest& request) {
    if (request.path == "/robots.txt") return AnswerWith(NotFound(), request);
    return AnswerWith(request.path.starts_with("/p") ? RedirectTo("/hop" + request.path) : Page(), request);
  });
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  HostRow host;
  host.key = "test,h0";
  host.operator_pages_a_day = 5;
  ASSERT_OK_AND_ASSIGN(const OpenSegment segment, scene.Open({{.urls = ListedUrls(Urls(1, 4)), .hosts = {host}}}));
  ASSERT_OK_AND_ASSIGN(const JobResult result, scene.Fetch(segment));
  EXPECT_EQ(web.Log().size(), 1u + 5u);
  EXPECT_EQ(scene.Dataset<HostRow>()[0].pages_today, 5);
  EXPECT_EQ(result.output.counters.Get("given_back"), 3);
}

// Three hosts of one domain are asked at the same time, and follow redirects: never a page too many.
TEST(FetchPoliteness, ThePagesOfADomainHoldForAllItsHostsTogether) {
  const auto name = [](int i) { return "h" + std::to_string(i) + ".site.test"; };
  TestWeb web;
  std::vector<std::string> urls;
  std::vector<HostRow> hosts;
  for (int i = 0; i < 3; ++i) {
    web.AddHost(name(i), ServePages({{"/robots.txt", NotFound()}, {"/p1", RedirectTo("/hop")}, {"*", Page()}}));
    for (int page = 0; page < 6; ++page) urls.push_back("http://" + name(i) + "/p" + std::to_string(page));
    HostRow host;
    host.key = "test,site,h" + std::to_string(i);
    host.domain = {.operator_pages_a_day = 20, .operator_pages = 1'000, .pages_today = 9, .pages = 990};
    hosts.push_back(host);
  }
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  scene.options.delay_ms = 0;
  for (HostRow& host : hosts) host.domain.day_start_ms = scene.lists.now_ms - scene.lists.now_ms % kDayMs;
  ASSERT_OK_AND_ASSIGN(const OpenSegment segment, scene.Open({{.urls = ListedUrls(urls), .hosts = hosts}}));
  ASSERT_OK_AND_ASSIGN(const JobResult result, scene.Fetch(segment));
  const std::vector<TestLogEntry> log = web.Log();
  const auto pages =
      std::count_if(log.begin(), log.end(), [](const auto& entry) { return entry.path != "/robots.txt"; });
  EXPECT_EQ(pages, 10) << "20 a day leave 11, 1,000 in all leave 10";
  int64_t counted = 0;
  std::map<std::string, int64_t> newest;
  for (const HostRow& row : scene.Dataset<HostRow>()) newest[row.key] = std::max(newest[row.key], row.round_pages);
  for (const auto& [key, count] : newest) counted += count;
  EXPECT_EQ(counted, 10);
  EXPECT_GT(result.output.counters.Get("given_back"), 0);
}

TEST(FetchPoliteness, AThrottledHostIsLeftAloneAsToldAndNothingIsLost) {
  TestWeb web;
  web.AddHost(HostName(0), [](const TestRequest& request) {
    if (request.path == "/robots.txt") return AnswerWith(NotFound(), request);
    if (request.path == "/p0" && request.number == 1) {
      return AnswerWith({.status = 429, .headers = {{"Retry-After", "1"}}}, request);
    }
    return AnswerWith({.body = "x"}, request);
  });
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  scene.options.delay_ms = 20;
  ASSERT_OK(scene.FetchUrls(Urls(1, 2)));
  const std::vector<TestLogEntry> log = EntriesOf(web.Log(), HostName(0));
  ASSERT_EQ(log.size(), 4u);
  EXPECT_EQ(log[2].path, "/p0");  // asked next, not forgotten
  EXPECT_GE(log[2].start_us - log[1].end_us, 1'000'000);
  const FetchRow row = scene.RowOf("http://h0.test/p0");
  EXPECT_EQ(row.outcome, Outcome::kFetched);
  EXPECT_EQ(row.requests, 2);
  EXPECT_EQ(scene.Dataset<HostRow>()[0].throttle_factor, 1);
}

// It does not hold up the round for as long as its doubled delay has grown.
TEST(FetchPoliteness, AHostThatThrottlesEveryTimeIsLeftToAnotherRound) {
  TestWeb web;
  web.AddHost(HostName(0), [](const TestRequest& request) { return AnswerWith({.status = 429}, request); });
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  HostRow host;
  host.key = "test,h0";
  host.throttle_factor = 9;
  const RobotsRow robots = {.key = "test,h0)http", .fetched_ms = 1, .due_ms = kNever, .text_ms = 1};
  ASSERT_OK_AND_ASSIGN(const OpenSegment segment,
                       scene.Open({{.urls = ListedUrls(Urls(1, 4)), .hosts = {host}, .robots = {robots}}}));
  ASSERT_OK_AND_ASSIGN(const JobResult result, scene.Fetch(segment));
  EXPECT_EQ(result.output.counters.Get("given_back"), 4);
  EXPECT_GT(scene.Dataset<HostRow>()[0].not_before_ms, scene.now_ms + 300'000);
}

}  // namespace
}  // namespace trawl
