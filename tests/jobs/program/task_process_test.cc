// The process that Hadoop starts for a task, and the jobs it knows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "formats/documents/sealed_json.h"
#include "jobs/inject/inject.h"
#include "jobs/program/job_registry.h"
#include "jobs/verb/version.h"
#include "runtime/blocks/stream.h"
#include "runtime/root/layout.h"
#include "runtime/root/snapshot.h"
#include "runtime/shuffle/trailer.h"
#include "runtime/streaming/carried_receipts.h"
#include "tests/support/process/run_binary.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/values/byte_streams.h"
#include "tests/support/values/hadoop_sort.h"

namespace trawl {
namespace {

using testing::HasSubstr;

TEST(JobRegistry, EveryJobIsFoundByTheVerbOfItsPlan) {
  for (const char* verb : {"inject", "select", "generate", "fetch", "parse", "updatedb", "compact", "remove", "export",
                           "host", "doctor", "urls", "score", "export_pages"}) {
    const auto job = FindJob(verb);
    ASSERT_TRUE(job.ok()) << verb;
    EXPECT_EQ(job->name, verb);
    EXPECT_TRUE(job->map) << verb;
  }
  EXPECT_FALSE(FindJob("crawl").ok());
}

class TaskProcessTest : public ::testing::Test {
 protected:
  // A crawl with a plan of inject in it: two parts, two partitions.
  void SetUp() override {
    store_ = *OpenStore(folder_.path(), {.sync = false});
    Manifest constants;
    constants.normal_form = "standard";
    ASSERT_OK(CreateCrawl(store_.get(), constants).status());
    plan_.job = "20260101T000000Z-inject-00000001";
    plan_.verb = "inject";
    plan_.version = kVersion;
    plan_.now_ms = plan_.planned_ms = 1'767'225'600'000;
    plan_.options = InjectOptionTexts();
    plan_.parts = {{{"name", "command line"}, {"lines", {"https://a.example/", "no url"}}},
                   {{"name", "command line"}, {"lines", {"https://b.example/"}}}};
    plan_.partitions = 2;
    plan_.facts["scope"] = {{"lists", Json::array()}};
  }

  BinaryResult RunTask(const std::string& kind, const std::string& input,
                       const std::string& attempt = "attempt_1_0001_m_000000_1000") {
    if (!*store_->Exists(PlanPath(plan_.job))) {
      EXPECT_OK(store_->CreateExclusive(PlanPath(plan_.job), SealJson(ToJson(plan_))).status());
    }
    return RunBinary({.arguments = {"task", kind},
                      .environment = {"trawl_root=" + folder_.path(), "trawl_job=" + plan_.job,
                                      "mapreduce_task_attempt_id=" + attempt, "mapreduce_task_partition=0",
                                      "trawl_task_threads=1", "trawl_task_memory=100000000", "trawl_task_block=65536"},
                      .input = input});
  }

  TemporaryFolder folder_;
  std::unique_ptr<Store> store_;
  Plan plan_;
};

TEST_F(TaskProcessTest, StandardOutputCarriesBlocksAndNothingElse) {
  const BinaryResult result = RunTask("map", "0\n");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::vector<std::string> keys;
  for (int partition = 0; partition < plan_.partitions; ++partition) {
    const std::string bytes = SortedByHadoop(FramesOfPartition(result.out, partition, plan_.partitions));
    StringSource source(bytes);
    ASSERT_OK_AND_ASSIGN(const auto groups, BlockGroupStream::Make(&source, {.map_tasks = plan_.parts.size()}));
    while (*groups->NextGroup()) keys.emplace_back(groups->key());
    EXPECT_EQ(groups->blocks(), 1) << "records, trailer and receipt are in one block";
  }
  std::sort(keys.begin(), keys.end());
  ASSERT_EQ(keys.size(), 4u);
  EXPECT_EQ(keys[0].substr(2), "example,a)/");
  EXPECT_EQ(keys[1], kTrailerKey);
  EXPECT_EQ(keys[2], kTrailerKey);
  EXPECT_EQ(keys[3], kReceiptKey);
  EXPECT_THAT(result.err, HasSubstr("reporter:status:m0-1000\n"));
  EXPECT_THAT(result.err, HasSubstr("reporter:counter:Trawl,lines,2\n"));
}

TEST_F(TaskProcessTest, AFailureLeavesItsReasonWhereTheDriverLooks) {
  const BinaryResult result = RunTask("reduce", "not a frame", "attempt_1_0001_r_000000_3");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("trawl: task r0-3"));
  const auto reason = store_->ReadWhole(JobFailurePath(plan_.job, "r0-3"), 10'000);
  ASSERT_OK(reason.status());
  EXPECT_THAT(*reason, HasSubstr("task r0-3"));
}

TEST_F(TaskProcessTest, AnotherVersionsPlanIsRefused) {
  plan_.version = "0.0.9";
  const BinaryResult result = RunTask("map", "0\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("scripts/bundle"));
}

TEST_F(TaskProcessTest, WhatMakesNoSenseIsAnError) {
  EXPECT_EQ(RunTask("map", "7\n").exit_code, 3);
  EXPECT_EQ(RunTask("map", "").exit_code, 3);
  EXPECT_EQ(RunTask("sort", "0\n").exit_code, 3);
  const BinaryResult bare = RunBinary({.arguments = {"task", "map"}, .input = "0\n"});
  EXPECT_EQ(bare.exit_code, 3);
  EXPECT_THAT(bare.err, HasSubstr("Hadoop Streaming"));
}

}  // namespace
}  // namespace trawl
