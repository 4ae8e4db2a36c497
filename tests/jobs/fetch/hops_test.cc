// Redirects, validators, retries and the other ways in which an answer leads to another request.
#include <gtest/gtest.h>

#include "formats/digests/digest.h"
#include "formats/rows/parse_row.h"
#include "jobs/politeness/robots_hops.h"
#include "tests/support/crawl/fetch_scene.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

TestPage Page(const std::string& body) { return {.body = body}; }

std::vector<std::string> PathsOf(const TestWeb& web, const std::string& host) {
  std::vector<std::string> paths;
  for (const TestLogEntry& entry : EntriesOf(web.Log(), host)) {
    if (entry.path != "/robots.txt") paths.push_back(entry.path);
  }
  return paths;
}

TEST(FetchHops, EachHopIsItsTargetsOwnFetch) {
  TestWeb web;
  web.AddHost("site.com", ServePages({{"/old", RedirectTo("/new", 302)}, {"/new", Page("new")}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  ASSERT_OK(scene.FetchUrls({"http://site.com/old"}));
  const FetchRow source = scene.RowOf("http://site.com/old"), target = scene.RowOf("http://site.com/new");
  EXPECT_EQ(source.outcome, Outcome::kRedirect);
  EXPECT_EQ(source.redirect_to, target.key);
  EXPECT_EQ(source.redirect_url, "http://site.com/new");
  EXPECT_EQ(target.outcome, Outcome::kFetched);
  EXPECT_EQ(target.hop_of, source.key);
  EXPECT_EQ(target.hops, 1);
  EXPECT_TRUE(target.listed.empty());
}

TEST(FetchHops, ATargetOfTheListIsThatFetch) {
  TestWeb web;
  web.AddHost("site.com", ServePages({{"/old", RedirectTo("/new")}, {"/new", Page("new")}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  ASSERT_OK(scene.FetchUrls({"http://site.com/old", "http://site.com/new"}));
  EXPECT_EQ(PathsOf(web, "site.com"), (std::vector<std::string>{"/old", "/new"}));
  EXPECT_FALSE(scene.RowOf("http://site.com/new").listed.empty());
}

TEST(FetchHops, AnotherHostOfTheDomainHasItsOwnQueueAndRobots) {
  TestWeb web;
  web.AddHost("site.com", ServePages({{"*", RedirectTo("http://www.site.com/a")}}));
  web.AddHost("www.site.com",
              ServePages({{"/robots.txt", {.content_type = "text/plain", .body = "User-agent: *\nDisallow: /a\n"}}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  ASSERT_OK(scene.FetchUrls({"http://site.com/a"}));
  // site.com's robots.txt itself redirects to a page that is not there: none, all is allowed.
  EXPECT_EQ(scene.RowOf("http://site.com/a").outcome, Outcome::kRedirect);
  EXPECT_EQ(scene.RowOf("http://www.site.com/a").outcome, Outcome::kRobotsDenied);
}

TEST(FetchHops, AnotherDomainIsNotAsked) {
  TestWeb web;
  web.AddHost("site.com", ServePages({{"/out", RedirectTo("http://elsewhere.com/x")}, {"*", NotFound()}}));
  web.AddHost("elsewhere.com", ServePages({{"*", Page("x")}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  ASSERT_OK(scene.FetchUrls({"http://site.com/out"}));
  const FetchRow row = scene.RowOf("http://site.com/out");
  EXPECT_EQ(row.outcome, Outcome::kRedirect);
  EXPECT_EQ(row.redirect_url, "http://elsewhere.com/x");
  EXPECT_TRUE(EntriesOf(web.Log(), "elsewhere.com").empty());
}

TEST(FetchHops, LoopsLimitsAndRefusalsHaveNames) {
  TestWeb web;
  web.AddHost("site.com", ServePages({{"/a", RedirectTo("/b")},
                                      {"/b", RedirectTo("/a")},
                                      {"/self", RedirectTo("/self")},
                                      {"/1", RedirectTo("/2")},
                                      {"/2", RedirectTo("/3")},
                                      {"/3", RedirectTo("/4")},
                                      {"/4", Page("far")},
                                      {"/ftp", RedirectTo("ftp://site.com/x")},
                                      {"/none", {.status = 302}},
                                      {"/choices", {.status = 300}}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  scene.options.max_hops = 2;
  std::vector<std::string> urls;
  for (const char* path : {"a", "self", "1", "ftp", "none", "choices"})
    urls.push_back(std::string("http://site.com/") + path);
  ASSERT_OK(scene.FetchUrls(urls));
  const auto outcome = [&scene](const std::string& path) { return scene.RowOf("http://site.com/" + path).outcome; };
  EXPECT_EQ(outcome("a"), Outcome::kRedirect);
  EXPECT_EQ(outcome("b"), Outcome::kRedirectLoop);
  EXPECT_EQ(outcome("self"), Outcome::kRedirectLoop);
  EXPECT_EQ(scene.RowOf("http://site.com/self").requests, 2);  // followed once
  EXPECT_EQ(outcome("2"), Outcome::kRedirect);
  EXPECT_EQ(outcome("3"), Outcome::kRedirectLimit);
  EXPECT_EQ(outcome("4"), Outcome::kNone);
  EXPECT_EQ(outcome("ftp"), Outcome::kRedirectRefused);
  EXPECT_EQ(outcome("none"), Outcome::kRedirectRefused);
  EXPECT_EQ(outcome("choices"), Outcome::kRedirectRefused);
}

TEST(FetchHops, ARedirectToTheOwnKeyIsFollowedOnceAndItsSpellingKept) {
  TestWeb web;
  web.AddHost("site.com", ServePages({{"/a?x=1&b=2", RedirectTo("/a?b=2&x=1")}, {"/a?b=2&x=1", Page("here")}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  ASSERT_OK(scene.FetchUrls({"http://site.com/a?x=1&b=2"}));
  const FetchRow row = scene.RowOf("http://site.com/a?x=1&b=2");
  EXPECT_EQ(row.outcome, Outcome::kFetched);
  EXPECT_EQ(row.url, "http://site.com/a?b=2&x=1");
  EXPECT_EQ(row.requests, 2);
}

TEST(FetchHops, EveryRequestHasItsRowAndIsCountedARedirectToTheOwnKeyIncluded) {
  TestWeb web;
  web.AddHost("site.com", ServePages({{"/robots.txt", NotFound()},
                                      {"/a?x=1&b=2", RedirectTo("/a?b=2&x=1", 302)},
                                      {"/a?b=2&x=1", Page("here")},
                                      {"/self", RedirectTo("/self", 302)}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  ASSERT_OK_AND_ASSIGN(const JobResult result, scene.FetchUrls({"http://site.com/a?x=1&b=2", "http://site.com/self"}));
  EXPECT_EQ(PathsOf(web, "site.com").size(), 4u);
  EXPECT_EQ(result.output.counters.Get("fetched"), 4);
  EXPECT_EQ(result.output.counters.Get("status.302"), 3);
  const std::vector<FetchRow> rows = scene.Dataset<FetchRow>();
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].outcome, Outcome::kRedirect);
  EXPECT_EQ(rows[0].redirect_to, rows[0].key);
  EXPECT_EQ(rows[0].requests, 1);
  EXPECT_EQ(rows[1].outcome, Outcome::kFetched);
  EXPECT_EQ(rows[2].outcome, Outcome::kRedirect);
  EXPECT_EQ(rows[3].outcome, Outcome::kRedirectLoop);
}

UrlRow Known(const std::string& url, const std::string& body) {
  UrlRow row = ListedUrl(url);
  row.state = UrlState::kFetched;
  row.etag = "\"v1\"";
  row.body_digest = Sha256Of(body);
  row.body_segment = "before";
  row.body_file = "some.orc";
  row.parser = kParserVersion;
  row.fetches = 3;
  return row;
}

TEST(FetchHops, ValidatorsAreSentOnlyWhereTheBodyIsThereAndWhole) {
  struct Case {
    const char* name;
    void (*change)(UrlRow& row);
    bool conditional;
  };
  const Case cases[] = {
      {"plain", [](UrlRow&) {}, true},
      {"truncated", [](UrlRow& row) { row.truncated = Truncation::kSize; }, false},
      {"gone", [](UrlRow& row) { row.body_file.clear(); }, false},
      {"taken", [](UrlRow& row) { row.body_file = "taken-by-gc.orc"; }, false},
      {"damaged", [](UrlRow& row) { row.body_segment = "../x"; }, false},
      {"tenth", [](UrlRow& row) { row.fetches = 9; }, false},
      {"parser", [](UrlRow& row) { row.parser = kParserVersion + 1; }, true},
      {"none", [](UrlRow& row) { row.etag.clear(); }, false},
  };
  TestWeb web;
  web.AddHost("site.com", ServePages({{"*", {.body = "body", .etag = "\"v1\""}}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);

  FetchListContent list;
  for (const Case& one : cases) {
    list.urls.push_back(Known(std::string("http://site.com/") + one.name, "body"));
    one.change(list.urls.back());
  }
  ASSERT_OK_AND_ASSIGN(const OpenSegment segment, scene.Open({list}));
  ASSERT_OK(scene.store()->CreateExclusive("segments/before/content/some.orc", "bodies"));
  ASSERT_OK(scene.Fetch(segment));
  for (const Case& one : cases) {
    const FetchRow row = scene.RowOf(std::string("http://site.com/") + one.name);
    EXPECT_EQ(row.conditional, one.conditional) << one.name;
    EXPECT_EQ(row.outcome, one.conditional ? Outcome::kNotModified : Outcome::kFetched) << one.name;
    EXPECT_EQ(row.body_digest, Sha256Of("body"));
    // The same bytes are not stored again, unless nobody has them any more. A newer parser reads them where they are.
    const std::set<std::string> kStored = {"gone", "taken", "damaged"};
    const bool stored = kStored.contains(one.name);
    EXPECT_EQ(!row.content_file.empty(), stored) << one.name;
  }
}

TEST(FetchHops, ABodyThatIsCutAtTheSamePlaceIsNotStoredAgain) {
  TestWeb web;
  web.AddHost("site.com", ServePages({{"*", Page("a long body")}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  scene.options.max_body_bytes = 6;
  FetchListContent list;
  list.urls = {Known("http://site.com/same", "a long"), Known("http://site.com/other", "a lone")};
  for (UrlRow& row : list.urls) row.truncated = Truncation::kSize;
  ASSERT_OK_AND_ASSIGN(const OpenSegment segment, scene.Open({list}));
  ASSERT_OK(scene.store()->CreateExclusive("segments/before/content/some.orc", "bodies"));
  ASSERT_OK(scene.Fetch(segment));
  for (const UrlRow& row : list.urls) {
    const FetchRow fetched = scene.Rows()[row.key];
    EXPECT_EQ(fetched.truncated, Truncation::kSize);
    EXPECT_EQ(fetched.body_digest, Sha256Of("a long"));
    EXPECT_EQ(fetched.content_file.empty(), row.body_digest == fetched.body_digest) << row.key;
  }
}

TEST(FetchHops, AnUnasked304IsAnError) {
  TestWeb web;
  web.AddHost("site.com", ServePages({{"/robots.txt", NotFound()}, {"*", {.status = 304}}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  ASSERT_OK(scene.FetchUrls({"http://site.com/a"}));
  EXPECT_EQ(scene.RowOf("http://site.com/a").outcome, Outcome::kProtocolError);
}

TEST(FetchHops, TypesThatNobodyReadsAreNotRead) {
  TestWeb web;
  web.AddHost("site.com", ServePages({{"/image", {.content_type = "image/png", .body = std::string(200'000, 'x')}},
                                      {"/feed", {.content_type = "application/rss+xml", .body = "<rss/>"}},
                                      {"/text", {.content_type = "text/plain", .body = "t"}},
                                      {"/gz", {.content_type = "application/gzip", .body = "zip"}}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  FetchListContent list = {.urls = ListedUrls({"http://site.com/image", "http://site.com/feed", "http://site.com/text",
                                               "http://site.com/gz", "http://site.com/gz?sitemap"})};
  list.urls.back().kind = UrlKind::kSitemap;
  ASSERT_OK_AND_ASSIGN(const OpenSegment segment, scene.Open({list}));
  ASSERT_OK(scene.Fetch(segment));
  EXPECT_EQ(scene.RowOf("http://site.com/image").outcome, Outcome::kTypeRefused);
  EXPECT_EQ(scene.RowOf("http://site.com/gz").outcome, Outcome::kTypeRefused);
  EXPECT_EQ(scene.RowOf("http://site.com/feed").outcome, Outcome::kFetched);
  EXPECT_EQ(scene.RowOf("http://site.com/text").outcome, Outcome::kFetched);
}

TEST(FetchHops, RobotsGoesOverRedirectsAndServesAllWhoAreSentThere) {
  TestWeb web;
  const TestPage rules = {.content_type = "text/plain", .body = "User-agent: *\nDisallow: /no\n"};
  for (const char* host : {"a.com", "b.com"}) {
    web.AddHost(host, ServePages({{"/robots.txt", RedirectTo("http://shared.net/robots.txt")}, {"*", Page("x")}}));
  }
  web.AddHost("c.com", ServePages({{"/robots.txt", RedirectTo("http://www.c.com/robots.txt")}, {"*", Page("x")}}));
  web.AddHost("www.c.com", ServePages({{"/robots.txt", rules}, {"*", Page("x")}}));
  web.AddHost("shared.net", ServePages({{"*", rules}}));
  web.AddHost("loop.com", ServePages({{"/robots.txt", RedirectTo("/robots.txt")}, {"*", Page("x")}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  std::vector<std::string> urls;
  for (const char* host : {"a.com", "b.com", "c.com", "loop.com"})
    urls.push_back(std::string("http://") + host + "/no");
  ASSERT_OK(scene.FetchUrls(urls));
  for (const char* host : {"a.com", "b.com", "c.com"}) {
    EXPECT_EQ(scene.RowOf(std::string("http://") + host + "/no").outcome, Outcome::kRobotsDenied) << host;
  }
  EXPECT_EQ(scene.RowOf("http://loop.com/no").outcome, Outcome::kFetched);
  EXPECT_EQ(EntriesOf(web.Log(), "shared.net").size(), 1u);
  EXPECT_EQ(EntriesOf(web.Log(), "loop.com").size(), 7u);  // six times robots.txt, and the page
  // For archives each request stands in one row, also where its answer serves two hosts.
  std::map<std::string, int> told;
  std::map<std::string, std::string> leads_to;
  for (const RobotsRow& row : scene.Dataset<RobotsRow>()) {
    if (!row.capture.url.empty()) ++told[row.capture.url];
    ASSERT_OK_AND_ASSIGN(const std::vector<RobotsHop> hops, RobotsHopsOf(row.hops));
    for (const RobotsHop& hop : hops) {
      ++told[hop.capture.url];
      EXPECT_EQ(hop.status, 301);
      EXPECT_GT(hop.capture.began_ms, 0);
      EXPECT_NE(hop.capture.response_headers, "");
      leads_to[hop.capture.url] = hop.redirect_url;
    }
  }
  const std::map<std::string, int> asked = {{"http://a.com/robots.txt", 1},      {"http://b.com/robots.txt", 1},
                                            {"http://shared.net/robots.txt", 1}, {"http://c.com/robots.txt", 1},
                                            {"http://www.c.com/robots.txt", 1},  {"http://loop.com/robots.txt", 6}};
  EXPECT_EQ(told, asked);
  EXPECT_EQ(leads_to["http://b.com/robots.txt"], "http://shared.net/robots.txt");
  EXPECT_EQ(leads_to["http://loop.com/robots.txt"], "http://loop.com/robots.txt");
}

TEST(FetchHops, ManyRobotsAtAHostOfNoListTakeTurnsThere) {
  TestWeb web;
  std::vector<std::string> urls;
  for (int i = 0; i < 6; ++i) {
    const std::string host = "s" + std::to_string(i) + ".com";
    web.AddHost(host, ServePages({{"/robots.txt", RedirectTo("http://shared.net/" + host)}, {"*", Page("x")}}));
    urls.push_back("http://" + host + "/no");
  }
  web.AddHost(
      "shared.net",
      ServePages({{"*", {.content_type = "text/plain", .body = "User-agent: *\nDisallow: /no\n", .delay_ms = 30}}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  scene.options.delay_ms = 50;
  ASSERT_OK(scene.FetchUrls(urls));
  for (const std::string& url : urls) EXPECT_EQ(scene.RowOf(url).outcome, Outcome::kRobotsDenied) << url;
  EXPECT_EQ(EntriesOf(web.Log(), "shared.net").size(), 6u);
  EXPECT_LE(MaxConcurrentPerHost(web.Log(), "shared.net"), 1);
  EXPECT_GE(MinGapMs(web.Log(), "shared.net"), 50);
  // Who holds it knows more of it.
  for (const HostRow& row : scene.Dataset<HostRow>()) EXPECT_NE(row.key, "net,shared");
}

TEST(FetchHops, RobotsAtAHostOfAnotherListTakeTurnsWithIt) {
  TestWeb web;
  FetchListContent here, there;
  const TestPage rules = {.content_type = "text/plain", .body = "User-agent: *\nDisallow: /no\n", .delay_ms = 20};
  for (int i = 0; i < 4; ++i) {
    const std::string number = std::to_string(i), host = "s" + number + ".com";
    web.AddHost(host, ServePages({{"/robots.txt", RedirectTo("http://shared.net/" + host)}, {"*", Page("x")}}));
    here.urls.push_back(ListedUrl("http://" + host + "/no"));
    there.urls.push_back(ListedUrl("http://shared.net/p" + number));
  }
  web.AddHost("shared.net", ServePages({{"/robots.txt", NotFound()}, {"*", rules}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  scene.options.delay_ms = 60;
  ASSERT_OK_AND_ASSIGN(const OpenSegment segment, scene.Open({here, there}));
  ASSERT_OK(scene.Fetch(segment));
  for (const UrlRow& url : here.urls) EXPECT_EQ(scene.Rows()[url.key].outcome, Outcome::kRobotsDenied) << url.key;
  for (const UrlRow& url : there.urls) EXPECT_EQ(scene.Rows()[url.key].outcome, Outcome::kFetched) << url.key;
  EXPECT_EQ(EntriesOf(web.Log(), "shared.net").size(), 9u);
  EXPECT_LE(MaxConcurrentPerHost(web.Log(), "shared.net"), 1);
  EXPECT_GE(MinGapMs(web.Log(), "shared.net"), 60);
}

TEST(FetchHops, RobotsThatCannotBeHadDefersAndNeverDenies) {
  TestWeb web;
  web.AddHost("broken.com", ServePages({{"/robots.txt", {.status = 503}}, {"*", Page("x")}}));
  web.AddHost("kept.com", ServePages({{"/robots.txt", {.status = 500}}, {"*", Page("x")}}));
  web.AddHost(
      "cut.com",
      ServePages({{"/robots.txt", {.content_type = "text/plain", .body = "User-agent: *\n", .content_length = 999}},
                  {"*", Page("x")}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  RobotsRow kept;
  kept.key = "com,kept)http";
  kept.text = "User-agent: *\nDisallow: /no\n";
  kept.text_ms = kept.fetched_ms = scene.now_ms - int64_t{29} * 24 * 3'600'000;
  kept.due_ms = kept.fetched_ms + 24 * 3'600'000;
  const FetchListContent list = {
      .urls = ListedUrls({"http://broken.com/a", "http://kept.com/a", "http://kept.com/no", "http://cut.com/a"}),
      .robots = {kept}};
  ASSERT_OK_AND_ASSIGN(OpenSegment segment, scene.Open({list}));
  ASSERT_OK(scene.Fetch(segment));
  EXPECT_EQ(scene.RowOf("http://broken.com/a").outcome, Outcome::kRobotsDeferred);
  EXPECT_EQ(scene.RowOf("http://cut.com/a").outcome, Outcome::kRobotsDeferred);
  EXPECT_EQ(scene.RowOf("http://kept.com/a").outcome, Outcome::kFetched);
  EXPECT_EQ(scene.RowOf("http://kept.com/no").outcome, Outcome::kRobotsDenied);

  scene.robots.on_unreachable = OnUnreachableRobots::kAllow;
  ASSERT_OK_AND_ASSIGN(const JobResult allowed, scene.FetchUrls({"http://broken.com/a"}));
  EXPECT_EQ(scene.RowOf("http://broken.com/a").outcome, Outcome::kFetched);
  EXPECT_EQ(allowed.output.counters.Get("robots_unreachable_allowed"), 1);
}

TEST(FetchHops, ARobotsThatHoldsNothingBackKeepsNoBreakerOpen) {
  TestWeb web;
  web.AddHost("broken.com", ServePages({{"/robots.txt", {.status = 503}}, {"*", Page("x")}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  scene.robots.on_unreachable = OnUnreachableRobots::kAllow;
  // As rounds leave it in which its pages waited for the robots.txt.
  HostRow host;
  host.key = "com,broken";
  host.answered_ms = scene.now_ms - 3'600'000;
  host.failures_in_a_row = 6;
  host.breaker = BreakerState::kOpen;
  host.breaker_openings = 2;
  host.breaker_until_ms = scene.now_ms - 60'000;
  ASSERT_OK_AND_ASSIGN(const OpenSegment segment,
                       scene.Open({{.urls = ListedUrls({"http://broken.com/a"}), .hosts = {host}, .robots = {}}}));
  ASSERT_OK(scene.Fetch(segment));
  EXPECT_EQ(scene.RowOf("http://broken.com/a").outcome, Outcome::kFetched);
  EXPECT_EQ(scene.Dataset<HostRow>().back().breaker, BreakerState::kClosed);
}

TEST(FetchHops, FiveFailuresInARowGiveTheRestBack) {
  TestWeb web;
  web.AddHost("bad.com", ServePages({{"/robots.txt", NotFound()}, {"*", {.status = 500}}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  std::vector<std::string> urls;
  for (int i = 0; i < 20; ++i) urls.push_back("http://bad.com/" + std::to_string(i));
  ASSERT_OK_AND_ASSIGN(const JobResult result, scene.FetchUrls(urls));
  EXPECT_EQ(scene.Rows().size(), 5u);
  EXPECT_EQ(result.output.counters.Get("given_back"), 20);  // the five that would be asked again, too
  const HostRow host = scene.Dataset<HostRow>().back();
  EXPECT_EQ(host.breaker, BreakerState::kOpen);
  EXPECT_EQ(host.breaker_until_ms - host.answered_ms, 300'000);
}

TEST(FetchHops, PrivateAddressesAreNotAskedUnlessAllowed) {
  TestWeb web;
  for (const char* host : {"a.com", "b.com"}) web.AddHost(host, ServePages({{"*", Page("x")}}));
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  scene.options.allow_private = false;
  scene.options.contact = "https://me.example/";
  ASSERT_OK(
      scene.FetchUrls({"http://a.com/1", "http://a.com/2", "http://b.com/1", "http://127.0.0.1/", "http://[::1]/"}));
  EXPECT_EQ(scene.Rows().size(), 5u);
  for (const auto& [key, row] : scene.Rows()) EXPECT_EQ(row.outcome, Outcome::kAddressRefused) << key;
  EXPECT_TRUE(web.Log().empty());
  EXPECT_EQ(web.connections_accepted(), 0);
}

TEST(FetchHops, PublicAddressesAreNotAskedWithoutAContact) {
  TestWeb web;
  ASSERT_OK(web.Start());
  FetchScene scene(web);
  scene.options.address_timeout_ms = 100;
  ASSERT_OK(scene.FetchUrls({"http://93.184.216.34/"}));
  const FetchRow row = scene.RowOf("http://93.184.216.34/");
  EXPECT_EQ(row.outcome, Outcome::kAddressRefused);
  scene.options.allow_private = false;
  const auto refused = scene.FetchUrls({"http://site.com/"});
  EXPECT_FALSE(refused.ok());
  EXPECT_NE(refused.status().message().find("--contact"), std::string::npos);
}

}  // namespace
}  // namespace trawl
