// The updatedb job on segments that the tests write themselves.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <thread>

#include "formats/rows/host_graph_row.h"
#include "formats/rows/seed_host_row.h"
#include "formats/rows/times.h"
#include "jobs/policy/score.h"
#include "jobs/politeness/quota.h"
#include "jobs/segment/choice.h"
#include "runtime/process/status_detail.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {
constexpr int64_t kNow = 1'767'225'600'000;
constexpr int64_t kFetchedAt = kNow - kHourMs;

UrlRow Seed(const std::string& key) {
  UrlRow row = UnfetchedRow(key);
  row.is_seed = true;
  row.score = kScoreOne;
  return row;
}

FetchRow PageOf(const UrlRow& listed, const std::string& digest = "digest-1") {
  FetchRow row = FetchOf(listed, Outcome::kFetched, 200, kFetchedAt);
  row.body_digest = digest;
  row.content_file = "m0-0-0.orc";
  row.bytes = 1000;
  row.etag = "\"e\"";
  return row;
}

ParseRow ParseOf(const FetchRow& fetch, const std::string& digest = "content-1") {
  ParseRow row;
  row.key = fetch.key;
  row.fetched_ms = fetch.fetched_ms;
  row.content_digest = digest;
  row.body_digest = fetch.body_digest;
  return row;
}

TEST(Updatedb, FetchedPageAndItsLinksEnter) {
  SegmentFixture crawl;
  const UrlRow seed = Seed("com,a)/");
  ASSERT_OK(crawl.Put<UrlRow>({seed}));
  ASSERT_OK(crawl.Open("s1"));
  const FetchRow page = PageOf(seed);
  LinkRow odd = LinkOf("com,a)/", "com,a)/2", 1);
  odd.url = "https://a.com/2?utm_source=x";
  LinkRow dead = LinkOf("com,a)/", "com,a)/3", 1);
  dead.nofollow = true;
  ASSERT_OK(crawl.Finish(
      "s1", {.fetch = {page}, .parse = {ParseOf(page)}, .links = {LinkOf("com,a)/", "com,a)/1", 1), odd, dead}}));
  ASSERT_OK_AND_ASSIGN(const JobResult result, crawl.Apply("s1"));
  EXPECT_TRUE(result.changed);
  const Counters& counters = result.output.counters;
  EXPECT_EQ(counters.Get("new"), 1);
  EXPECT_EQ(counters.Get("fetched"), 1);
  EXPECT_EQ(counters.Get("links_new"), 2);

  const std::optional<UrlRow> row = crawl.Find<UrlRow>("com,a)/");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->state, UrlState::kFetched);
  EXPECT_EQ(row->body_segment, "s1");
  EXPECT_EQ(row->etag, "\"e\"");
  EXPECT_EQ(row->score, kScoreOne);
  const std::optional<UrlRow> link = crawl.Find<UrlRow>("com,a)/1");
  ASSERT_TRUE(link);
  EXPECT_EQ(link->state, UrlState::kUnfetched);
  EXPECT_EQ(link->depth, 1);
  EXPECT_EQ(link->via, "com,a)/");
  EXPECT_EQ(link->inlinks, 1);
  EXPECT_EQ(link->score, ScoreOf({.depth = 1, .key = link->key}));
  EXPECT_EQ(link->spelling, "");
  EXPECT_EQ(crawl.Find<UrlRow>("com,a)/2")->spelling, "https://a.com/2?utm_source=x");
  EXPECT_FALSE(crawl.Find<UrlRow>("com,a)/3"));
  const std::optional<HostRow> host = crawl.Find<HostRow>("com,a");
  ASSERT_TRUE(host);
  EXPECT_EQ(host->discovered, 2);
}

TEST(Updatedb, WhatSettleDecidedAndFingerprintsGoThroughARound) {
  SegmentFixture crawl;
  UrlRow same = Seed("com,a)/same"), other = Seed("com,a)/other");
  for (UrlRow* row : {&same, &other}) {
    row->state = UrlState::kDuplicate;
    row->duplicate_of = "com,a)/";
    row->body_digest = "digest-0";
    row->content_digest = "content-1";
    row->parser = kParserVersion;
    row->simhash = 7;
    row->fetched_ms = kFetchedAt - 9 * kDayMs;
    row->interval_ms = 9 * kDayMs;
    row->fetches = 2;
  }
  ASSERT_OK(crawl.Put<UrlRow>({other, same}));
  ASSERT_OK(crawl.Open("s1"));
  FetchRow same_page = PageOf(same), other_page = PageOf(other, "digest-2");
  other_page.shares_body = true;
  ParseRow same_parse = ParseOf(same_page), other_parse = ParseOf(other_page, "content-2");
  same_parse.has_simhash = true;  // and 0
  other_parse.has_simhash = true;
  other_parse.simhash = -9;
  FetchRow probe = FetchOf(UnfetchedRow("com,a)/trawl-probe"), Outcome::kFetched, 200, kFetchedAt);
  probe.kind = UrlKind::kProbe;
  probe.listed.clear();
  ASSERT_OK(crawl.Finish(
      "s1", {.fetch = {other_page, same_page, probe}, .parse = {other_parse, same_parse, ParseOf(probe)}}));
  ASSERT_OK(crawl.Apply("s1"));

  const UrlRow after_same = *crawl.Find<UrlRow>("com,a)/same");
  EXPECT_EQ(after_same.state, UrlState::kDuplicate);
  EXPECT_EQ(after_same.duplicate_of, "com,a)/");
  EXPECT_EQ(after_same.simhash, 1);
  EXPECT_EQ(after_same.due_ms, kFetchedAt + 2 * after_same.interval_ms);
  const UrlRow after_other = *crawl.Find<UrlRow>("com,a)/other");
  EXPECT_EQ(after_other.state, UrlState::kFetched);
  EXPECT_EQ(after_other.duplicate_of, "");
  EXPECT_EQ(after_other.simhash, -9);
  EXPECT_TRUE(after_other.shares_body);
  EXPECT_FALSE(crawl.Find<UrlRow>("com,a)/trawl-probe"));
}

// Three hosts of a domain, two of which several parts tell of: the domain gets the pages of each once.
TEST(Updatedb, PagesOfADomainAreSummedOverItsHostsOncePerSegment) {
  SegmentFixture crawl;
  const int64_t day_ms = kNow - kNow % kDayMs - kDayMs;  // kFetchedAt lies on it
  const auto seen = [&](const std::string& key, int64_t pages, int64_t today, int64_t at_ms) {
    HostRow row;
    row.key = key;
    row.answered_ms = at_ms;
    row.day_start_ms = day_ms;
    row.pages = row.round_pages = pages;
    row.pages_today = row.round_pages_today = static_cast<int32_t>(today);
    return row;
  };
  HostRow domain;
  domain.key = "com,a";
  domain.domain = {.operator_pages_a_day = 90, .day_start_ms = day_ms, .pages_today = 10, .pages = 100};
  ASSERT_OK(crawl.Put<HostRow>({domain}));
  for (const char* segment : {"s1", "s2"}) {
    ASSERT_OK(crawl.Open(segment));
    ASSERT_OK(crawl.Finish(segment, {.hosts = {seen("com,a,x", 2, 2, kFetchedAt), seen("com,a,x", 5, 4, kFetchedAt + 9),
                                               seen("com,a,y", 3, 3, kFetchedAt), seen("com,a", 1, 1, kFetchedAt)}}));
  }
  ASSERT_OK_AND_ASSIGN(const JobResult result, crawl.Apply("s1", {}, 3));
  DomainRecord expected = domain.domain;
  expected.pages_today = 10 + 4 + 3 + 1;
  expected.pages = 100 + 5 + 3 + 1;
  EXPECT_EQ(crawl.Find<HostRow>("com,a")->domain, expected);
  EXPECT_EQ(crawl.Find<HostRow>("com,a")->pages, 1) << "the host of that name";
  EXPECT_EQ(crawl.Find<HostRow>("com,a,x")->domain, DomainRecord());
  EXPECT_EQ(result.output.counters.Get("domains"), 1);
  EXPECT_EQ(result.output.counters.Get("hosts_new"), 3);
  ASSERT_OK(crawl.Apply("s1"));
  EXPECT_EQ(crawl.Find<HostRow>("com,a")->domain, expected) << "a segment is applied once";
  ASSERT_OK(crawl.Close("s2", SegmentEnd::kExpired));
  ASSERT_OK(crawl.Apply("s2"));
  EXPECT_EQ(crawl.Find<HostRow>("com,a")->domain.pages, 118) << "late, and yet once";
}

TEST(Updatedb, SegmentIsAppliedOnce) {
  SegmentFixture crawl;
  const UrlRow seed = Seed("com,a)/");
  ASSERT_OK(crawl.Put<UrlRow>({seed}));
  ASSERT_OK(crawl.Open("s1"));
  ASSERT_OK(crawl.Finish("s1", {.fetch = {PageOf(seed)}}));
  ASSERT_OK_AND_ASSIGN(const JobResult first, crawl.Apply("s1"));
  EXPECT_TRUE(first.changed);
  const Manifest present = crawl.Present();
  EXPECT_TRUE(present.open_segments.empty());
  ASSERT_EQ(present.closed_segments.size(), 1U);
  EXPECT_EQ(present.closed_segments[0].end, SegmentEnd::kApplied);
  EXPECT_EQ(present.closed_segments[0].snapshot, present.number);
  ASSERT_OK_AND_ASSIGN(const JobResult second, crawl.Apply("s1"));
  EXPECT_FALSE(second.changed);
  EXPECT_EQ(crawl.Present().number, present.number);
  ASSERT_OK_AND_ASSIGN(const SegmentChoice none, ChooseSegment(crawl.store(), present, SegmentStep::kUpdatedb, ""));
  EXPECT_EQ(none.id, "");
}

// A round over 20 hosts, in the given number of partitions: the digest of the runs of each table that it adds.
std::map<std::string, std::string> DigestsWith(int partitions) {
  SegmentFixture crawl;
  std::vector<UrlRow> urls;
  SegmentRows rows;
  for (int host = 0; host < 20; ++host) {
    const std::string origin = "com,h" + std::to_string(host) + ")/";
    urls.push_back(Seed(origin));
    rows.fetch.push_back(PageOf(urls.back()));
    rows.parse.push_back(ParseOf(rows.fetch.back()));
    rows.parse.back().links = 6;
    for (int link = 0; link < 5; ++link) rows.links.push_back(LinkOf(origin, origin + std::to_string(link), 1));
    rows.links.push_back(LinkOf(origin, "com,h" + std::to_string((host + 1) % 20) + ")/shared", 1));
    rows.hosts.emplace_back();
    rows.hosts.back().key = "com,h" + std::to_string(host);
    rows.hosts.back().answered_ms = kFetchedAt;
  }
  EXPECT_OK(crawl.Put<UrlRow>(urls));
  EXPECT_OK(crawl.Open("s1"));
  EXPECT_OK(crawl.Finish("s1", rows));
  EXPECT_OK(crawl.Apply("s1", {}, partitions));
  std::map<std::string, std::string> digests;
  const Manifest present = crawl.Present();
  for (const auto& [table, runs] : present.tables) digests[table] = runs.back().digest.ToHex();
  return digests;
}

TEST(Updatedb, PartitionsDoNotChangeTheRows) {
  const std::map<std::string, std::string> one = DigestsWith(1);
  EXPECT_EQ(one.size(), 3U) << "urls, hosts and outlinks";
  for (const int partitions : {2, 5, 8}) EXPECT_EQ(DigestsWith(partitions), one) << partitions;
}

TEST(Updatedb, TwoAtOnceApplyItOnce) {
  SegmentFixture crawl;
  const UrlRow seed = Seed("com,a)/");
  ASSERT_OK(crawl.Put<UrlRow>({seed}));
  ASSERT_OK(crawl.Open("s1"));
  ASSERT_OK(crawl.Finish("s1", {.fetch = {PageOf(seed)}}));
  const int64_t before = crawl.Present().number;
  bool changed[2] = {};
  std::thread other([&] {
    const auto result = crawl.Apply("s1");
    EXPECT_OK(result);
    changed[0] = result.ok() && result->changed;
  });
  const auto result = crawl.Apply("s1");
  other.join();
  ASSERT_OK(result);
  changed[1] = result->changed;
  EXPECT_NE(changed[0], changed[1]);
  EXPECT_EQ(crawl.Present().number, before + 1);
}

TEST(Updatedb, ExpiredSegmentIsAppliedAndAbandonedOneRefused) {
  SegmentFixture crawl;
  const UrlRow seed = Seed("com,a)/");
  ASSERT_OK(crawl.Put<UrlRow>({seed}));
  for (const char* id : {"s1", "s2"}) {
    ASSERT_OK(crawl.Open(id));
    ASSERT_OK(crawl.Finish(id, {.fetch = {PageOf(seed)}}));
  }
  ASSERT_OK(crawl.Close("s1", SegmentEnd::kAbandoned));
  ASSERT_OK(crawl.Close("s2", SegmentEnd::kExpired));
  EXPECT_EQ(KindOf(crawl.Apply("s1").status()), StatusKind::kUsage);
  EXPECT_EQ(KindOf(crawl.Apply("s3").status()), StatusKind::kUsage);
  ASSERT_OK_AND_ASSIGN(const SegmentChoice next,
                       ChooseSegment(crawl.store(), crawl.Present(), SegmentStep::kUpdatedb, ""));
  EXPECT_EQ(next.id, "s2");
  ASSERT_OK_AND_ASSIGN(const JobResult result, crawl.Apply("s2"));
  EXPECT_TRUE(result.changed);
  EXPECT_EQ(crawl.Present().closed_segments.back().id, "s2");
  EXPECT_EQ(crawl.Present().closed_segments.back().end, SegmentEnd::kApplied);
}

TEST(Updatedb, SegmentThatReachedNothingIsApplied) {
  SegmentFixture crawl;
  ASSERT_OK(crawl.Put<UrlRow>({Seed("com,a)/")}));
  ASSERT_OK(crawl.Open("s1"));
  EXPECT_EQ(KindOf(crawl.Apply("s1").status()), StatusKind::kUsage);
  ASSERT_OK(crawl.Finish("s1", {}));
  ASSERT_OK_AND_ASSIGN(const JobResult result, crawl.Apply("s1"));
  EXPECT_TRUE(result.changed);
  EXPECT_EQ(crawl.Find<UrlRow>("com,a)/")->state, UrlState::kUnfetched);
}

// -- what the URLs of a dead host share --------------------------------------------------------------------------------

RobotsRow NobodyThere(const std::string& origin, int64_t at_ms) {
  RobotsRow row;
  row.key = origin;
  row.outcome = Outcome::kDnsFailed;
  row.fetched_ms = at_ms;
  row.failures = 1;
  row.is_dead = true;
  row.dead_rounds = 1;
  row.history = "2026-01-01T00:00:00Z dns_failed 0 dead, dns_failed, no such name\n";
  return row;
}

// A host of which many URLs are known, beside others that come before and after it in their slot and elsewhere.
struct DeadHost {
  static constexpr int kPages = 500;
  static std::string Page(int page) { return "com,dead)/" + std::to_string(page); }

  explicit DeadHost(int parts) : partitions(parts) {
    std::vector<UrlRow> urls;
    for (int page = 0; page < kPages; ++page) urls.push_back(UnfetchedRow(Page(page)));
    // Not of the origin, or beyond its fate.
    for (const char* key : {"com,dead)http/", "com,dead)http:8080/1", "com,dea)/", "com,deadly)/", "com,a)/"}) {
      urls.push_back(UnfetchedRow(key));
    }
    urls[3].state = UrlState::kRefused;
    urls[3].due_ms = kNever;
    EXPECT_OK(crawl.Put<UrlRow>(urls));
  }

  // A round of which `round` tells apart the times; it asked for the first page.
  void Round(int round, const RobotsRow& robots, Outcome page, const std::vector<LinkRow>& links = {}) {
    const std::string id = "s" + std::to_string(round);
    ASSERT_OK(crawl.Open(id));
    FetchRow fetch =
        FetchOf(*crawl.Find<UrlRow>(Page(0)), page, page == Outcome::kFetched ? 200 : 0, robots.fetched_ms);
    ASSERT_OK(crawl.Finish(id, {.fetch = {fetch}, .links = links, .robots = {robots}}));
    ASSERT_OK(crawl.Apply(id, {}, partitions));
  }
  UrlRow Find(const std::string& key) { return crawl.Find<UrlRow>(key).value_or(UrlRow()); }

  SegmentFixture crawl;
  const int partitions;
};

TEST(Updatedb, AllUrlsOfADeadHostAreGoneInItsLastRoundAndComeBackWithIt) {
  for (const int partitions : {1, 5}) {
    SCOPED_TRACE(partitions);
    DeadHost dead(partitions);
    for (int round = 1; round <= 2; ++round) {
      dead.Round(round, NobodyThere("com,dead)", kFetchedAt + round * kDayMs), Outcome::kDnsFailed);
      EXPECT_EQ(dead.Find(DeadHost::Page(0)).state, UrlState::kFailing);
      EXPECT_EQ(dead.Find(DeadHost::Page(1)).state, UrlState::kUnfetched);
    }
    const int64_t last_ms = kFetchedAt + 3 * kDayMs;
    // Links to a known URL and to a new one come in the same round.
    dead.Round(3, NobodyThere("com,dead)", last_ms), Outcome::kDnsFailed,
               {LinkOf("com,a)/", DeadHost::Page(77), 1), LinkOf("com,a)/", "com,dead)/new", 1)});
    const int64_t due_ms = dead.Find(DeadHost::Page(0)).due_ms;
    EXPECT_GT(due_ms, last_ms + 80 * kDayMs);
    for (int page = 0; page < DeadHost::kPages; ++page) {
      const UrlRow row = dead.Find(DeadHost::Page(page));
      ASSERT_EQ(row.key, DeadHost::Page(page));
      if (page == 3) {
        EXPECT_EQ(row.state, UrlState::kRefused);
        continue;
      }
      ASSERT_EQ(row.state, UrlState::kGone) << page;
      EXPECT_EQ(row.outcome, Outcome::kDnsFailed);
      EXPECT_EQ(row.reason, page > 0 ? "nobody is there to ask for robots.txt: no such name" : "");
      EXPECT_EQ(row.due_ms, due_ms) << page;
    }
    EXPECT_EQ(dead.Find(DeadHost::Page(77)).inlinks, 1);
    for (const char* key : {"com,dead)/new", "com,dead)http/", "com,dead)http:8080/1", "com,dea)/", "com,deadly)/"}) {
      EXPECT_EQ(dead.Find(key).state, UrlState::kUnfetched) << key;
    }
    // The next try takes the new URL along, and leaves alone what is gone.
    dead.Round(4, NobodyThere("com,dead)", last_ms + kDayMs), Outcome::kDnsFailed);
    EXPECT_EQ(dead.Find("com,dead)/new").state, UrlState::kGone);
    EXPECT_EQ(dead.Find(DeadHost::Page(1)).due_ms, due_ms);

    RobotsRow back;
    back.key = "com,dead)";
    back.outcome = Outcome::kClientError;
    back.status = 404;
    back.fetched_ms = last_ms + 5 * kDayMs;
    back.text_ms = back.fetched_ms;
    dead.Round(5, back, Outcome::kFetched);
    EXPECT_EQ(dead.Find(DeadHost::Page(0)).state, UrlState::kFetched);
    for (const std::string& key : {DeadHost::Page(1), DeadHost::Page(499), std::string("com,dead)/new")}) {
      EXPECT_EQ(dead.Find(key).state, UrlState::kGone) << key;
      EXPECT_LT(dead.Find(key).due_ms, last_ms + 6 * kDayMs) << key;
    }
    EXPECT_EQ(dead.Find(DeadHost::Page(3)).due_ms, kNever);
  }
}

// -- what the base of an outcome is -----------------------------------------------------------------------------------

TEST(Updatedb, RunThatIsNewerThanTheListsIsTheBase) {
  SegmentFixture crawl;
  const UrlRow listed = Seed("com,a)/");
  ASSERT_OK(crawl.Put<UrlRow>({listed}));
  ASSERT_OK(crawl.Open("s1"));
  UrlRow newer = listed;
  newer.metadata = "k=v";
  ASSERT_OK(crawl.Put<UrlRow>({newer}));
  ASSERT_OK(crawl.Finish("s1", {.fetch = {PageOf(listed)}}));
  ASSERT_OK(crawl.Apply("s1"));
  EXPECT_EQ(crawl.Find<UrlRow>("com,a)/")->metadata, "k=v");
  EXPECT_EQ(crawl.Find<UrlRow>("com,a)/")->state, UrlState::kFetched);
}

TEST(Updatedb, OutcomeThatIsOlderThanTheRowChangesNothing) {
  SegmentFixture crawl;
  const UrlRow listed = Seed("com,a)/");
  ASSERT_OK(crawl.Put<UrlRow>({listed}));
  ASSERT_OK(crawl.Open("s1"));
  UrlRow newer = listed;
  newer.state = UrlState::kGone;
  newer.fetched_ms = kFetchedAt;
  ASSERT_OK(crawl.Put<UrlRow>({newer}));
  ASSERT_OK(crawl.Finish("s1", {.fetch = {PageOf(listed)}}));
  ASSERT_OK_AND_ASSIGN(const JobResult result, crawl.Apply("s1"));
  EXPECT_TRUE(result.changed);
  EXPECT_EQ(result.output.counters.Get("late"), 1);
  EXPECT_EQ(crawl.Find<UrlRow>("com,a)/")->state, UrlState::kGone);
}

TEST(Updatedb, LastOutcomeOfASegmentCounts) {
  SegmentFixture crawl;
  const UrlRow seed = Seed("com,a)/");
  ASSERT_OK(crawl.Put<UrlRow>({seed}));
  ASSERT_OK(crawl.Open("s1"));
  FetchRow first = FetchOf(seed, Outcome::kServerError, 500, kFetchedAt - 2000);
  FetchRow second = PageOf(seed);
  second.listed.clear();  // met again as a redirect's target
  second.requests = 2;
  FetchRow third = FetchOf(seed, Outcome::kTimeout, 0, kFetchedAt);
  ASSERT_OK(crawl.Finish("s1", {.fetch = {second, first, third}}));
  ASSERT_OK(crawl.Apply("s1"));
  const UrlRow row = *crawl.Find<UrlRow>("com,a)/");
  EXPECT_EQ(row.state, UrlState::kFetched);
  EXPECT_EQ(row.fetches, 1);
  EXPECT_TRUE(row.is_seed);
}

TEST(Updatedb, RemovedUrlComesBackByALinkAlone) {
  SegmentFixture crawl;
  const UrlRow seed = Seed("com,a)/");
  const UrlRow gone = UnfetchedRow("com,a)/gone", 1);
  const UrlRow linked = UnfetchedRow("com,a)/linked", 1);
  ASSERT_OK(crawl.Put<UrlRow>({seed, gone, linked}));
  ASSERT_OK(crawl.Open("s1"));
  std::vector<UrlRow> tombstones(2);
  tombstones[0].key = gone.key;
  tombstones[1].key = linked.key;
  for (UrlRow& tombstone : tombstones) {
    tombstone.removed = true;
    tombstone.state = UrlState::kNone;
  }
  ASSERT_OK(crawl.Put<UrlRow>(tombstones));
  ASSERT_OK(crawl.Finish(
      "s1", {.fetch = {PageOf(seed), PageOf(gone), PageOf(linked)}, .links = {LinkOf(seed.key, linked.key, 1)}}));
  ASSERT_OK_AND_ASSIGN(const JobResult result, crawl.Apply("s1"));
  EXPECT_EQ(result.output.counters.Get("removed"), 2);
  EXPECT_FALSE(crawl.Find<UrlRow>(gone.key));
  const std::optional<UrlRow> back = crawl.Find<UrlRow>(linked.key);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->state, UrlState::kUnfetched);
  EXPECT_EQ(back->fetches, 0);
}

// -- links ------------------------------------------------------------------------------------------------------------

TEST(Updatedb, LinksAreSettledByWhatIsKnown) {
  SegmentFixture crawl;
  UrlRow waiting = UnfetchedRow("com,b)/waiting", 4);
  waiting.inlinks = 2;
  const UrlRow same = UnfetchedRow("com,b)/same", 1);
  UrlRow fetched = UnfetchedRow("com,b)/fetched", 4);
  fetched.state = UrlState::kFetched;
  fetched.fetched_ms = kFetchedAt - kHourMs;
  UrlRow nearer = fetched;
  nearer.key = "com,b)/nearer";
  ASSERT_OK(crawl.Put<UrlRow>({waiting, same, fetched, nearer}));
  ASSERT_OK(crawl.Open("s1"));
  ASSERT_OK(crawl.Finish("s1", {.links = {LinkOf("com,a)/1", nearer.key, 1), LinkOf("com,a)/1", waiting.key, 2),
                                          LinkOf("com,a)/2", waiting.key, 3), LinkOf("com,c)/", waiting.key, 2),
                                          LinkOf("com,d)/", waiting.key, 5, false),
                                          LinkOf("com,a)/1", same.key, 1, false), LinkOf("com,a)/1", fetched.key, 4),
                                          LinkOf("com,a)/2", "com,b)/new", 3), LinkOf("com,c)/", "com,b)/new", 3)}}));
  ASSERT_OK_AND_ASSIGN(const JobResult result, crawl.Apply("s1"));
  const Counters& counters = result.output.counters;
  EXPECT_EQ(counters.Get("links"), 9);
  EXPECT_EQ(counters.Get("links_new"), 2);
  EXPECT_EQ(counters.Get("links_known"), 7);
  EXPECT_EQ(counters.Get("links_raised"), 5);
  EXPECT_EQ(counters.Get("urls_new"), 1);
  EXPECT_EQ(counters.Get("urls"), 3);  // nothing else was written
  EXPECT_EQ(crawl.Find<UrlRow>(waiting.key)->depth, 2);
  EXPECT_EQ(crawl.Find<UrlRow>(waiting.key)->inlinks, 4);  // two hosts
  EXPECT_EQ(*crawl.Find<UrlRow>(same.key), same);
  EXPECT_EQ(*crawl.Find<UrlRow>(fetched.key), fetched);
  const UrlRow after = *crawl.Find<UrlRow>(nearer.key);
  EXPECT_EQ(after.depth, 1) << "a page that was fetched comes nearer, too";
  EXPECT_EQ(after.state, UrlState::kFetched);
  EXPECT_EQ(after.due_ms, nearer.due_ms);
  const UrlRow entered = *crawl.Find<UrlRow>("com,b)/new");
  EXPECT_EQ(entered.via, "com,a)/2");
  EXPECT_EQ(entered.inlinks, 2);
  EXPECT_EQ(crawl.Find<HostRow>("com,b)"), std::nullopt);
  EXPECT_EQ(crawl.Find<HostRow>("com,b")->linking_hosts, 2);
}

TEST(Updatedb, UrlsEnterABlockedHostAndWaitThere) {
  SegmentFixture crawl;
  HostRow host;
  host.key = "com,b";
  host.blocked = true;
  ASSERT_OK(crawl.Put<HostRow>({host}));
  ASSERT_OK(crawl.Put<UrlRow>({UnfetchedRow("com,b)/known", 4)}));
  ASSERT_OK(crawl.Open("s1"));
  ASSERT_OK(crawl.Finish("s1", {.links = {LinkOf("com,a)/", "com,b)/new", 1), LinkOf("com,a)/", "com,b)/known", 1)}}));
  ASSERT_OK_AND_ASSIGN(const JobResult result, crawl.Apply("s1"));
  EXPECT_EQ(result.output.counters.Get("links_new"), 1);
  EXPECT_EQ(crawl.Find<UrlRow>("com,b)/new")->state, UrlState::kUnfetched);
  EXPECT_EQ(crawl.Find<UrlRow>("com,b)/known")->depth, 1);
  EXPECT_TRUE(crawl.Find<HostRow>("com,b")->blocked);
}

TEST(Updatedb, DepthHasALimit) {
  SegmentFixture crawl;
  ASSERT_OK(crawl.Put<UrlRow>({Seed("com,a)/")}));
  ASSERT_OK(crawl.Open("s1"));
  ASSERT_OK(crawl.Finish("s1", {.links = {LinkOf("com,a)/", "com,a)/3", 3), LinkOf("com,a)/", "com,a)/4", 4)}}));
  ASSERT_OK_AND_ASSIGN(const JobResult result, crawl.Apply("s1", {{"urls.depth", "3"}}));
  EXPECT_EQ(result.output.counters.Get("links_too_deep"), 1);
  EXPECT_TRUE(crawl.Find<UrlRow>("com,a)/3"));
  EXPECT_FALSE(crawl.Find<UrlRow>("com,a)/4"));
}

TEST(Updatedb, RedirectsTargetIsAsNearAsItsSource) {
  SegmentFixture crawl;
  const UrlRow source = UnfetchedRow("com,a)/old", 2);
  ASSERT_OK(crawl.Put<UrlRow>({source}));
  ASSERT_OK(crawl.Open("s1"));
  FetchRow fetch = FetchOf(source, Outcome::kRedirect, 301, kFetchedAt);
  fetch.redirect_to = "com,b)/new";
  fetch.redirect_url = "https://b.com/new?utm_source=x";
  FetchRow refused = FetchOf(UnfetchedRow("com,a)/x"), Outcome::kRedirectRefused, 302, kFetchedAt);
  refused.redirect_to = "com,c)/outside";
  refused.listed.clear();
  ASSERT_OK(crawl.Finish("s1", {.fetch = {fetch, refused}}));
  ASSERT_OK(crawl.Apply("s1"));
  EXPECT_EQ(crawl.Find<UrlRow>("com,a)/old")->state, UrlState::kRedirected);
  EXPECT_EQ(crawl.Find<UrlRow>("com,a)/old")->redirect_to, "com,b)/new");
  const std::optional<UrlRow> target = crawl.Find<UrlRow>("com,b)/new");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->depth, 2);
  EXPECT_EQ(target->via, "com,a)/old");
  EXPECT_EQ(target->spelling, fetch.redirect_url);
  EXPECT_EQ(target->inlinks, 0);
  EXPECT_FALSE(crawl.Find<UrlRow>("com,c)/outside"));
}

TEST(Updatedb, HopThatWasFetchedInTheSegmentIsNoLink) {
  SegmentFixture crawl;
  const UrlRow source = UnfetchedRow("com,a)/old", 2);
  ASSERT_OK(crawl.Put<UrlRow>({source}));
  ASSERT_OK(crawl.Open("s1"));
  FetchRow redirect = FetchOf(source, Outcome::kRedirect, 302, kFetchedAt - 1);
  redirect.redirect_to = "com,a)/new";
  redirect.redirect_url = "https://a.com/new";
  FetchRow hop = PageOf(UnfetchedRow("com,a)/new", 2));
  hop.listed.clear();
  hop.hop_of = source.key;
  ASSERT_OK(crawl.Finish("s1", {.fetch = {redirect, hop}}));
  ASSERT_OK_AND_ASSIGN(const JobResult result, crawl.Apply("s1"));
  EXPECT_EQ(crawl.Find<UrlRow>("com,a)/new")->state, UrlState::kFetched);
  EXPECT_EQ(crawl.Find<UrlRow>("com,a)/new")->via, source.key);
  EXPECT_EQ(crawl.Find<HostRow>("com,a")->discovered, 1);
}

// -- robots -----------------------------------------------------------------------------------------------------------

RobotsRow Robots(const std::string& key, const std::string& text) {
  RobotsRow row;
  row.key = key;
  row.outcome = Outcome::kFetched;
  row.status = 200;
  row.fetched_ms = row.text_ms = kFetchedAt;
  row.text = text;
  return row;
}

TEST(Updatedb, SitemapsOfRobotsEnterInScope) {
  const std::string text =
      "User-agent: *\nDisallow: /\nSitemap: https://www.a.com/map.xml\nSitemap: "
      "https://elsewhere.org/map.xml\nSitemap: nonsense\n";
  for (const char* sitemaps : {"true", "false"}) {
    SegmentFixture crawl;
    SeedHostRow seed;
    seed.key = "com,a";
    ASSERT_OK(crawl.Put<SeedHostRow>({seed}));
    ASSERT_OK(crawl.Put<UrlRow>({Seed("com,a)/")}));
    ASSERT_OK(crawl.Open("s1"));
    ASSERT_OK(crawl.Finish("s1", {.robots = {Robots("com,a)", text)}}));
    ASSERT_OK(crawl.Apply("s1", {{"fetch.sitemaps", sitemaps}}));
    const std::optional<UrlRow> sitemap = crawl.Find<UrlRow>("com,a,www)/map.xml");
    ASSERT_EQ(sitemap.has_value(), std::string(sitemaps) == "true");
    if (sitemap) {
      EXPECT_EQ(sitemap->kind, UrlKind::kSitemap);
      EXPECT_EQ(sitemap->depth, 0);
      EXPECT_EQ(sitemap->via, "com,a)/robots.txt");
    }
    EXPECT_FALSE(crawl.Find<UrlRow>("org,elsewhere)/map.xml"));
    EXPECT_EQ(crawl.Find<RobotsRow>("com,a)")->text, text);
  }
}

TEST(Updatedb, DeferredPagesWaitAsOftenAsTheirRobotsFailed) {
  SegmentFixture crawl;
  const UrlRow https = Seed("com,a)/x"), http = Seed("com,a)http:8080/x");
  ASSERT_OK(crawl.Put<UrlRow>({https, http}));
  RobotsRow known = Robots("com,a)http:8080", "Disallow:");
  known.fetched_ms = known.text_ms = kFetchedAt - 100 * kHourMs;
  ASSERT_OK(crawl.Put<RobotsRow>({known}));
  ASSERT_OK(crawl.Open("s1"));
  RobotsRow failed = Robots("com,a)http:8080", "");
  failed.outcome = Outcome::kServerError;
  failed.failures = 4;
  failed.text_ms = 0;
  RobotsRow older = failed;
  older.fetched_ms -= 1;
  older.failures = 3;
  ASSERT_OK(crawl.Finish("s1", {.fetch = {FetchOf(https, Outcome::kRobotsDeferred, 0, kFetchedAt),
                                          FetchOf(http, Outcome::kRobotsDeferred, 0, kFetchedAt)},
                                .robots = {failed, older}}));
  ASSERT_OK(crawl.Apply("s1"));
  EXPECT_EQ(crawl.Find<UrlRow>(https.key)->due_ms, kFetchedAt + kHourMs);
  EXPECT_EQ(crawl.Find<UrlRow>(http.key)->due_ms, kFetchedAt + 8 * kHourMs);
  EXPECT_EQ(crawl.Find<RobotsRow>("com,a)http:8080")->failures, 4);
  EXPECT_EQ(crawl.Find<RobotsRow>("com,a)http:8080")->text, "Disallow:");
}

// -- hosts ------------------------------------------------------------------------------------------------------------

TEST(Updatedb, HostIsAsItsLastObservationSaysAndItsOperator) {
  SegmentFixture crawl;
  HostRow listed;
  listed.key = "com,a";
  listed.discovered = 7;
  ASSERT_OK(crawl.Put<HostRow>({listed}));
  ASSERT_OK(crawl.Open("s1"));
  HostRow steered = listed;  // while the segment was under way
  steered.operator_delay_ms = 3000;
  ASSERT_OK(crawl.Put<HostRow>({steered}));
  HostRow early = listed, late = listed;
  early.answered_ms = kFetchedAt - 1000;
  early.delay_ms = 1;
  late.answered_ms = kFetchedAt;
  late.delay_ms = 2;
  late.fetched = 5;
  ASSERT_OK(crawl.Finish("s1", {.links = {LinkOf("com,a)/", "com,a)/new", 1)}, .hosts = {late, early}}));
  ASSERT_OK(crawl.Apply("s1"));
  const HostRow row = *crawl.Find<HostRow>("com,a");
  EXPECT_EQ(row.delay_ms, 2);
  EXPECT_EQ(row.fetched, 5);
  EXPECT_EQ(row.operator_delay_ms, 3000);
  EXPECT_EQ(row.discovered, 8);
  EXPECT_EQ(row.linking_hosts, 0);  // its own links are not another's
}

TEST(Updatedb, NewLinksOfASuspectedTrapHaveTheLowestScore) {
  SegmentFixture crawl;
  HostRow trap, known;
  trap.key = "com,a";
  trap.fetched = 100;
  trap.discovered = 60'000;
  known.key = "com,b";
  ASSERT_OK(crawl.Put<HostRow>({trap, known}));
  RankRow rank;
  rank.key = "com,b";
  rank.authority = kScoreOne;
  ASSERT_OK(crawl.Put<RankRow>({rank}));
  ASSERT_OK(crawl.Open("s1"));
  ASSERT_OK(crawl.Finish("s1", {.links = {LinkOf("com,x)/", "com,a)/new", 1), LinkOf("com,x)/", "com,b)/new", 1)}}));
  ASSERT_OK_AND_ASSIGN(const JobResult result, crawl.Apply("s1"));
  EXPECT_EQ(result.output.counters.Get("hosts_suspected"), 1);
  EXPECT_TRUE(crawl.Find<HostRow>("com,a")->suspected_trap);
  EXPECT_EQ(crawl.Find<UrlRow>("com,a)/new")->score, 0);
  EXPECT_EQ(crawl.Find<UrlRow>("com,b)/new")->score, 700'000);
}

TEST(Updatedb, ASuspectedTrapAddsAThousandUrlsADay) {
  SegmentFixture crawl;
  HostRow trap;
  trap.key = "com,a";
  trap.suspected_trap = true;
  trap.fetched = 100;
  trap.discovered = 60'000;
  trap.discovered_day_ms = DayOf(crawl.now_ms);
  trap.discovered_today = 998;
  ASSERT_OK(crawl.Put<HostRow>({trap}));
  const auto apply = [&crawl](const std::string& segment, const std::string& path) {
    std::vector<LinkRow> links;
    for (int i = 1; i <= 5; ++i) {
      links.push_back(LinkOf("com,a)/", "com,a)" + path + std::to_string(i), 1));
      links.push_back(LinkOf("com,b)/", "com,a)" + path + std::to_string(i), 1));
      links.push_back(LinkOf("com,a)/", "com,b)" + path + std::to_string(i), 1));
    }
    EXPECT_OK(crawl.Open(segment));
    EXPECT_OK(crawl.Finish(segment, {.links = links}));
    const auto result = crawl.Apply(segment, {}, 3);
    EXPECT_OK(result);
    return result->output.counters;
  };
  Counters counters = apply("s1", "/x");
  EXPECT_EQ(counters.Get("urls_new"), 2 + 5) << "another host is not limited";
  EXPECT_EQ(counters.Get("links_trap"), 2 * 3);
  EXPECT_TRUE(crawl.Find<UrlRow>("com,a)/x2"));
  EXPECT_FALSE(crawl.Find<UrlRow>("com,a)/x3"));
  EXPECT_EQ(crawl.Find<HostRow>("com,a")->discovered_today, 1000);
  counters = apply("s2", "/y");
  EXPECT_EQ(counters.Get("urls_new"), 5) << "the same day";
  crawl.now_ms += kDayMs;
  counters = apply("s3", "/x");
  EXPECT_EQ(counters.Get("urls_new"), 3) << "the next day the rest of the links enters";
  EXPECT_EQ(crawl.Find<HostRow>("com,a")->discovered_today, 3);
  EXPECT_EQ(crawl.Find<HostRow>("com,a")->discovered, 60'005);
}

TEST(Updatedb, TheAnswerToAPathThatCannotExistIsNewsOfItsHostAlone) {
  SegmentFixture crawl;
  struct Case {
    std::string segment;
    Outcome outcome;
    int32_t status;
    bool is_answer, has_page;
  };
  const std::vector<Case> cases = {
      {"s1", Outcome::kNotReached, 0, false, false}, {"s2", Outcome::kThrottled, 429, false, false},
      {"s3", Outcome::kFetched, 200, true, true},    {"s4", Outcome::kRobotsDenied, 0, true, false},
      {"s5", Outcome::kFetched, 203, true, false},   {"s6", Outcome::kRedirect, 302, true, false}};
  int64_t at_ms = kFetchedAt, asked_ms = 0;
  for (const Case& one : cases) {
    ++at_ms;
    UrlRow row = UnfetchedRow("com,a)/0123");
    row.kind = UrlKind::kProbe;
    FetchRow fetch = FetchOf(row, one.outcome, one.status, at_ms);
    fetch.kind = UrlKind::kProbe;
    ParseRow parse;
    parse.key = row.key;
    parse.fetched_ms = at_ms;
    parse.content_digest = "digest";
    parse.has_simhash = true;
    parse.simhash = 77;
    std::vector<ParseRow> parsed;
    if (one.outcome == Outcome::kFetched) parsed.push_back(parse);
    ASSERT_OK(crawl.Open(one.segment));
    ASSERT_OK(crawl.Finish(one.segment, {.fetch = {fetch}, .parse = parsed}));
    ASSERT_OK_AND_ASSIGN(const JobResult result, crawl.Apply(one.segment));
    EXPECT_EQ(result.output.counters.Get("probes"), 1);
    EXPECT_EQ(result.output.counters.Get("urls"), 0);
    EXPECT_EQ(result.output.counters.Get("fetched"), 0);
    EXPECT_FALSE(crawl.Find<UrlRow>("com,a)/0123"));
    if (one.is_answer) asked_ms = at_ms;
    const auto host = crawl.Find<HostRow>("com,a");
    EXPECT_EQ(host ? host->probe_ms : 0, asked_ms) << one.segment;
    EXPECT_EQ(host ? host->error_digest : "", one.has_page ? "digest" : "") << one.segment;
    EXPECT_EQ(host ? host->error_simhash : 0, one.has_page ? 77 : 0) << one.segment;
  }
}

// -- refresh ----------------------------------------------------------------------------------------------------------

TEST(Updatedb, RefreshClassesAndWindows) {
  SegmentFixture crawl;
  const std::string rules = crawl.root() + "/refresh.txt";
  std::ofstream(rules) << "news 1d +/news/\n";
  UrlRow news = UnfetchedRow("com,a)/news/1"), late = UnfetchedRow("com,a)/late");
  for (UrlRow* row : {&news, &late}) {
    row->state = UrlState::kFetched;
    row->fetches = 1;
    row->fetched_ms = kFetchedAt - 100 * 24 * kHourMs;
    row->interval_ms = 24 * kHourMs;
    row->body_digest = "digest-0";
  }
  news.due_ms = kFetchedAt - kHourMs;
  late.due_ms = kFetchedAt - 25 * kHourMs;
  ASSERT_OK(crawl.Put<UrlRow>({news, late}));
  ASSERT_OK(crawl.Open("s1"));
  ASSERT_OK(crawl.Finish("s1", {.fetch = {PageOf(news, "digest-0"), PageOf(late, "digest-0")}}));
  EXPECT_EQ(KindOf(crawl.Apply("s1", {{"refresh.rules", rules + ".not"}}).status()), StatusKind::kUsage);
  ASSERT_OK_AND_ASSIGN(const JobResult result,
                       crawl.Apply("s1", {{"refresh.rules", rules}, {"refresh.start_interval", "10d"}}));
  EXPECT_EQ(result.output.counters.Get("unchanged"), 2);
  EXPECT_EQ(result.output.counters.Get("refreshed"), 2);
  EXPECT_EQ(result.output.counters.Get("within_window"), 1);
  const Json& classes = result.details["classes"];
  EXPECT_EQ(classes.size(), 2u) << DumpJson(classes);
  EXPECT_EQ(classes["news"]["refreshed"], 1);
  EXPECT_EQ(classes["news"]["within_window"], 1);
  EXPECT_EQ(classes["news"]["longest_ms"], kDayMs);
  EXPECT_EQ(classes["default"]["refreshed"], 1);
  EXPECT_EQ(classes["default"]["within_window"], 0);
  EXPECT_EQ(classes["default"]["longest_ms"], 30 * kDayMs);
  EXPECT_NEAR(classes["news"]["age_ms"]["p50"].get<double>(), 100.0 * kDayMs, 5.0 * kDayMs);
  EXPECT_EQ(crawl.Find<UrlRow>(news.key)->due_ms, kFetchedAt + 24 * kHourMs);
}

}  // namespace
}  // namespace trawl
