#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/rows/host_row.h"
#include "formats/rows/url_row.h"
#include "runtime/job/job.h"
#include "runtime/job/local_runner.h"
#include "runtime/job/slot_parts.h"
#include "runtime/process/status_detail.h"
#include "runtime/tables/merge_scan.h"
#include "tests/support/process/manual_clock.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using arrow::Result;
using arrow::Status;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ReplaceTableTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Manifest first;
    first.normal_form = "standard";
    ASSERT_OK(CreateCrawl(store_.get(), first).status());
    environment_.store = store_.get();
    environment_.runner = &runner_;
    environment_.clock = &clock_;
    environment_.now_ms = clock_.NowMs();
  }

  // A job whose only task writes hosts with these keys; `before` is called at its beginning.
  Result<JobResult> WriteHosts(
      const ApplyOutput& apply, const std::vector<std::string>& keys,
      const std::function<Status()>& before = [] { return Status::OK(); }) {
    JobRequest request;
    request.spec = {.name = "hosts", .map = [&](TaskContext& context, const Json&, RowSink&) -> Status {
                      ARROW_RETURN_NOT_OK(before());
                      RunWriter<HostRow>* const run = context.OpenRun<HostRow>();
                      for (const std::string& key : keys) ARROW_RETURN_NOT_OK(run->Append(HostRow{.key = key}));
                      return Status::OK();
                    }};
    request.plan = [](const JobEnvironment&, const Snapshot&, Plan* plan) {
      plan->parts = EvenSlotParts(1);
      return Status::OK();
    };
    request.apply = apply;
    request.may_rebase = may_rebase_;
    return RunJob(environment_, request);
  }

  Manifest Present() { return ReadPresent(store_.get())->manifest; }

  std::vector<std::string> Hosts() {
    std::vector<std::string> keys;
    EXPECT_OK(ForEachRow<HostRow>(*Table::Open<HostRow>(store_.get(), Present()), {}, [&keys](const HostRow& row) {
      keys.push_back(row.key);
      return Status::OK();
    }));
    return keys;
  }

  const TemporaryFolder folder_;
  const std::unique_ptr<Store> store_ = *OpenStore(folder_.path(), {.sync = false});
  const ManualClock clock_;
  LocalRunner runner_{{.threads = 1}};
  JobEnvironment environment_;
  bool may_rebase_ = false;
};

TEST_F(ReplaceTableTest, TheNewRunTakesThePlaceOfAllRuns) {
  ASSERT_OK(WriteHosts(AppendRuns, {"com,example"}));
  ASSERT_OK(WriteHosts(AppendRuns, {"org,example"}));
  ASSERT_EQ(Present().tables.at("hosts").size(), 2u);
  ASSERT_OK_AND_ASSIGN(const JobResult result, WriteHosts(ReplaceTable("hosts"), {"net,example"}));
  EXPECT_TRUE(result.changed);
  EXPECT_EQ(Present().tables.at("hosts").size(), 1u);
  EXPECT_THAT(Hosts(), ElementsAre("net,example"));
}

TEST_F(ReplaceTableTest, OtherTablesStayAsTheyAre) {
  ASSERT_OK(WriteHosts(AppendRuns, {"com,example"}));
  ASSERT_OK(PublishChange(environment_, "test", [](Manifest* next) -> Result<bool> {
              next->tables["urls"] = next->tables.at("hosts");
              return true;
            }).status());
  const std::vector<RunReference> urls = Present().tables.at("urls");
  ASSERT_OK(WriteHosts(ReplaceTable("hosts"), {"net,example"}));
  EXPECT_EQ(Present().tables.at("urls"), urls);
}

TEST_F(ReplaceTableTest, WithoutRowsTheTableIsEmpty) {
  ASSERT_OK(WriteHosts(AppendRuns, {"com,example"}));
  ASSERT_OK_AND_ASSIGN(const JobResult emptied, WriteHosts(ReplaceTable("hosts"), {}));
  EXPECT_TRUE(emptied.changed);
  EXPECT_FALSE(Present().tables.contains("hosts"));
  EXPECT_THAT(Hosts(), IsEmpty());
  ASSERT_OK_AND_ASSIGN(const JobResult again, WriteHosts(ReplaceTable("hosts"), {}));
  EXPECT_FALSE(again.changed);
  EXPECT_EQ(again.snapshot, emptied.snapshot);
}

TEST_F(ReplaceTableTest, WhenAnotherPublishesFirstTheJobIsDoneAgain) {
  for (const bool may_rebase : {false, true}) {
    may_rebase_ = may_rebase;
    int times = 0;
    const auto before = [&]() -> Status {
      if (++times > 1) return Status::OK();
      return PublishChange(environment_, "other",
                           [may_rebase](Manifest* next) -> Result<bool> {
                             next->settings["rebased"] = may_rebase ? "1" : "0";
                             return true;
                           })
          .status();
    };
    ASSERT_OK(WriteHosts(ReplaceTable("hosts"), {"com,example"}, before));
    EXPECT_EQ(times, 2) << "it computed the table from the newer snapshot";
    EXPECT_EQ(Present().settings.at("rebased"), may_rebase ? "1" : "0");
    EXPECT_EQ(Present().tables.at("hosts").size(), 1u);
  }
}

TEST_F(ReplaceTableTest, AJobThatWroteAnotherTableIsAnError) {
  const Result<JobResult> result = WriteHosts(ReplaceTable("urls"), {"com,example"});
  EXPECT_THAT(result.status().message(), HasSubstr("hosts: wrote tables besides urls"));
}

}  // namespace
}  // namespace trawl
