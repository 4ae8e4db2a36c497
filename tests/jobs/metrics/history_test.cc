// The sums that documents of rounds carry on, the history for a backfill, and counts on a thread.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "formats/documents/sealed_json.h"
#include "jobs/metrics/counts.h"
#include "jobs/metrics/metrics.h"
#include "jobs/stats/round.h"
#include "runtime/root/layout.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/process/manual_clock.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using testing::HasSubstr;
using testing::Not;

class History : public ::testing::Test {
 protected:
  History() : store_(OpenStore(folder_.path(), {.sync = false}).ValueOrDie()) {}

  void AddRound(const std::string& applied, const Json& more, int64_t pages) {
    const std::string job = "job-" + std::to_string(manifest_.closed_segments.size());
    Json round = {{"kind", "round"},
                  {"applied", applied},
                  {"snapshot", manifest_.closed_segments.size() + 1},
                  {"fetch",
                   {{"pages", pages},
                    {"outcomes", {{"fetched", pages}}},
                    {"statuses", {{"200", pages}}},
                    {"duplicate_rate", 0.5}}},
                  {"counters", {{"fetch", {{"answers_in.100", pages}, {"answers_ms", pages * 80}}}}}};
    if (more.is_object()) round.update(more);
    const std::string seal = StoreRound(store_.get(), job, round).ValueOrDie();
    manifest_.closed_segments.push_back(
        {.id = "s" + job, .end = SegmentEnd::kApplied, .lists = "x", .updatedb = job, .round = seal});
  }

  TemporaryFolder folder_;
  std::unique_ptr<Store> store_;
  Manifest manifest_;
};

TEST_F(History, SumsBeginWithTheDocumentsOfOlderVersions) {
  AddRound("2026-03-01T10:00:00Z", {}, 10);
  AddRound("2026-03-01T11:00:00Z", {}, 6);
  ASSERT_OK_AND_ASSIGN(const EverSums ever, ReadEver(store_.get(), manifest_));
  EXPECT_EQ(ever.rounds, 2);
  EXPECT_EQ(ever.outcomes.at("fetched"), 16);
  EXPECT_EQ(ever.codes.at("2xx"), 16);
  EXPECT_EQ(ever.duplicates, 8);
  EXPECT_EQ(ever.answers.answers(), 16);
  EXPECT_EQ(ever.answers.sum_ms, 1'280);
}

TEST_F(History, SumsAreCarriedOn) {
  AddRound("2026-03-01T10:00:00Z", {}, 999);  // never read: the next one has the sums
  EverSums before = {.rounds = 7, .duplicates = 1, .outcomes = {{"fetched", 70}}, .codes = {{"2xx", 60}}};
  before.answers.counts[0] = 5;
  AddRound("2026-03-01T11:00:00Z", {{"ever", ToJson(before)}}, 6);
  AddRound("2026-03-01T12:00:00Z", {}, 6);
  ASSERT_OK_AND_ASSIGN(const EverSums ever, ReadEver(store_.get(), manifest_));
  EXPECT_EQ(ever.rounds, 8);
  EXPECT_EQ(ever.outcomes.at("fetched"), 76);
  EXPECT_EQ(ever.answers.counts[0], 5);
  EXPECT_EQ(ever.answers.counts[1], 6);
}

TEST_F(History, EachRoundIsASampleWithItsTime) {
  EverSums ever = {.rounds = 1, .outcomes = {{"fetched", 10}}};
  AddRound("2026-03-01T10:00:00Z", {{"ever", ToJson(ever)}}, 10);
  AddRound("2026-03-01T09:00:00Z", {}, 3);  // --now went back: a series cannot
  ever.outcomes["fetched"] = 16;
  AddRound("2026-03-01T11:00:00.500Z", {{"ever", ToJson(ever)}}, 6);
  ASSERT_OK_AND_ASSIGN(const std::string text, MetricsHistory(store_.get(), manifest_, "shop", 0, {}));
  EXPECT_THAT(text, HasSubstr("# TYPE trawl_round_pages gauge\n"
                              "trawl_round_pages{crawl=\"shop\"} 10 1772359200.000\n"
                              "trawl_round_pages{crawl=\"shop\"} 6 1772362800.500\n"));
  EXPECT_THAT(text, HasSubstr("trawl_fetch_requests_total{crawl=\"shop\",outcome=\"fetched\"} 10 1772359200.000\n"
                              "trawl_fetch_requests_total{crawl=\"shop\",outcome=\"fetched\"} 16 1772362800.500\n"));
  EXPECT_THAT(text, Not(HasSubstr("build_info")));
  EXPECT_TRUE(text.ends_with("# EOF\n"));
  ASSERT_OK_AND_ASSIGN(const std::string last, MetricsHistory(store_.get(), manifest_, "shop", 1, {}));
  EXPECT_THAT(last, Not(HasSubstr("1772359200")));
}

TEST(Counts, AThreadCountsEachSnapshotOnce) {
  SegmentFixture crawl;
  ASSERT_OK(crawl.Put<UrlRow>({{.key = "com,example)/a", .state = UrlState::kUnfetched, .due_ms = 1},
                               {.key = "com,example,www)/b", .state = UrlState::kFetched, .due_ms = kNever}}));
  ManualClock clock;
  CountKeeper keeper(crawl.store(), clock, 1);
  ASSERT_TRUE(keeper.Wait(crawl.Present(), 60'000));
  const auto counts = keeper.Get(crawl.Present());
  ASSERT_NE(counts, nullptr);
  EXPECT_EQ(counts->urls.due, 1);
  EXPECT_EQ(counts->urls.frontier_domains, 1);
  EXPECT_EQ(counts->snapshot, crawl.Present().number);
  ASSERT_OK(crawl.Put<UrlRow>({{.key = "org,example)/c", .state = UrlState::kUnfetched, .due_ms = 1}}));
  ASSERT_TRUE(keeper.Wait(crawl.Present(), 60'000));
  EXPECT_EQ(keeper.Get(crawl.Present())->urls.due, 2);
}

// Of a whole crawl, by the binary: the counters go on where the document of the round before ended.
TEST(MetricsOfACrawl, FileAndRoundsAgree) {
  const CrawledWeb web(LinkGraph{.hosts = 3, .pages = 5});
  const std::string file = web.root("metrics.prom");
  const Json summary = web.Crawl("a", {web.seed(), "--metrics_file", file});
  std::ifstream written(file);
  const std::string text((std::istreambuf_iterator<char>(written)), std::istreambuf_iterator<char>());
  const auto line = [&](const std::string& name, const Json& value) {
    EXPECT_THAT(text, HasSubstr("\n" + name + " " + DumpJson(value) + "\n"));
  };
  line("trawl_ready{crawl=\"a\"}", 1);
  line("trawl_fetch_pages_total{crawl=\"a\"}", summary["pages"]);
  line("trawl_fetch_bytes_total{crawl=\"a\"}", summary["bytes"]);
  line("trawl_fetch_requests_total{crawl=\"a\",outcome=\"fetched\"}", summary["outcomes"]["fetched"]);
  line("trawl_urls{crawl=\"a\",state=\"fetched\"}", summary["by_state"]["fetched"]);
  line("trawl_jobs_total{crawl=\"a\",verb=\"inject\",result=\"done\"}", 1);
  line("trawl_jobs_total{crawl=\"a\",verb=\"fetch\",result=\"done\"}", summary["rounds"]);
  EXPECT_THAT(text, HasSubstr("trawl_fetch_response_seconds_count{crawl=\"a\"} "));
  EXPECT_THAT(text, Not(HasSubstr("process_"))) << "node_exporter has metrics of these names";
  int64_t answers = 0;
  for (const auto& [status, count] : summary["statuses"].items()) answers += count.get<int64_t>();
  line("trawl_fetch_response_seconds_count{crawl=\"a\"}", answers);
}

TEST(MetricsOfACrawl, AFileInTheRootIsRefused) {
  const TemporaryFolder folder;
  const std::string root = folder.path() + "/crawl";
  const BinaryResult inside =
      Trawl({"inject", "https://a.example/", "--root", root, "--metrics_file", root + "/sub/../m.prom"});
  EXPECT_EQ(inside.exit_code, 2);
  EXPECT_THAT(inside.err, HasSubstr("lies in the root"));
  const BinaryResult nowhere =
      Trawl({"inject", "https://a.example/", "--root", root, "--metrics_file", folder.path() + "/no/m.prom"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("name a file in a folder that can be written to"));
  const BinaryResult beside =
      Trawl({"inject", "https://a.example/", "--root", root, "--metrics_file", folder.path() + "/m.prom"});
  EXPECT_EQ(beside.exit_code, 0) << beside.err;
}

}  // namespace
}  // namespace trawl
