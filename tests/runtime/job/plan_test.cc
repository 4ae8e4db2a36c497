#include "runtime/job/plan.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

// A plan keeps its place.
TEST(PlanRunner, IsStoredAndReadAgain) {
  Plan plan;
  plan.job = "20260101T000000Z-test-00000001";
  plan.runner = kLocalRunner;
  plan.runner_reason = "asked for";
  plan.outlives_driver = true;
  plan.work = {.bytes = 5, .wait_ms = 6};
  const auto read = PlanFromJson(ToJson(plan));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->runner, "local");
  EXPECT_EQ(read->runner_reason, "asked for");
  EXPECT_TRUE(read->outlives_driver);
  EXPECT_EQ(read->work.bytes, 5);
  EXPECT_EQ(read->work.wait_ms, 6);
  EXPECT_FALSE(read->is_on_cluster());
}

TEST(PlanRunner, APlanOfAnOlderVersionHasItAsAnOption) {
  Plan plan;
  plan.job = "20260101T000000Z-test-00000001";
  plan.options["job.runner"] = "streaming";
  const Json json = ToJson(plan);
  ASSERT_FALSE(HasMember(json, "runner"));
  const auto read = PlanFromJson(json);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(read->is_on_cluster());
  EXPECT_TRUE(read->outlives_driver);
  plan.options["job.runner"] = "local";
  EXPECT_FALSE(PlanFromJson(ToJson(plan))->outlives_driver);
}

}  // namespace
}  // namespace trawl
