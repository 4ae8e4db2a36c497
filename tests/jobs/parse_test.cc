// What the parse job holds in memory: a page at a time, whatever sizes pages have.
#include "jobs/parse.h"

#include <gtest/gtest.h>

#include "jobs/fetch_options.h"
#include "jobs/scope.h"
#include "runtime/layout.h"
#include "runtime/local_runner.h"
#include "tests/support/assert_ok.h"
#include "tests/support/own_memory.h"
#include "tests/support/segment_fixture.h"

namespace trawl {
namespace {

constexpr int kBodies = 40;
constexpr size_t kBodyBytes = 8 << 20;

// One after the other: the test itself never has them all.
arrow::Status PutBodies(SegmentFixture& crawl, const std::string& segment) {
  StepRecord fetch = {.segment = segment, .step = kFetchStep, .job = "fetch-1", .tasks = {StepTask()}};
  RunWriter<ContentRow> writer(crawl.store(), DatasetFolder(segment, ContentRow::kTable), "m0-0", {.sorted = false});
  ContentRow row;
  row.body = std::string(kBodyBytes, 'x');
  row.kept_codings = "odd";  // so that there is nothing to do but to read it
  for (int i = 0; i < kBodies; ++i) {
    row.key = "com,example)/" + std::to_string(i);
    row.url = "https://example.com/" + std::to_string(i);
    ARROW_RETURN_NOT_OK(writer.Append(row));
  }
  fetch.schemas[ContentRow::kTable] = ContentRow::kVersion;
  ARROW_ASSIGN_OR_RAISE(fetch.tasks[0].files[ContentRow::kTable], writer.Finish());
  return crawl.CreateRecord(fetch);
}

TEST(Parse, LargeBodiesAreInMemoryOneByOne) {
  SegmentFixture crawl;
  ASSERT_OK(crawl.Open("s1"));
  ASSERT_OK(PutBodies(crawl, "s1"));
  LocalRunner runner({.threads = 1, .temp_folder = crawl.root()});
  JobEnvironment environment;
  environment.store = crawl.store();
  environment.runner = &runner;
  environment.clock = &SystemClock();
  environment.now_ms = crawl.now_ms;
  environment.version = "test";
  environment.options = ParseOptionGroup().Print({});
  environment.options.merge(ScopeOptionGroup().Print({}));
  environment.options.merge(FetchOptionGroup().Print({}));
  StartPeak();
  const int64_t before = ResidentBytes();
  ASSERT_OK_AND_ASSIGN(const JobResult result, RunJob(environment, ParseRequest(crawl.store(), "s1")));
  EXPECT_EQ(result.output.counters.Get("pages"), kBodies);
  EXPECT_EQ(result.output.counters.Get("failed"), kBodies);
  if (kMemoryIsMeasured) {
    EXPECT_LT(PeakResidentBytes() - before, int64_t{12 * kBodyBytes});
  }
}

}  // namespace
}  // namespace trawl
