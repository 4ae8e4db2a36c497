// trawl compact --bodies: what becomes of rows, of bodies that pages share, and of changes that come in between.
#include "jobs/upkeep/move_bodies.h"

#include <gtest/gtest.h>

#include "formats/rows/content_row.h"
#include "formats/rows/times.h"
#include "jobs/segment/life.h"
#include "jobs/segment/pages.h"
#include "runtime/job/local_runner.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/process/manual_clock.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

constexpr int64_t kFetchedMs = 1'767'225'600'000;

class MoveBodiesTest : public ::testing::Test {
 protected:
  // Nine bodies and their parse rows in one file, and rows that an older version wrote: without the place of parse rows.
  void SetUp() override {
    SegmentRows rows;
    for (int i = 0; i < 9; ++i) {
      const UrlRow url = UnfetchedRow("com,a)/" + std::to_string(i));
      FetchRow& fetch = rows.fetch.emplace_back(FetchOf(url, Outcome::kFetched, 200, kFetchedMs));
      fetch.body_digest = "digest-" + std::to_string(i);
      fetch.bytes = 4;
      fetch.content_file = "m0-0-0.orc";
      fetch.content_row = i;
      ContentRow& content = rows.content.emplace_back();
      content.key = url.key;
      content.body = "body";
      content.body_digest = fetch.body_digest;
      ParseRow& parsed = rows.parse.emplace_back();
      parsed.key = url.key;
      parsed.title = "title " + std::to_string(i);
    }
    ASSERT_OK(crawl_.Open("s1"));
    ASSERT_OK(crawl_.Finish("s1", rows));
    ASSERT_OK(crawl_.Apply("s1"));
    std::vector<UrlRow> urls;
    for (int i = 0; i < 9; ++i) {
      UrlRow& url = urls.emplace_back(UnfetchedRow("com,a)/" + std::to_string(i)));
      url.state = UrlState::kFetched;
      if (i >= 3) continue;  // without a body
      url.body_segment = "s1";
      url.body_file = "m0-0-0.orc";
      url.body_row = i;
      url.body_digest = "digest-" + std::to_string(i);
    }
    // It shares the body of 1, and has been read by itself.
    UrlRow& sharing = urls[5];
    sharing.body_segment = sharing.parse_segment = "s1";
    sharing.body_file = sharing.parse_file = "m0-0-0.orc";
    sharing.body_row = 1;
    sharing.parse_row = 5;
    sharing.shares_body = true;
    ASSERT_OK(crawl_.Put<UrlRow>(urls));
  }

  arrow::Result<BodiesMoved> Move(const std::function<void()>& before_second = {}) {
    LocalRunner runner({.threads = 1, .memory_bytes = 64 << 20, .attempts = 1});
    const ManualClock clock(kFetchedMs + kDayMs);
    const JobEnvironment environment = {.store = crawl_.store(),
                                        .runner = &runner,
                                        .clock = &clock,
                                        .now_ms = kFetchedMs + kDayMs,
                                        .options = JobOptionGroup().Print({})};
    int jobs = 0;
    return MoveBodies(kFetchedMs + kDayMs, [&](const JobRequest& request) {
      if (++jobs == 2 && before_second) before_second();
      return RunJob(environment, request);
    });
  }

  UrlRow Find(int page) { return *crawl_.Find<UrlRow>("com,a)/" + std::to_string(page)); }

  SegmentFixture crawl_;
};

TEST_F(MoveBodiesTest, RowsFindTheirBodiesAndWhatParseWrote) {
  ASSERT_OK_AND_ASSIGN(const BodiesMoved moved, Move());
  const std::string store = moved.moved.segment;
  EXPECT_EQ(moved.copied.output.counters.Get("bodies"), 3);
  EXPECT_EQ(moved.placed.output.counters.Get("pages_moved"), 4);
  ASSERT_TRUE(FindSegment(crawl_.Present(), store).value_or(Segment()).is_store);
  NewestPages pages(crawl_.store());
  for (const int page : {0, 1, 2, 5}) {
    const UrlRow row = Find(page);
    EXPECT_EQ(row.body_segment, store) << page;
    ParseRow parsed;
    ASSERT_OK_AND_ASSIGN(const bool was_parsed, pages.Find(row, &parsed));
    EXPECT_TRUE(was_parsed) << page;
    EXPECT_EQ(parsed.title, "title " + std::to_string(page));
  }
  EXPECT_EQ(Find(5).body_row, Find(1).body_row);
  EXPECT_TRUE(Find(5).shares_body);
  EXPECT_EQ(Find(7).body_segment, "");
  ASSERT_OK_AND_ASSIGN(const BodiesMoved again, Move());
  EXPECT_EQ(again.moved.segment, "");
}

TEST_F(MoveBodiesTest, ARowThatCameToPointThereMeanwhileKeepsItsBody) {
  const auto point = [this] {
    UrlRow late = Find(7);
    late.body_segment = late.parse_segment = "s1";
    late.body_file = late.parse_file = "m0-0-0.orc";
    late.body_row = late.parse_row = 7;
    UrlRow gone = Find(2);
    gone.body_segment = gone.body_file = "";
    ASSERT_OK(crawl_.Put<UrlRow>({late, gone}));
  };
  ASSERT_OK_AND_ASSIGN(const BodiesMoved moved, Move(point));
  EXPECT_EQ(moved.placed.output.counters.Get("pages_moved"), 4);
  EXPECT_EQ(Find(7).body_segment, moved.moved.segment);
  EXPECT_EQ(Find(2).body_segment, "");
}

}  // namespace
}  // namespace trawl
