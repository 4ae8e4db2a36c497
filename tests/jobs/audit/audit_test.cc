// Whether a fetch kept the delays that were in force.
#include "jobs/audit/audit.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

TEST(PolitenessAudit, AGapIsTheTimeFromTheEndOfAnAnswerToTheNextRequest) {
  PolitenessAudit audit;
  audit.Begin("a.example", 1000, 500);
  audit.End("a.example", 1800);
  audit.Begin("a.example", 2300, 500);
  audit.End("a.example", 2400);
  audit.Begin("a.example", 3400, 500);
  audit.Begin("b.example", 3400, 500);
  const Json json = audit.ToJson(10);
  EXPECT_EQ(json["hosts"], 2);
  EXPECT_EQ(json["requests"], 4);
  EXPECT_EQ(json["gaps"], 2) << "the first request to a host comes after none";
  EXPECT_EQ(json["violations"], 0);
  EXPECT_EQ(json["smallest_ratio"], 1.0);
  EXPECT_EQ(json["dots"],
            (Json::array({{{"host", "a.example"}, {"requests", 3}, {"gap_ms", 500}, {"delay_ms", 500}}})));
}

TEST(PolitenessAudit, AShorterGapIsAViolation) {
  PolitenessAudit audit;
  audit.Begin("a.example", 0, 1000);
  audit.End("a.example", 100);
  audit.Begin("a.example", 1099, 1000);
  const Json json = audit.ToJson(10);
  EXPECT_EQ(json["violations"], 1);
  EXPECT_DOUBLE_EQ(json["smallest_ratio"].get<double>(), 0.999);
}

TEST(PolitenessAudit, WithoutADelayThereIsNothingToKeep) {
  PolitenessAudit audit;
  audit.Begin("a.example", 0, 0);
  audit.End("a.example", 1);
  audit.Begin("a.example", 1, 0);
  EXPECT_EQ(audit.ToJson(10)["gaps"], 0);
  EXPECT_TRUE(audit.ToJson(10)["smallest_ratio"].is_null());
}

TEST(PolitenessAudit, ManyHostsKeepTheSmallestRatiosAndSomeOfTheRest) {
  PolitenessAudit audit;
  for (int i = 0; i < 1000; ++i) {
    const std::string host = "h" + std::to_string(i) + ".example";
    audit.Begin(host, 0, 100);
    audit.End(host, 0);
    audit.Begin(host, 90 + i, 100);
  }
  const Json json = audit.ToJson(20);
  EXPECT_EQ(json["hosts"], 1000);
  EXPECT_EQ(json["violations"], 10);
  ASSERT_EQ(json["dots"].size(), 20u);
  EXPECT_EQ(json["dots"][0]["gap_ms"], 90);
  EXPECT_EQ(json["dots"][9]["gap_ms"], 99);
  EXPECT_GT(json["dots"][19]["gap_ms"], 900);
}

TEST(PolitenessAudit, TasksAddUpAndOlderOnesSayNothing) {
  PolitenessAudit first, second;
  for (PolitenessAudit* audit : {&first, &second}) {
    audit->Begin("a.example", 0, 100);
    audit->End("a.example", 0);
  }
  first.Begin("a.example", 300, 100);
  second.Begin("a.example", 50, 100);
  const Json sum = SumAudits({first.ToJson(5), Json(), second.ToJson(5)});
  EXPECT_EQ(sum["requests"], 4);
  EXPECT_EQ(sum["violations"], 1);
  EXPECT_EQ(sum["smallest_ratio"], 0.5);
  EXPECT_EQ(sum["dots"].size(), 2u);
  EXPECT_TRUE(SumAudits({Json(), Json()}).is_null());
  EXPECT_EQ(SumAudits({Json{{"dots", {1, "x", Json{{"host", "a"}, {"delay_ms", 0}}}}}})["dots"].size(), 0u);
}

}  // namespace
}  // namespace trawl
