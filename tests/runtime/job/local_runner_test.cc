#include "runtime/job/local_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include "formats/rows/url_row.h"
#include "runtime/job/slot_parts.h"
#include "runtime/process/status_detail.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using arrow::Result;
using arrow::Status;
using ::testing::HasSubstr;

constexpr int kMaps = 7;
constexpr int kRowsAMap = 500;

std::string KeyOf(int i) { return "com,host" + std::to_string(i % 50) + ")/" + std::to_string(i % 300); }

// Every part sends the same keys; a reducer counts keys and values.
Status MapCount(TaskContext& context, const Json&, RowSink& sink) {
  for (int i = 0; i < kRowsAMap; ++i) ARROW_RETURN_NOT_OK(sink.Emit(KeyOf(i), "value"));
  context.counters()["sent"] += kRowsAMap;
  return Status::OK();
}

Status ReduceCount(TaskContext& context, GroupStream& groups) {
  RowPlace last;
  std::string last_key;
  std::string_view value;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) return Status::OK();
    const RowPlace place = PlaceOfShuffleKey(groups.key());
    if (!context.slots().Contains(place.slot)) return Status::Invalid("a key of another partition");
    if (context.counters()["keys"]++ > 0 && !(last < place)) return Status::Invalid("keys out of order");
    last_key = place.key;
    last = {place.slot, last_key};
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool another, groups.NextValue(&value));
      if (!another) break;
      ++context.counters()["values"];
    }
  }
}

class LocalRunnerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    plan_.job = "job";
    plan_.partitions = 3;
    for (int part = 0; part < kMaps; ++part) plan_.parts.push_back({{"part", part}});
  }

  Result<std::vector<TaskReceipt>> Run(const JobSpec& spec, const LocalRunnerOptions& options, StopToken stop = {}) {
    LocalRunner runner(options);
    const JobInputs inputs = {.store = store_.get(), .plan = &plan_, .snapshot = &manifest_, .stop = std::move(stop)};
    return runner.Run(spec, inputs, [](const RunnerProgress&) {});
  }
  Counters Sum(const std::vector<TaskReceipt>& receipts) {
    Counters sum;
    for (const TaskReceipt& receipt : receipts) sum.Merge(receipt.counters);
    return sum;
  }

  TemporaryFolder folder_;
  const std::shared_ptr<Store> store_ = *OpenStore(folder_.path(), {.sync = false});
  Plan plan_;
  Manifest manifest_;
};

TEST_F(LocalRunnerTest, EveryRecordArrivesOnceWhateverTheCut) {
  for (const int threads : {1, 3}) {
    for (const int partitions : {1, 2, 5, 8}) {
      plan_.partitions = partitions;
      const auto receipts = *Run({.name = "count", .map = MapCount, .reduce = ReduceCount},
                                 {.threads = threads, .memory_bytes = 16 << 20, .temp_folder = folder_.path()});
      ASSERT_EQ(receipts.size(), static_cast<size_t>(kMaps + partitions));
      for (size_t i = 0; i < receipts.size(); ++i) {
        const bool is_map = i < kMaps;
        EXPECT_EQ(receipts[i].id.is_reduce, !is_map);
        EXPECT_EQ(receipts[i].id.number, static_cast<int>(is_map ? i : i - kMaps));
      }
      const Counters sum = Sum(receipts);
      EXPECT_EQ(sum.Get("sent"), kMaps * kRowsAMap);
      EXPECT_EQ(sum.Get("values"), kMaps * kRowsAMap);
      EXPECT_EQ(sum.Get("keys"), 300);
    }
  }
}

TEST_F(LocalRunnerTest, AFailedAttemptIsRetriedAndCountsForNothing) {
  std::atomic<int> failures{0};
  const auto map = [&failures](TaskContext& context, const Json& part, RowSink& sink) -> Status {
    ARROW_RETURN_NOT_OK(MapCount(context, part, sink));
    if (context.id().number % 2 == 0 && context.id().attempt < 2) {
      ++failures;
      return Status::IOError("a bad day");
    }
    return Status::OK();
  };
  const auto reduce = [&failures](TaskContext& context, GroupStream& groups) -> Status {
    ARROW_RETURN_NOT_OK(ReduceCount(context, groups));
    if (context.id().attempt > 0) return Status::OK();
    ++failures;
    return Status::IOError("another");
  };
  const auto receipts =
      *Run({.name = "count", .map = map, .reduce = reduce}, {.threads = 2, .temp_folder = folder_.path()});
  EXPECT_EQ(failures, 4 * 2 + 3);
  EXPECT_EQ(Sum(receipts).Get("values"), kMaps * kRowsAMap);
  EXPECT_EQ(receipts[0].id.attempt, 2);
  EXPECT_EQ(receipts[1].id.attempt, 0);
}

TEST_F(LocalRunnerTest, ATaskThatFailsForGoodNamesItselfAndEndsTheOthers) {
  std::atomic<int> attempts{0};
  const auto map = [&attempts](TaskContext& context, const Json&, RowSink&) -> Status {
    if (context.id().number == 1) {
      ++attempts;
      return Status::IOError("no such luck");
    }
    while (context.CheckStop().ok()) std::this_thread::yield();
    return context.CheckStop();
  };
  const auto failed = Run({.name = "count", .map = map, .reduce = ReduceCount},
                          {.threads = 2, .temp_folder = folder_.path(), .attempts = 3});
  EXPECT_THAT(failed.status().message(), HasSubstr("no such luck"));
  EXPECT_THAT(failed.status().message(), HasSubstr("task m1-2"));
  EXPECT_EQ(attempts, 3);
}

TEST_F(LocalRunnerTest, BeingAskedToStopIsNoFailureOfATask) {
  const StopSource stop = *StopSource::Make();
  std::atomic<int> attempts{0};
  const auto map = [&](TaskContext& context, const Json&, RowSink&) -> Status {
    ++attempts;
    stop.Stop();
    while (context.CheckStop().ok()) std::this_thread::yield();
    return context.CheckStop();
  };
  const auto stopped = Run({.name = "count", .map = map, .reduce = ReduceCount},
                           {.threads = 1, .temp_folder = folder_.path()}, stop.token());
  EXPECT_EQ(KindOf(stopped.status()), StatusKind::kStopped) << stopped.status();
  EXPECT_EQ(attempts, 1);
}

TEST_F(LocalRunnerTest, TasksThatMostlyWaitAllRunAtOnce) {
  plan_.partitions = 0;
  plan_.parts.clear();
  for (int part = 0; part < 5; ++part) plan_.parts.push_back({{"slots", SlotsToJson(RangeOfPartition(part, 5))}});
  std::atomic<int> running{0};
  const auto map = [&running](TaskContext&, const Json&, RowSink&) {
    for (++running; running < 5;) std::this_thread::yield();
    return Status::OK();
  };
  ASSERT_OK(Run({.name = "wait", .mostly_waits = true, .map = map}, {.threads = 1}));
  EXPECT_EQ(running, 5);
}

TEST_F(LocalRunnerTest, AJobWithoutPartitionsMaySendNothing) {
  plan_.partitions = 0;
  plan_.parts = {{{"slots", SlotsToJson({})}}};
  const auto failed = Run({.name = "count", .map = MapCount}, {.attempts = 1});
  EXPECT_FALSE(failed.ok());
}

TEST_F(LocalRunnerTest, WhatAFailedAttemptWroteIsNamedByNobody) {
  plan_.partitions = 0;
  plan_.parts = {{{"slots", SlotsToJson({})}}};
  const auto map = [](TaskContext& context, const Json&, RowSink&) -> Status {
    UrlRow row;
    row.key = "com,example)/" + std::to_string(context.id().attempt);
    ARROW_RETURN_NOT_OK(context.OpenRun<UrlRow>()->Append(row));
    return context.id().attempt == 0 ? Status::IOError("not yet") : Status::OK();
  };
  const auto receipts = *Run({.name = "write", .map = map}, {});
  ASSERT_EQ(receipts.size(), 1u);
  const auto& files = receipts[0].files.at("urls");
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].name, "m0-1-0.orc");
  EXPECT_EQ(files[0].first_key, "com,example)/1");
}

}  // namespace
}  // namespace trawl
