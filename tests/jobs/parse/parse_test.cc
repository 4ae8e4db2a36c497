// What the parse job holds in memory: a page at a time, whatever sizes pages have.
#include "jobs/parse/parse.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>
#include <string>

#include "formats/rows/parse_row.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/policy/scope.h"
#include "jobs/policy/settle_options.h"
#include "jobs/policy/sitemap_options.h"
#include "runtime/job/local_runner.h"
#include "runtime/process/free_memory.h"
#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/process/own_memory.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

constexpr int kBodies = 40;
constexpr size_t kBodyBytes = 8 << 20;

// The same body, as `change` changes it, in this many files, one after the other: the test itself never has them all.
arrow::Status PutBodies(
    SegmentFixture& crawl, ContentRow row, int files, int bodies_a_file,
    const std::function<void(ContentRow*)>& change = [](ContentRow*) {}) {
  StepRecord fetch = {.segment = "s1", .step = kFetchStep, .job = "fetch-1", .tasks = {}};
  fetch.schemas[ContentRow::kTable] = ContentRow::kVersion;
  for (int file = 0; file < files; ++file) {
    const std::string prefix = "m" + std::to_string(file) + "-0";
    RunWriter<ContentRow> writer(crawl.store(), DatasetFolder("s1", ContentRow::kTable), prefix,
                                 {.sorted = false, .orc = {.stripe_bytes = 1 << 20}});
    for (int i = 0; i < bodies_a_file; ++i) {
      const std::string name = prefix + "-" + std::to_string(i);
      row.key = "com,example)/" + name;
      row.url = "https://example.com/" + name;
      change(&row);
      ARROW_RETURN_NOT_OK(writer.Append(row));
    }
    ARROW_ASSIGN_OR_RAISE(fetch.tasks.emplace_back().files[ContentRow::kTable], writer.Finish());
  }
  return crawl.CreateRecord(fetch);
}

arrow::Result<JobResult> ParseOn(SegmentFixture& crawl, int threads) {
  LocalRunner runner({.threads = threads, .temp_folder = crawl.root()});
  JobEnvironment environment;
  environment.store = crawl.store();
  environment.runner = &runner;
  environment.clock = &SystemClock();
  environment.now_ms = crawl.now_ms;
  environment.version = "test";
  environment.options = ParseOptionGroup().Print({});
  environment.options.merge(ScopeOptionGroup().Print({}));
  environment.options.merge(SitemapOptionGroup().Print({}));
  environment.options.merge(SettleOptionGroup().Print({}));
  environment.options.merge(FetchOptionGroup().Print({}));
  return RunJob(environment, ParseRequest(crawl.store(), "s1"));
}

TEST(Parse, LargeBodiesAreInMemoryOneByOne) {
  SegmentFixture crawl;
  ASSERT_OK(crawl.Open("s1"));
  // So that there is nothing to do but to read them.
  ASSERT_OK(PutBodies(crawl, {.body = std::string(kBodyBytes, 'x'), .kept_codings = "odd"}, 1, kBodies));
  StartPeak();
  const int64_t before = ResidentBytes();
  ASSERT_OK_AND_ASSIGN(const JobResult result, ParseOn(crawl, 1));
  EXPECT_EQ(result.output.counters.Get("pages"), kBodies);
  EXPECT_EQ(result.output.counters.Get("failed"), kBodies);
  if (kMemoryIsMeasured) {
    EXPECT_LT(PeakResidentBytes() - before, int64_t{12 * kBodyBytes});
  }
}

// One host's pages come from one task of fetch and mostly stand in one file. Every thread gets a share of it, and the
// shares meet without a gap.
TEST(Parse, OneFileIsReadByManyTasks) {
  constexpr int kPages = 300;
  SegmentFixture crawl;
  ASSERT_OK(crawl.Open("s1"));
  std::mt19937 random(1);
  std::string noise;
  while (noise.size() < 20'000) noise += static_cast<char>('a' + random() % 26);
  // Bodies that share nothing, so that they take their place.
  const auto change = [&](ContentRow* row) {
    for (char& c : row->body) c = static_cast<char>('a' + random() % 26);
  };
  ASSERT_OK(PutBodies(crawl, {.content_type = "text/plain", .body = noise}, 1, kPages, change));
  ASSERT_OK_AND_ASSIGN(const JobResult result, ParseOn(crawl, 2));
  EXPECT_EQ(result.output.counters.Get("pages"), kPages);
  ASSERT_OK_AND_ASSIGN(const auto record, ReadStep(crawl.store(), "s1", kParseStep));
  EXPECT_GE(record->tasks.size(), 3u);
  std::set<std::string> keys;
  for (const FileReceipt& file : record->FilesOf(ParseRow::kTable)) {
    ASSERT_OK(ForEachDatasetRow<ParseRow>(crawl.store(), "s1", ParseRow::kTable, file,
                                          [&](const ParseRow& row) -> arrow::Status {
                                            EXPECT_TRUE(keys.insert(row.key).second) << row.key;
                                            return arrow::Status::OK();
                                          }));
  }
  EXPECT_EQ(keys.size(), size_t{kPages});
}

// A huge page, made of one piece again and again.
struct HugePage {
  const char* name;
  std::string piece;
  const char* counter;  // of the reader that reads it
};

void PrintTo(const HugePage& page, std::ostream* out) { *out << page.name; }

class HugePages : public ::testing::TestWithParam<HugePage> {};

// A tree of each page of short paragraphs takes 96 MiB and more: 870 MiB if all eight were built at once. They are wild,
// since a guard might refuse the tree. Two scans of tame pages may go on at the same time.
TEST_P(HugePages, AreReadWithinBounds) {
  SegmentFixture crawl;
  ASSERT_OK(crawl.Open("s1"));
  std::string page;
  while (page.size() < 6 << 20) page += GetParam().piece;
  ASSERT_OK(PutBodies(crawl, {.content_type = "text/html", .body = page}, 8, 1));
  KeepFreedBlocks();  // as main does
  StartPeak();
  const int64_t before = ResidentBytes();
  ASSERT_OK_AND_ASSIGN(const JobResult result, ParseOn(crawl, 8));
  EXPECT_EQ(result.output.counters.Get("pages"), 8);
  EXPECT_EQ(result.output.counters.Get("failed"), 0);
  EXPECT_EQ(result.output.counters.Get(GetParam().counter), 8);
  if (kMemoryIsMeasured) {
    EXPECT_LT(PeakResidentBytes() - before, int64_t{650} << 20);
  }
}

INSTANTIATE_TEST_SUITE_P(Parse, HugePages,
                         ::testing::Values(HugePage{"Wild", "<p>x", "read_by_tree"},
                                           HugePage{"Tame", "<p>" + std::string(2000, 'x') + " y", "read_by_scan"}),
                         [](const auto& page) { return page.param.name; });

}  // namespace
}  // namespace trawl
