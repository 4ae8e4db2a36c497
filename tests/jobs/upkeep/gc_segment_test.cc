// gc within segments: what no record names, and bodies that are old.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "arrow/io/interfaces.h"
#include "formats/rows/times.h"
#include "runtime/root/layout.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {
// Long after every file was written: nothing is too young.
constexpr char kLater[] = "2099-01-01T00:00:00Z";
// Bodies are dated by their rows, not by their files.
constexpr int64_t kFetchedMs = 1'767'225'600'000;

class GcSegmentTest : public ::testing::Test {
 protected:
  Json Gc(std::vector<std::string> more = {}, const std::string& now = kLater) {
    std::vector<std::string> all = {"gc", "--root", crawl_.root(), "--json", "--now", now, "--keep_time", "0"};
    all.insert(all.end(), more.begin(), more.end());
    return AnswerOf(Trawl(all));
  }

  void Litter(const std::string& dataset, const std::string& name = "dead-m0-1-0.orc") {
    const auto writer = *crawl_.store()->OpenWriter(DatasetFilePath("s1", dataset, name));
    ASSERT_OK(writer->stream()->Write("dead", 4));
    ASSERT_OK(writer->Commit());
  }

  bool IsThere(const std::string& path) { return *crawl_.store()->Exists(path); }
  bool IsThere(const std::string& dataset, const std::string& name) {
    return IsThere(DatasetFilePath("s1", dataset, name));
  }

  // A body of a segment that is applied.
  void ApplyBody() {
    const UrlRow url = UnfetchedRow("com,a)/");
    ASSERT_OK(crawl_.Put<UrlRow>({url}));
    ASSERT_OK(crawl_.Open("s1"));
    FetchRow page = FetchOf(url, Outcome::kFetched, 200, kFetchedMs);
    page.body_digest = "digest";
    page.content_file = "m0-0-0.orc";
    ContentRow content;
    content.key = url.key;
    content.fetched_ms = kFetchedMs;
    content.body = "body";
    ASSERT_OK(crawl_.Finish("s1", {.fetch = {page}, .content = {content}}));
    ASSERT_OK(crawl_.Apply("s1"));
  }

  SegmentFixture crawl_;
};

TEST_F(GcSegmentTest, FilesOfAStepThatIsDoneGoWhereNoRecordNamesThem) {
  ASSERT_OK(crawl_.Open("s1"));
  for (const char* dataset : {"fetchlist", "held", "chosen_hosts", "candidates", "fetch", "content", "parse", "links"})
    Litter(dataset);
  ASSERT_OK(crawl_.store()->CreateExclusive(AttemptPath("s1", 0, 0), "x").status());
  Gc();
  // generate is done as soon as the segment is open; fetch and parse are not.
  for (const char* dataset : {"fetchlist", "held", "chosen_hosts", "candidates"})
    EXPECT_FALSE(IsThere(dataset, "dead-m0-1-0.orc")) << dataset;
  for (const char* dataset : {"fetch", "content", "parse", "links"})
    EXPECT_TRUE(IsThere(dataset, "dead-m0-1-0.orc")) << dataset;
  EXPECT_TRUE(IsThere(AttemptPath("s1", 0, 0)));
  const OpenSegment open = crawl_.Present().open_segments.front();
  EXPECT_TRUE(IsThere(ListsRecordPath("s1", open.job)));

  FetchRow row = FetchOf(UnfetchedRow("com,a)/"), Outcome::kGone, 410, kFetchedMs);
  ASSERT_OK(crawl_.Finish("s1", {.fetch = {row}}));
  Gc();
  for (const char* dataset : {"fetch", "content", "parse", "links"})
    EXPECT_FALSE(IsThere(dataset, "dead-m0-1-0.orc")) << dataset;
  EXPECT_TRUE(IsThere("fetch", "m0-0-0.orc"));
  EXPECT_TRUE(IsThere(DatasetRecordPath("s1", "fetch")));
  EXPECT_TRUE(IsThere(DatasetRecordPath("s1", "parse")));
  EXPECT_FALSE(IsThere(AttemptPath("s1", 0, 0)));
  EXPECT_EQ(Gc()["files"], 0);
}

// The hosts and robots of its lists and of its fetch are in the tables, and each URL of the list has an outcome.
TEST_F(GcSegmentTest, OfAnAppliedSegmentOnlyWhatSomebodyReadsStays) {
  const UrlRow url = UnfetchedRow("com,a)/"), missed = UnfetchedRow("com,a)/missed");
  ASSERT_OK(crawl_.Put<UrlRow>({url, missed}));
  ASSERT_OK(crawl_.Generate("s1", crawl_.now_ms));
  const FetchRow page = FetchOf(url, Outcome::kGone, 410, kFetchedMs);
  HostRow host;
  host.key = "com,a";
  host.answered_ms = kFetchedMs;
  ASSERT_OK(crawl_.Finish("s1", {.fetch = {page}, .hosts = {host}}));
  ASSERT_OK(crawl_.Apply("s1"));
  const auto files = [this](const char* dataset) {
    return crawl_.store()->List(DatasetFolder("s1", dataset), false)->size();
  };
  Gc();
  EXPECT_EQ(files("fetchlist_hosts"), 1u) << "a kept snapshot has it open";
  for (int i = 0; i < 3; ++i) ASSERT_OK(crawl_.Put<UrlRow>({UnfetchedRow("com,b)/" + std::to_string(i))}));
  Gc();
  for (const char* dataset : {"fetchlist_hosts", "hosts", "held"}) EXPECT_EQ(files(dataset), 0u) << dataset;
  EXPECT_EQ(files("fetch"), 2u) << "its rows and its record";
  const Json history =
      AnswerOf(Trawl({"readdb", "get", "--explain", "--json", "--root", crawl_.root(), "https://a.com/"}));
  EXPECT_NE(DumpJson(history).find("segment s1"), std::string::npos) << history;
  AnswerOf(Trawl({"readseg", "dump", "s1", "--root", crawl_.root(), "--json"}));
}

TEST_F(GcSegmentTest, AbandonedSegmentGoes) {
  ASSERT_OK(crawl_.Open("s1"));
  ASSERT_OK(crawl_.Finish("s1", {}));
  ASSERT_OK(crawl_.Close("s1", SegmentEnd::kAbandoned));
  Gc();
  EXPECT_TRUE(IsThere(DatasetRecordPath("s1", "fetch"))) << "a kept snapshot has it open";
  for (int i = 0; i < 3; ++i) ASSERT_OK(crawl_.Put<UrlRow>({UnfetchedRow("com,a)/" + std::to_string(i))}));
  Gc();
  EXPECT_FALSE(IsThere(DatasetRecordPath("s1", "fetch")));
}

TEST_F(GcSegmentTest, OldBodiesGoAndWhatElseIsKnownStays) {
  ApplyBody();
  const auto now = [](int64_t days) { return std::to_string(kFetchedMs + days * kDayMs); };
  const std::vector<std::string> old = {"--bodies_older_than", "30d"};
  EXPECT_EQ(Gc({}, now(60))["body_files"], 0);
  EXPECT_EQ(Gc(old, now(29))["body_files"], 0);
  EXPECT_EQ(Gc({"--bodies_older_than", "30d", "--keep_latest_body"}, now(60))["body_files"], 0) << "a row points to it";
  EXPECT_EQ(Gc({"--bodies_older_than", "30d", "--dry_run"}, now(60))["body_files"], 1);
  EXPECT_TRUE(IsThere("content", "m0-0-0.orc"));
  EXPECT_EQ(Gc(old, now(60))["body_files"], 1);
  EXPECT_FALSE(IsThere("content", "m0-0-0.orc"));
  EXPECT_TRUE(IsThere("fetch", "m0-0-0.orc"));
  EXPECT_EQ(Gc(old, now(60))["body_files"], 0);
  // Looking into the segment still works.
  const Json line =
      AnswerOf(Trawl({"readseg", "dump", "s1", "--root", crawl_.root(), "--json", "--body", crawl_.root() + "/out"}));
  EXPECT_EQ(line["url"], "https://a.com/");
  EXPECT_TRUE(line["body_file"].is_null());
}

TEST_F(GcSegmentTest, BodyThatNoRowPointsToIsNotTheLatest) {
  ApplyBody();
  UrlRow newer = *crawl_.Find<UrlRow>("com,a)/");
  newer.body_segment = "s2";
  ASSERT_OK(crawl_.Put<UrlRow>({newer}));
  EXPECT_EQ(
      Gc({"--bodies_older_than", "30d", "--keep_latest_body"}, std::to_string(kFetchedMs + 60 * kDayMs))["body_files"],
      1);
}

}  // namespace
}  // namespace trawl
