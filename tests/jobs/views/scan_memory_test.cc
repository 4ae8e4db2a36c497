#include "jobs/views/scan_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "formats/rows/host_row.h"
#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "jobs/views/failure.h"
#include "runtime/process/status_detail.h"
#include "tests/support/crawl/segment_fixture.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

void WaitUntilWaiting(const ScanMemory& memory, size_t number) {
  while (memory.waiting() < number) std::this_thread::yield();
}

TEST(ScanMemory, WhoNeedsMoreThanIsFreeWaitsInTurn) {
  ScanMemory memory(100);
  std::optional<ScanMemory::Share> first(memory.Take(60, StopToken()).ValueOrDie());
  std::mutex mutex;
  std::vector<int> order;
  const auto take = [&](int64_t bytes, int name) {
    const auto share = memory.Take(bytes, StopToken()).ValueOrDie();
    const std::lock_guard<std::mutex> lock(mutex);
    order.push_back(name);
  };
  std::jthread large(take, 100, 1);
  WaitUntilWaiting(memory, 1);
  // There would be enough for it, but then the large one might wait for ever.
  std::jthread small(take, 10, 2);
  WaitUntilWaiting(memory, 2);
  EXPECT_TRUE(order.empty());
  first.reset();
  large.join();
  small.join();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
  EXPECT_EQ(memory.waiting(), 0);
}

TEST(ScanMemory, WhoNeedsMoreThanThereIsReadsAlone) {
  ScanMemory memory(100, /*patience_ms=*/20);
  std::optional<ScanMemory::Share> all(memory.Take(ScanMemory::kAloneTimes * 100, StopToken()).ValueOrDie());
  EXPECT_EQ(ProblemOf(memory.Take(1, StopToken()).status()).status, 503);
  all.reset();
  ASSERT_OK(memory.Take(100, StopToken()).status());
}

TEST(ScanMemory, WhoNeedsFarMoreThanThereIsIsRefused) {
  constexpr int64_t kMost = int64_t{1} << 20;
  ScanMemory memory(kMost);
  const Problem problem = ProblemOf(memory.Take(ScanMemory::kAloneTimes * kMost + 1, StopToken()).status());
  EXPECT_EQ(problem.status, 503);
  EXPECT_GT(problem.retry_after_s, 0);
  EXPECT_THAT(problem.detail, AllOf(HasSubstr("2.0 MiB"), HasSubstr("trawl compact")));
  ASSERT_OK(memory.Take(kMost, StopToken()).status());
}

TEST(ScanMemory, TheWaitHasAnEnd) {
  ScanMemory memory(100, /*patience_ms=*/20);
  std::optional<ScanMemory::Share> first(memory.Take(60, StopToken()).ValueOrDie());
  const Problem problem = ProblemOf(memory.Take(60, StopToken()).status());
  EXPECT_EQ(problem.status, 503);
  EXPECT_GT(problem.retry_after_s, 0);
  EXPECT_THAT(problem.detail, HasSubstr("send this one again"));
  EXPECT_EQ(memory.waiting(), 0);
  first.reset();
  ASSERT_OK(memory.Take(100, StopToken()).status());
}

TEST(ScanMemory, AStopEndsTheWaitAndTheNextOneGoesOn) {
  ScanMemory memory(100);
  std::optional<ScanMemory::Share> first(memory.Take(60, StopToken()).ValueOrDie());
  const auto stop = StopSource::Make().ValueOrDie();
  std::jthread stopped([&] { EXPECT_EQ(KindOf(memory.Take(100, stop.token()).status()), StatusKind::kStopped); });
  WaitUntilWaiting(memory, 1);
  stop.Stop();
  stopped.join();
  ASSERT_OK(memory.Take(40, StopToken()).status());
}

TEST(ScanMemory, AScanTakesMemoryByItsRunsAndColumns) {
  SegmentFixture crawl;
  ASSERT_OK(crawl.Put<UrlRow>({UnfetchedRow("test,host)/1")}));
  const auto table_of = [&crawl] {
    const Snapshot present = ReadPresent(crawl.store()).ValueOrDie();
    return Table::Open<UrlRow>(crawl.store(), present.manifest).ValueOrDie();
  };
  const int64_t of_one = BytesOfScan(*table_of(), {});
  EXPECT_EQ(of_one, BytesOfLookup(*table_of()));
  const auto few = Columns<UrlRow>({"key", "status"}).Flags();
  const int64_t few_of_one = BytesOfScan(*table_of(), few);
  EXPECT_GT(few_of_one, 1 << 20);
  EXPECT_LT(10 * few_of_one, of_one);
  ASSERT_OK(crawl.Put<UrlRow>({UnfetchedRow("test,host)/2")}));
  EXPECT_EQ(BytesOfScan(*table_of(), few), 2 * few_of_one);
}

TEST(ScanMemory, GroupsOfColumnsTakeNoMoreThanIsAllowed) {
  SegmentFixture crawl;
  HostRow host;
  host.key = "test,host";
  ASSERT_OK(crawl.Put<HostRow>({host}));
  const auto table = Table::Open<HostRow>(crawl.store(), crawl.Present()).ValueOrDie();
  const auto together = Columns<HostRow>({"key", "blocked", "pages"}).Flags();
  EXPECT_EQ(ColumnGroups(*table, together, BytesOfScan(*table, {})).size(), 1u);
  const int64_t most = BytesOfScan(*table, {}) / 4;
  const auto groups = ColumnGroups(*table, together, most);
  EXPECT_GT(groups.size(), 4u) << "each has the key, too";
  std::vector<int> seen(table->columns().size());
  for (const auto& group : groups) {
    EXPECT_LE(BytesOfScan(*table, group), most);
    EXPECT_TRUE(group[ColumnIndex<HostRow>("key")]);
    for (size_t i = 0; i < seen.size(); ++i) seen[i] += group[i] ? 1 : 0;
  }
  for (size_t i = 0; i < seen.size(); ++i) {
    if (i == ColumnIndex<HostRow>("key")) continue;
    EXPECT_EQ(seen[i], 1) << table->columns()[i].name;
  }
  EXPECT_TRUE(groups.back()[ColumnIndex<HostRow>("blocked")] && groups.back()[ColumnIndex<HostRow>("pages")]);
}

}  // namespace
}  // namespace trawl
