// The updatedb job on segments that the tests write themselves.
#include <gtest/gtest.h>

#include "jobs/score.h"
#include "jobs/segment_choice.h"
#include "runtime/status_detail.h"
#include "tests/support/assert_ok.h"
#include "tests/support/segment_fixture.h"

namespace trawl {
namespace {

constexpr int64_t kHourMs = 3'600'000;
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
  ASSERT_OK(crawl.Finish("s1", {.fetch = {page}, .parse = {ParseOf(page)}, .links = {LinkOf("com,a)/", "com,a)/1", 1), odd, dead}}));
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
  EXPECT_EQ(link->score, ScoreOf(kLinkScore, 1, 0));
  EXPECT_EQ(link->spelling, "");
  EXPECT_EQ(crawl.Find<UrlRow>("com,a)/2")->spelling, "https://a.com/2?utm_source=x");
  EXPECT_FALSE(crawl.Find<UrlRow>("com,a)/3"));
  const std::optional<HostRow> host = crawl.Find<HostRow>("com,a");
  ASSERT_TRUE(host);
  EXPECT_EQ(host->discovered, 2);
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
  EXPECT_EQ(present.closed_segments[0].how, "applied");
  EXPECT_EQ(present.closed_segments[0].snapshot, present.number);
  ASSERT_OK_AND_ASSIGN(const JobResult second, crawl.Apply("s1"));
  EXPECT_FALSE(second.changed);
  EXPECT_EQ(crawl.Present().number, present.number);
  ASSERT_OK_AND_ASSIGN(const SegmentChoice none, ChooseSegment(crawl.store(), present, SegmentStep::kUpdatedb, ""));
  EXPECT_EQ(none.id, "");
}

TEST(Updatedb, ExpiredSegmentIsAppliedAndAbandonedOneRefused) {
  SegmentFixture crawl;
  const UrlRow seed = Seed("com,a)/");
  ASSERT_OK(crawl.Put<UrlRow>({seed}));
  for (const char* id : {"s1", "s2"}) {
    ASSERT_OK(crawl.Open(id));
    ASSERT_OK(crawl.Finish(id, {.fetch = {PageOf(seed)}}));
  }
  ASSERT_OK(crawl.Close("s1", "abandoned"));
  ASSERT_OK(crawl.Close("s2", "expired"));
  EXPECT_EQ(KindOf(crawl.Apply("s1").status()), StatusKind::kUsage);
  EXPECT_EQ(KindOf(crawl.Apply("s3").status()), StatusKind::kUsage);
  ASSERT_OK_AND_ASSIGN(const SegmentChoice next, ChooseSegment(crawl.store(), crawl.Present(), SegmentStep::kUpdatedb, ""));
  EXPECT_EQ(next.id, "s2");
  ASSERT_OK_AND_ASSIGN(const JobResult result, crawl.Apply("s2"));
  EXPECT_TRUE(result.changed);
  EXPECT_EQ(crawl.Present().closed_segments.back().id, "s2");
  EXPECT_EQ(crawl.Present().closed_segments.back().how, "applied");
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

}  // namespace
}  // namespace trawl
