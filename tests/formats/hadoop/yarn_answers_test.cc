#include "formats/hadoop/yarn_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trawl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(YarnAnswers, ApplicationsAreFoundByTagWhateverItsCase) {
  const auto applications = YarnApplicationsFrom(R"({"apps": {"app": [
      {"id": "application_1767225600000_0007", "name": "trawl 20260101T000000Z-inject-0a0b0c0d", "state": "RUNNING",
       "finalStatus": "UNDEFINED", "startedTime": 1767225601000, "queue": "root.crawl", "diagnostics": "",
       "applicationTags": "20260101t000000z-inject-0a0b0c0d,trawl-1c0ad5190be162e7"}]}})");
  ASSERT_TRUE(applications.ok()) << applications.status();
  ASSERT_EQ(applications->size(), 1u);
  const YarnApplication& application = applications->front();
  EXPECT_TRUE(application.HasTag("20260101T000000Z-inject-0a0b0c0d"));
  EXPECT_TRUE(application.HasTag("trawl-1c0ad5190be162e7"));
  EXPECT_FALSE(application.HasTag("20260101T000000Z"));
  EXPECT_EQ(application.TrawlJob(), "20260101T000000Z-inject-0a0b0c0d");
  EXPECT_EQ(application.JobId(), "job_1767225600000_0007");
  EXPECT_FALSE(application.is_over());
}

TEST(YarnAnswers, AnApplicationOfAnotherNameIsNoJobOfOurs) {
  YarnApplication application{.id = "application_1_2", .name = "word count", .tags = "nightly"};
  EXPECT_EQ(application.TrawlJob(), "");
}

TEST(YarnAnswers, NothingFoundHasSeveralForms) {
  for (const char* text : {R"({"apps": null})", R"({"apps": {}})", R"({"apps": {"app": []}})"}) {
    const auto applications = YarnApplicationsFrom(text);
    ASSERT_TRUE(applications.ok()) << text;
    EXPECT_THAT(*applications, IsEmpty()) << text;
  }
}

TEST(YarnAnswers, OneElementMayComeWithoutItsList) {
  const auto attempts = YarnAttemptsFrom(R"({"taskAttempts": {"taskAttempt":
      {"id": "attempt_1_0001_m_000000_0", "state": "FAILED", "diagnostics": "Container killed", "nodeHttpAddress": "n1:8042"}}})");
  ASSERT_TRUE(attempts.ok()) << attempts.status();
  ASSERT_EQ(attempts->size(), 1u);
  EXPECT_EQ(attempts->front().diagnostics, "Container killed");

  const auto counters = YarnCountersFrom(R"({"jobCounters": {"id": "job_1_0001", "counterGroup": [
      {"counterGroupName": "Other", "counter": [{"name": "rows_written", "totalCounterValue": 1}]},
      {"counterGroupName": "Trawl", "counter": {"name": "rows_written", "totalCounterValue": 42}}]}})",
                                         "Trawl");
  ASSERT_TRUE(counters.ok()) << counters.status();
  EXPECT_THAT(*counters, ElementsAre(std::pair<const std::string, int64_t>("rows_written", 42)));
}

TEST(YarnAnswers, AJobSaysHowFarItIs) {
  const auto job = YarnJobFrom(R"({"job": {"state": "RUNNING", "mapsTotal": 6, "mapsCompleted": 4, "reducesTotal": 2,
      "reducesCompleted": 0, "failedMapAttempts": 1, "failedReduceAttempts": 2}})");
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_EQ(job->maps, 6);
  EXPECT_EQ(job->maps_done, 4);
  EXPECT_EQ(job->reduces, 2);
  EXPECT_EQ(job->failed_attempts, 3);
}

TEST(YarnAnswers, EndsAreToldApart) {
  const struct {
    const char* state;
    const char* final_status;
    bool over, succeeded;
  } cases[] = {{"ACCEPTED", "UNDEFINED", false, false}, {"RUNNING", "UNDEFINED", false, false},
               {"FINISHED", "SUCCEEDED", true, true},   {"FINISHED", "FAILED", true, false},
               {"FINISHED", "KILLED", true, false},     {"KILLED", "KILLED", true, false},
               {"FAILED", "FAILED", true, false}};
  for (const auto& each : cases) {
    const YarnApplication application{.state = each.state, .final_status = each.final_status};
    EXPECT_EQ(application.is_over(), each.over) << each.state;
    EXPECT_EQ(application.has_succeeded(), each.succeeded) << each.state << " " << each.final_status;
  }
}

TEST(YarnAnswers, OtherThingsAreErrors) {
  for (const char* text : {"", "<html>This is standby RM</html>", "[]", "{}", R"({"apps": 3})", R"({"app": {}})"}) {
    EXPECT_FALSE(YarnApplicationsFrom(text).ok()) << text;
  }
}

}  // namespace
}  // namespace trawl
