// What sitemaps state, and what becomes of it in rows of urls and hosts: rules 19 to 23 of NextState, and the limits.
#include <gtest/gtest.h>

#include <string>

#include "formats/rows/seed_host_row.h"
#include "formats/rows/times.h"
#include "jobs/policy/score.h"
#include "jobs/policy/sitemap_options.h"
#include "jobs/sums/guessed_sitemap.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

constexpr int64_t kNow = 1'767'225'600'000;
constexpr int64_t kFetchedAt = kNow - kHourMs;
constexpr char kMap[] = "com,a)/s.xml";

// The link of a sitemap to a page.
LinkRow EntryOf(const std::string& to, const std::string& sitemap = kMap) {
  LinkRow row = LinkOf(sitemap, to, 0, /*counts=*/false);
  row.how = "sitemap";
  return row;
}

LinkRow EntryWith(const std::string& to, int32_t priority, int64_t interval_ms, int64_t lastmod_ms) {
  LinkRow row = EntryOf(to);
  row.has_priority = priority >= 0;
  row.priority = std::max(priority, 0);
  row.interval_ms = interval_ms;
  row.lastmod_ms = lastmod_ms;
  return row;
}

UrlRow FetchedRow(const std::string& key) {
  UrlRow row = UnfetchedRow(key, 2);
  row.state = UrlState::kFetched;
  row.outcome = Outcome::kFetched;
  row.fetched_ms = row.changed_ms = kNow - 5 * kDayMs;
  row.interval_ms = 9 * kDayMs;
  row.due_ms = row.fetched_ms + row.interval_ms;
  row.fetches = 3;
  row.body_digest = "digest-1";
  row.parser = 1;
  return row;
}

FetchRow PageOf(const UrlRow& listed, const std::string& digest) {
  FetchRow row = FetchOf(listed, Outcome::kFetched, 200, kFetchedAt);
  row.body_digest = digest;
  row.content_file = "m0-0-0.orc";
  return row;
}

// Applies one segment.
Counters Round(SegmentFixture* crawl, const SegmentRows& rows, const OptionTexts& options = {}, int partitions = 1) {
  static int rounds = 0;
  const std::string id = "s" + std::to_string(++rounds);
  EXPECT_OK(crawl->Open(id));
  EXPECT_OK(crawl->Finish(id, rows));
  const auto result = crawl->Apply(id, options, partitions);
  EXPECT_OK(result.status());
  return result.ok() ? result->output.counters : Counters();
}

UrlRow RowOf(const SegmentFixture& crawl, const std::string& key) {
  const auto row = crawl.Find<UrlRow>(key);
  EXPECT_TRUE(row) << key;
  return row.value_or(UrlRow());
}

TEST(StatedWords, ANewEntryHasDepthZeroAndTheScoreOfItsPriority) {
  SegmentFixture crawl;
  Round(&crawl, {.links = {EntryWith("com,a)/1", 1'000'000, kHourMs, kNow - kDayMs), EntryWith("com,a)/2", 0, 0, 0),
                           EntryWith("com,a)/3", -1, 0, 0), EntryWith("com,a)/4", 500'000, 0, 0),
                           LinkOf("com,a)/", "com,a)/1", 1)}});
  const UrlRow row = RowOf(crawl, "com,a)/1");
  EXPECT_EQ(row.state, UrlState::kUnfetched);
  EXPECT_EQ(row.kind, UrlKind::kPage);
  EXPECT_EQ(row.depth, 0);
  EXPECT_EQ(row.via, kMap);
  EXPECT_EQ(row.sitemap, kMap);
  EXPECT_EQ(row.score, 900'000);
  EXPECT_EQ(row.inlinks, 1) << "the link counts, the entry does not";
  EXPECT_EQ(row.stated_interval_ms, kHourMs);
  EXPECT_EQ(row.stated_lastmod_ms, kNow - kDayMs);
  EXPECT_EQ(RowOf(crawl, "com,a)/2").score, 300'000);
  EXPECT_EQ(RowOf(crawl, "com,a)/2").stated_priority, 1);
  EXPECT_EQ(RowOf(crawl, "com,a)/3").score, kLinkScore);
  EXPECT_EQ(RowOf(crawl, "com,a)/4").score, kLinkScore);
}

TEST(StatedWords, AnUnfetchedLinkBecomesAnEntry) {
  SegmentFixture crawl;
  UrlRow plain = UnfetchedRow("com,a)/1", 4);
  plain.due_ms = plain.discovered_ms = kNow - kDayMs;
  ASSERT_TRUE(IsPlainLink(plain));
  ASSERT_OK(crawl.Put<UrlRow>({plain}));
  Round(&crawl, {.links = {EntryWith("com,a)/1", 1'000'000, 0, 0)}});
  const UrlRow row = RowOf(crawl, "com,a)/1");
  EXPECT_EQ(row.depth, 0);
  EXPECT_EQ(row.score, 900'000);
  EXPECT_EQ(row.due_ms, plain.due_ms);
}

TEST(StatedWords, ADateAfterTheLastFetchMakesDueAndAnEarlierOneChangesNothing) {
  SegmentFixture crawl;
  UrlRow fixed = FetchedRow("com,a)/fixed");
  fixed.fixed_interval_ms = 9 * kDayMs;
  UrlRow denied = FetchedRow("com,a)/denied");
  denied.state = UrlState::kDenied;
  UrlRow listed = FetchedRow("com,a)/later");
  listed.sitemap = "com,a)/0.xml";
  ASSERT_OK(crawl.Put<UrlRow>({FetchedRow("com,a)/new"), FetchedRow("com,a)/old"), FetchedRow("com,a)/future"), fixed,
                               denied, listed, FetchedRow("com,a)/feed"), FetchedRow("com,a)/foreign")}));
  const int64_t after_ms = kNow - kDayMs, before_ms = kNow - 6 * kDayMs;
  LinkRow feed = LinkOf("com,a)/feed.xml", "com,a)/feed", 1);
  feed.lastmod_ms = after_ms;
  LinkRow foreign = LinkOf("com,b)/feed.xml", "com,a)/foreign", 1);
  foreign.lastmod_ms = after_ms;
  const Counters counters =
      Round(&crawl, {.links = {EntryWith("com,a)/new", -1, 0, after_ms), EntryWith("com,a)/old", -1, 0, before_ms),
                               EntryWith("com,a)/future", -1, 0, kNow + 9 * kDayMs),
                               EntryWith("com,a)/fixed", -1, 0, after_ms), EntryWith("com,a)/denied", -1, 0, after_ms),
                               EntryWith("com,a)/later", -1, 0, after_ms), feed, foreign}});
  const int64_t due_ms = kNow + 4 * kDayMs;
  EXPECT_EQ(RowOf(crawl, "com,a)/new").due_ms, kNow);
  EXPECT_EQ(RowOf(crawl, "com,a)/new").state, UrlState::kFetched);
  EXPECT_EQ(RowOf(crawl, "com,a)/later").due_ms, kNow);
  EXPECT_EQ(RowOf(crawl, "com,a)/feed").due_ms, kNow);
  for (const char* key : {"com,a)/old", "com,a)/future", "com,a)/fixed", "com,a)/denied", "com,a)/foreign"}) {
    EXPECT_EQ(RowOf(crawl, key).due_ms, due_ms) << key;
  }
  EXPECT_EQ(counters.Get("due_by_lastmod"), 3);
  // Listed for the first time, an old page has depth 0, too; listed again, with nothing new, its row is not written.
  EXPECT_EQ(RowOf(crawl, "com,a)/old").depth, 0);
  EXPECT_EQ(Round(&crawl, {.links = {EntryWith("com,a)/old", -1, 0, before_ms)}}).Get("urls"), 0);
}

TEST(StatedWords, OptionsAndDistrustSwitchEachWordOff) {
  for (const bool by_option : {true, false}) {
    SegmentFixture crawl;
    ASSERT_OK(crawl.Put<UrlRow>({FetchedRow("com,a)/old")}));
    HostRow host;
    host.key = "com,a";
    host.lastmods_checked = host.lastmods_wrong = 20;
    host.priorities_stated = host.priorities_top = 200;
    if (!by_option) {
      ASSERT_OK(crawl.Put<HostRow>({host}));
    }
    const OptionTexts off = {{"sitemaps.priority", "false"}, {"sitemaps.lastmod", "false"}};
    Round(&crawl, {.links = {EntryWith("com,a)/old", -1, 0, kNow - kDayMs), EntryWith("com,a)/new", 1'000'000, 0, 0)}},
          by_option ? off : OptionTexts());
    EXPECT_EQ(RowOf(crawl, "com,a)/old").due_ms, kNow + 4 * kDayMs);
    EXPECT_EQ(RowOf(crawl, "com,a)/new").score, kLinkScore);
  }
}

TEST(StatedWords, TheFirstIntervalIsTheStatedOneUntilItProvesWrong) {
  static constexpr struct {
    int64_t stated_ms, first_ms, second_ms;  // second: after a fetch without a change
  } kCases[] = {{1, kHourMs, 7 * kDayMs},
                {kHourMs, kHourMs, 7 * kDayMs},
                {kDayMs, kDayMs, 7 * kDayMs},
                {30 * kDayMs, 30 * kDayMs, 30 * kDayMs},
                {365 * kDayMs, 30 * kDayMs, 30 * kDayMs},
                {0, 7 * kDayMs, 7 * kDayMs}};
  for (const auto& c : kCases) {
    SegmentFixture crawl;
    UrlRow row = UnfetchedRow("com,a)/1");
    row.stated_interval_ms = c.stated_ms;
    ASSERT_OK(crawl.Put<UrlRow>({row}));
    Round(&crawl, {.fetch = {PageOf(row, "digest-1")}});
    row = RowOf(crawl, "com,a)/1");
    EXPECT_EQ(row.interval_ms, c.first_ms) << c.stated_ms;
    FetchRow again = PageOf(row, "digest-1");
    again.fetched_ms = kFetchedAt + kDayMs;
    Round(&crawl, {.fetch = {again}});
    EXPECT_EQ(RowOf(crawl, "com,a)/1").interval_ms, c.second_ms) << c.stated_ms;
  }
}

TEST(StatedWords, ALyingHostIsFoundOut) {
  SegmentFixture crawl;
  std::vector<UrlRow> rows;
  SegmentRows round;
  for (int i = 0; i < 12; ++i) {
    UrlRow row = FetchedRow("com,a)/" + std::to_string(i));
    row.stated_lastmod_ms = row.fetched_ms + kDayMs;
    rows.push_back(row);
    round.fetch.push_back(PageOf(row, i < 3 ? "digest-2" : "digest-1"));
    round.links.push_back(EntryWith(row.key, 1'000'000, 0, 0));
  }
  round.links.push_back(EntryWith("com,a)/new", 1'000'000, 0, 0));
  ASSERT_OK(crawl.Put<UrlRow>(rows));
  for (int partitions : {1, 3}) {
    SegmentFixture copy;
    ASSERT_OK(copy.Put<UrlRow>(rows));
    Round(&copy, round, {}, partitions);
    const auto host = copy.Find<HostRow>("com,a");
    ASSERT_TRUE(host);
    EXPECT_EQ(host->lastmods_checked, 12);
    EXPECT_EQ(host->lastmods_wrong, 9);
    EXPECT_EQ(host->priorities_stated, 13);
    EXPECT_EQ(host->priorities_top, 13);
    EXPECT_FALSE(BelievesLastmods(*host) || BelievesPriorities(*host));
    EXPECT_EQ(RowOf(copy, "com,a)/new").score, kLinkScore) << "found out in the round in which it is said";
  }
}

// -- who may speak ----------------------------------------------------------------------------------------------------

RobotsRow Robots(const std::string& key, const std::string& text) {
  RobotsRow row;
  row.key = key;
  row.outcome = Outcome::kFetched;
  row.status = 200;
  row.fetched_ms = row.text_ms = kFetchedAt;
  row.text = text;
  return row;
}

TEST(StatedWords, ASitemapSpeaksForAnotherHostOnlyWhereThatHostNamesIt) {
  SegmentFixture crawl;
  UrlRow child = UnfetchedRow("com,maps)/child.xml");
  child.kind = UrlKind::kSitemap;
  child.sitemap = child.via = "com,maps)/index.xml";
  ASSERT_OK(crawl.Put<UrlRow>({child}));
  // c.com's is in the table, d.com's and f.com's come with the round.
  ASSERT_OK(crawl.Put<RobotsRow>({Robots("com,c)", "Sitemap: https://maps.com/s.xml\n")}));
  SegmentRows round;
  for (const char* host : {"b", "c", "d", "e", "f"}) {
    round.links.push_back(EntryOf(std::string("com,") + host + ")/by-s", "com,maps)/s.xml"));
    round.links.push_back(EntryOf(std::string("com,") + host + ")/by-child", "com,maps)/child.xml"));
  }
  round.robots = {Robots("com,d)", "Sitemap: https://maps.com/s.xml\n"), Robots("com,e)", "Disallow:\n"),
                  Robots("com,f)", "Sitemap: https://maps.com/index.xml\n")};
  const Counters counters = Round(&crawl, round, {{"urls.scope", "any"}, {"sitemaps.guess", "false"}});
  for (const char* key : {"com,c)/by-s", "com,d)/by-s", "com,f)/by-child"}) {
    EXPECT_TRUE(crawl.Find<UrlRow>(key)) << key;
  }
  for (const char* key : {"com,b)/by-s", "com,e)/by-s", "com,f)/by-s", "com,c)/by-child", "com,d)/by-child"}) {
    EXPECT_FALSE(crawl.Find<UrlRow>(key)) << key;
  }
  EXPECT_EQ(counters.Get("links_foreign"), 7);
}

// The sitemap was read before the other host's robots.txt was: its stored body is read again, once.
TEST(StatedWords, ASitemapThatAnotherHostNamesLaterIsReadAgain) {
  const std::string names = "Sitemap: https://maps.com/s.xml\n";
  const auto policy_after = [&](const std::optional<RobotsRow>& known, const RobotsRow& learned) {
    SegmentFixture crawl;
    UrlRow sitemap = UnfetchedRow("com,maps)/s.xml");
    sitemap.kind = UrlKind::kSitemap;
    sitemap.state = UrlState::kFetched;
    sitemap.fetched_ms = kFetchedAt;
    sitemap.body_segment = "s0";
    sitemap.body_file = "m0-0-0.orc";
    sitemap.read_policy = 7;
    EXPECT_OK(crawl.Put<UrlRow>({sitemap}));
    if (known) {
      EXPECT_OK(crawl.Put<RobotsRow>({*known}));
    }
    Round(&crawl, {.robots = {learned}}, {{"urls.scope", "any"}, {"sitemaps.guess", "false"}});
    return RowOf(crawl, sitemap.key).read_policy;
  };
  EXPECT_EQ(policy_after(std::nullopt, Robots("com,b)", names)), 0);
  EXPECT_EQ(policy_after(Robots("com,b)", "Disallow:\n"), Robots("com,b)", names)), 0);
  EXPECT_EQ(policy_after(Robots("com,b)", names), Robots("com,b)", names)), 7) << "known";
  EXPECT_EQ(policy_after(std::nullopt, Robots("com,maps)", names)), 7) << "its own host";
}

// -- guesses ----------------------------------------------------------------------------------------------------------

FetchRow NotThere(const UrlRow& listed) {
  FetchRow row = FetchOf(listed, Outcome::kClientError, 404, kFetchedAt);
  row.reason = kNoSitemap;
  return row;
}

TEST(StatedWords, AGuessIsMadeOnceAndForgottenWhereNothingIsThere) {
  SegmentFixture crawl;
  const OptionTexts any = {{"urls.scope", "any"}};
  Round(&crawl, {.robots = {Robots("com,a)", ""), Robots("com,a)http", "")}}, any);
  const UrlRow guess = RowOf(crawl, "com,a)/sitemap.xml");
  EXPECT_TRUE(IsGuessedSitemap(guess));
  EXPECT_EQ(guess.depth, 0);
  EXPECT_FALSE(crawl.Find<UrlRow>("com,a)http/sitemap.xml")) << "one per host";
  EXPECT_EQ(crawl.Find<HostRow>("com,a")->default_sitemap_ms, kNow);

  const Counters counters = Round(&crawl, {.fetch = {NotThere(guess)}}, any);
  EXPECT_EQ(counters.Get("no_sitemap"), 1);
  EXPECT_EQ(counters.Get("failing") + counters.Get("gone"), 0);
  EXPECT_FALSE(crawl.Find<UrlRow>("com,a)/sitemap.xml"));
  EXPECT_EQ(crawl.Present().totals->states.size(), 0u);

  const auto robots_at = [&](int64_t at_ms) {
    crawl.now_ms = at_ms;
    RobotsRow robots = Robots("com,a)", "");
    robots.fetched_ms = at_ms;
    Round(&crawl, {.robots = {robots}}, any);
    return crawl.Find<UrlRow>("com,a)/sitemap.xml").has_value();
  };
  EXPECT_FALSE(robots_at(kNow + kDayMs));
  EXPECT_FALSE(robots_at(kNow + 29 * kDayMs));
  EXPECT_TRUE(robots_at(kNow + 30 * kDayMs));
}

// It is no URL of the crawl before it is there, and it was tried when it was asked for.
TEST(StatedWords, AGuessCountsWhereItIsThereAndFromWhenItWasAsked) {
  for (const bool is_there : {false, true}) {
    SegmentFixture crawl;
    const OptionTexts any = {{"urls.scope", "any"}};
    Counters counters = Round(&crawl, {.robots = {Robots("com,a)", "")}}, any);
    EXPECT_EQ(counters.Get("urls_new"), 0);
    EXPECT_EQ(crawl.Find<HostRow>("com,a")->discovered, 0);
    const UrlRow guess = RowOf(crawl, "com,a)/sitemap.xml");
    FetchRow fetch = NotThere(guess);
    if (is_there) {
      fetch = FetchOf(guess, Outcome::kFetched, 200, 0);
      fetch.body_digest = "body";
    }
    fetch.fetched_ms = kNow + 5 * kDayMs;
    counters = Round(&crawl, {.fetch = {fetch}}, any);
    EXPECT_EQ(counters.Get("urls_new"), is_there ? 1 : 0);
    EXPECT_EQ(crawl.Find<HostRow>("com,a")->discovered, is_there ? 1 : 0);
    EXPECT_EQ(crawl.Find<HostRow>("com,a")->default_sitemap_ms, kNow + 5 * kDayMs);
  }
}

TEST(StatedWords, NoGuessWhereItIsOffDeniedNamedOrNotToBeHad) {
  RobotsRow failed = Robots("com,a)", "");
  failed.outcome = Outcome::kServerError;
  failed.failures = 1;
  const std::pair<RobotsRow, OptionTexts> cases[] = {{Robots("com,a)", ""), {{"sitemaps.guess", "false"}}},
                                                     {Robots("com,a)", ""), {{"fetch.sitemaps", "false"}}},
                                                     {Robots("com,a)", ""), {{"urls.depth", "0"}}},
                                                     {Robots("com,a)", "User-agent: *\nDisallow: /sitemap\n"), {}},
                                                     {Robots("com,a)", "Sitemap: https://a.com/other.xml\n"), {}},
                                                     {failed, {}}};
  for (auto [robots, options] : cases) {
    options["urls.scope"] = "any";
    SegmentFixture crawl;
    Round(&crawl, {.robots = {robots}}, options);
    EXPECT_FALSE(crawl.Find<UrlRow>("com,a)/sitemap.xml")) << robots.text;
  }
}

TEST(StatedWords, AGuessThatIsNamedLaterFailsLikeAnySitemap) {
  SegmentFixture crawl;
  UrlRow guess = UnfetchedRow("com,a)/sitemap.xml");
  guess.kind = UrlKind::kSitemap;
  ASSERT_OK(crawl.Put<UrlRow>({guess}));
  Round(&crawl, {.robots = {Robots("com,a)", "Sitemap: https://a.com/sitemap.xml\n")}}, {{"urls.scope", "any"}});
  const UrlRow named = RowOf(crawl, "com,a)/sitemap.xml");
  EXPECT_EQ(named.via, "com,a)/robots.txt");
  Round(&crawl, {.fetch = {NotThere(named)}});
  EXPECT_EQ(RowOf(crawl, "com,a)/sitemap.xml").state, UrlState::kFailing);
}

// -- limits -----------------------------------------------------------------------------------------------------------

TEST(StatedWords, AHostHasNoMoreSitemapsFeedsAndEntriesThanAllowed) {
  const OptionTexts options = {{"sitemaps.most_sitemaps", "3"},
                               {"sitemaps.most_feeds", "2"},
                               {"sitemaps.most_urls", "12"},
                               {"urls.scope", "any"}};
  SegmentFixture crawl;
  for (int round = 0; round < 3; ++round) {
    SegmentRows rows;
    for (int i = 0; i < 4; ++i) {
      const std::string name = std::to_string(round) + std::to_string(i);
      LinkRow map = EntryOf("com,a)/map" + name), feed = LinkOf("com,a)/", "com,a)/feed" + name, 1);
      map.kind = UrlKind::kSitemap;
      feed.kind = UrlKind::kFeed;
      rows.links.insert(rows.links.end(), {map, feed, EntryOf("com,a)/page" + name)});
    }
    const Counters counters = Round(&crawl, rows, options);
    EXPECT_EQ(counters.Get("lists_over_limit"), round == 0 ? 3 : 8) << round;
    EXPECT_EQ(counters.Get("entries_over_limit"), round == 0 ? 0 : round == 1 ? 1 : 4) << round;
  }
  EXPECT_EQ(crawl.Find<HostRow>("com,a")->discovered, 12);
}

TEST(StatedWords, SitemapsHaveIntervalsOfTheirOwn) {
  SegmentFixture crawl;
  UrlRow map = UnfetchedRow(kMap);
  map.kind = UrlKind::kSitemap;
  map.via = "com,a)/robots.txt";
  ASSERT_OK(crawl.Put<UrlRow>({map}));
  const char* const digests[] = {"1", "1", "1", "2", "3", "3"};
  const int64_t intervals_ms[] = {kDayMs, 2 * kDayMs, 4 * kDayMs, 2 * kDayMs, kDayMs, 2 * kDayMs};
  for (int i = 0; i < 6; ++i) {
    const UrlRow row = RowOf(crawl, kMap);
    FetchRow fetch = PageOf(row, digests[i]);
    fetch.kind = UrlKind::kSitemap;
    fetch.fetched_ms += i * kDayMs;
    ParseRow parse;
    parse.key = kMap;
    parse.fetched_ms = fetch.fetched_ms;
    parse.sitemap = "urlset";
    parse.entries = 40 + i;
    Round(&crawl, {.fetch = {fetch}, .parse = {parse}});
    EXPECT_EQ(RowOf(crawl, kMap).interval_ms, intervals_ms[i]) << i;
    EXPECT_EQ(RowOf(crawl, kMap).entries, 40 + i);
  }
}

}  // namespace
}  // namespace trawl
