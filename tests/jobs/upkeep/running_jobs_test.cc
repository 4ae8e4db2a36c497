#include "jobs/upkeep/running_jobs.h"

#include <gtest/gtest.h>

#include "formats/rows/times.h"
#include "runtime/process/own_process.h"

namespace trawl {
namespace {

constexpr TimeMs kNowMs = 1'767'225'600'000;

Plan DeadPlan() {
  Plan plan;
  plan.process = OwnProcess();
  plan.process.started += 1;  // no process of this machine
  plan.planned_ms = kNowMs - 1;
  plan.runner = kLocalRunner;
  return plan;
}

TEST(RunningJobs, AJobOfADeadProcessIsOver) { EXPECT_FALSE(MayRun(DeadPlan(), kNowMs)); }

TEST(RunningJobs, AJobThatANextCommandGoesOnWithIsNot) {
  Plan plan = DeadPlan();
  plan.outlives_driver = true;
  EXPECT_TRUE(MayRun(plan, kNowMs));
  plan.planned_ms = kNowMs - kDayMs;
  EXPECT_FALSE(MayRun(plan, kNowMs)) << "nobody came for a day";
}

TEST(RunningJobs, AJobOfALivingProcessIsNot) {
  Plan plan = DeadPlan();
  plan.process = OwnProcess();
  EXPECT_TRUE(MayRun(plan, kNowMs));
}

}  // namespace
}  // namespace trawl
