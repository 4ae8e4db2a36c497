#include "runtime/placement/auto_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "formats/documents/sealed_json.h"
#include "formats/rows/times.h"
#include "runtime/process/own_process.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using arrow::Result;
using arrow::Status;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int64_t kLimitBytes = 1000, kLimitMs = 60'000;

struct Calls {
  std::vector<std::string> ran, forgotten;
  Status reachable = Status::OK();
  std::optional<Plan> under_way;
};

class CountingRunner : public Runner {
 public:
  CountingRunner(const char* name, Calls* calls) : name_(name), calls_(*calls) {}
  void Place(bool, Plan* plan) override { plan->runner = name_; }
  Result<std::vector<TaskReceipt>> Run(const JobSpec&, const JobInputs& inputs,
                                       const std::function<void(const RunnerProgress&)>&) override {
    calls_.ran.push_back(inputs.plan->job);
    TaskReceipt receipt;
    receipt.counters["made"] = 3;
    return std::vector<TaskReceipt>{receipt};
  }
  Result<std::optional<Plan>> TakeUp(const Plan&) override {
    ARROW_RETURN_NOT_OK(calls_.reachable);
    return calls_.under_way;
  }
  void Forget(const Plan& plan) override { calls_.forgotten.push_back(plan.job); }

 private:
  const char* const name_;
  Calls& calls_;
};

class AutoRunnerTest : public testing::Test {
 protected:
  // What another command has, on the same root.
  std::unique_ptr<AutoRunner> Make() {
    return std::make_unique<AutoRunner>(
        AutoRunner::Runners{.here = std::make_unique<CountingRunner>(kLocalRunner, &here_),
                            .cluster = std::make_unique<CountingRunner>(kStreamingRunner, &cluster_),
                            .check_cluster = [this] { return can_submit_; }},
        RunnerLimits{.bytes = kLimitBytes, .wait_ms = kLimitMs}, store_.get());
  }

  Plan PlanOf(const std::string& number, int64_t bytes, int64_t wait_ms = 0) {
    Plan plan;
    plan.job = "20260101T000000Z-select-" + number;
    plan.verb = "select";
    plan.parts = {{{"part", 0}}};
    plan.work = {.bytes = bytes, .wait_ms = wait_ms};
    return plan;
  }
  Plan Placed(AutoRunner& runner, Plan plan, bool within_plan = false) {
    runner.Place(within_plan, &plan);
    return plan;
  }
  Status Run(AutoRunner& runner, const Plan& plan) {
    return runner.Run({}, {.store = store_.get(), .plan = &plan}, [](const RunnerProgress&) {}).status();
  }
  Status Store(const Plan& plan) {
    return store_->CreateExclusive(PlanPath(plan.job), SealJson(ToJson(plan))).status();
  }
  // A process of this machine that has ended.
  static ProcessIdentity DeadProcess() {
    ProcessIdentity process = OwnProcess();
    process.started += 1;
    return process;
  }

  TemporaryFolder folder_;
  std::unique_ptr<trawl::Store> store_ = OpenStore(folder_.path(), {.sync = false}).ValueOrDie();
  Calls here_, cluster_;
  Status can_submit_ = Status::OK();
};

TEST_F(AutoRunnerTest, JobsRunOnTheSideOfTheLimitsThatTheyAreOn) {
  const auto runner = Make();
  for (const auto& [number, bytes, wait_ms, is_far] :
       std::vector<std::tuple<std::string, int64_t, int64_t, bool>>{{"1", kLimitBytes - 1, 0, false},
                                                                    {"2", kLimitBytes, 0, true},
                                                                    {"3", 0, kLimitMs, false},
                                                                    {"4", 0, kLimitMs + 1, true}}) {
    const Plan plan = Placed(*runner, PlanOf(number, bytes, wait_ms));
    EXPECT_EQ(plan.is_on_cluster(), is_far) << number;
    EXPECT_EQ(plan.outlives_driver, is_far) << number;
    EXPECT_FALSE(plan.runner_reason.empty());
    ASSERT_OK(Run(*runner, plan));
    runner->Forget(plan);
  }
  EXPECT_THAT(here_.ran, ElementsAre("20260101T000000Z-select-1", "20260101T000000Z-select-3"));
  EXPECT_THAT(cluster_.ran, ElementsAre("20260101T000000Z-select-2", "20260101T000000Z-select-4"));
  EXPECT_EQ(cluster_.forgotten, cluster_.ran);
}

TEST_F(AutoRunnerTest, AMachineThatCannotSubmitRunsAllAndSaysWhy) {
  can_submit_ = UsageError("set HADOOP_HOME");
  const auto runner = Make();
  const Plan plan = Placed(*runner, PlanOf("1", kLimitBytes));
  EXPECT_FALSE(plan.is_on_cluster());
  EXPECT_THAT(plan.runner_reason, HasSubstr("not less than job.local_bytes"));
  EXPECT_THAT(plan.runner_reason, HasSubstr("set HADOOP_HOME"));
}

TEST_F(AutoRunnerTest, AJobThatWasBegunOnTheClusterGoesOnThere) {
  const auto runner = Make();
  Plan begun = PlanOf("old", 7);
  begun.runner = kStreamingRunner;
  cluster_.under_way = begun;
  const Plan small = Placed(*runner, PlanOf("new", 7));
  ASSERT_FALSE(small.is_on_cluster());
  ASSERT_OK_AND_ASSIGN(const auto taken_up, runner->TakeUp(small));
  ASSERT_TRUE(taken_up.has_value());
  ASSERT_OK(Run(*runner, *taken_up));
  EXPECT_THAT(here_.ran, IsEmpty());
  EXPECT_THAT(cluster_.ran, ElementsAre(begun.job));
}

TEST_F(AutoRunnerTest, AClusterThatDoesNotAnswerStopsTheJobsThatWouldGoThere) {
  cluster_.reachable = Status::IOError("YARN: no answer");
  const auto runner = Make();
  ASSERT_OK_AND_ASSIGN(const auto small, runner->TakeUp(Placed(*runner, PlanOf("1", 7))));
  EXPECT_FALSE(small.has_value());
  EXPECT_FALSE(runner->TakeUp(Placed(*runner, PlanOf("2", kLimitBytes))).ok());
}

TEST_F(AutoRunnerTest, ASmallJobWithinAPlanIsTakenUpFromItsReceipts) {
  Plan first;
  {
    const auto killed = Make();
    first = PlanOf("1", 7);
    first.process = DeadProcess();
    first = Placed(*killed, first, /*within_plan=*/true);
    EXPECT_TRUE(first.outlives_driver);
    ASSERT_OK(Store(first));
    ASSERT_OK(Run(*killed, first));
  }
  const auto next = Make();
  const Plan again = Placed(*next, PlanOf("2", 7), /*within_plan=*/true);
  ASSERT_OK_AND_ASSIGN(const auto taken_up, next->TakeUp(again));
  ASSERT_TRUE(taken_up.has_value());
  EXPECT_EQ(taken_up->job, first.job);
  ASSERT_OK_AND_ASSIGN(const auto receipts,
                       next->Run({}, {.store = store_.get(), .plan = &*taken_up}, [](const RunnerProgress&) {}));
  EXPECT_EQ(receipts.at(0).counters.Get("made"), 3);
  EXPECT_THAT(here_.ran, ElementsAre(first.job)) << "it ran once";
  next->Forget(*taken_up);
  ASSERT_OK_AND_ASSIGN(const bool is_kept, store_->Exists(StreamingPath(first.job, "receipts")));
  EXPECT_FALSE(is_kept);
}

TEST_F(AutoRunnerTest, WhatIsNotTakenUpFromReceipts) {
  const auto leave = [this](const Plan& plan) -> Status {
    const auto runner = Make();
    ARROW_RETURN_NOT_OK(Store(plan));
    return Run(*runner, plan);
  };
  const auto next = Make();
  Plan other = Placed(*next, PlanOf("1", 7), true);
  other.process = DeadProcess();
  other.snapshot = 5;
  ASSERT_OK(leave(other));  // other work
  Plan lives = Placed(*next, PlanOf("2", 7), true);
  lives.process = OwnProcess();
  ASSERT_OK(leave(lives));  // its command goes on with it
  Plan reported = Placed(*next, PlanOf("3", 7), true);
  reported.process = DeadProcess();
  ASSERT_OK(leave(reported));
  ASSERT_OK(store_->CreateExclusive(ReportPath(reported.job), SealJson({{"job", reported.job}})).status());
  Plan half = Placed(*next, PlanOf("4", 7), true);
  half.process = DeadProcess();
  ASSERT_OK(Store(half));  // killed before its end
  Plan top = Placed(*next, PlanOf("5", 7), false);
  top.process = DeadProcess();
  ASSERT_OK(leave(top));  // not within a plan, so it left no receipts
  Plan old = Placed(*next, PlanOf("6", 7), true);
  old.process = DeadProcess();
  ASSERT_OK(leave(old));
  Plan late = PlanOf("9", 7);
  late.planned_ms = kDayMs / 2 + 1;  // gc may remove what the old one wrote
  ASSERT_OK_AND_ASSIGN(auto taken_up, next->TakeUp(Placed(*next, late, true)));
  EXPECT_FALSE(taken_up.has_value()) << taken_up->job;
  late.planned_ms = kDayMs / 2;
  ASSERT_OK_AND_ASSIGN(taken_up, next->TakeUp(Placed(*next, late, true)));
  ASSERT_TRUE(taken_up.has_value());
  EXPECT_EQ(taken_up->job, old.job);
}

TEST_F(AutoRunnerTest, AnotherVerbIsNotLookedAt) {
  Plan plan = PlanOf("1", 7);
  plan.process = DeadProcess();
  const auto killed = Make();
  plan = Placed(*killed, plan, true);
  ASSERT_OK(Store(plan));
  ASSERT_OK(Run(*killed, plan));
  Plan other = PlanOf("2", 7);
  other.verb = "settle_exact";
  const auto next = Make();
  ASSERT_OK_AND_ASSIGN(const auto taken_up, next->TakeUp(Placed(*next, other, true)));
  EXPECT_FALSE(taken_up.has_value());
}

}  // namespace
}  // namespace trawl
