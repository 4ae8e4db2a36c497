// Steps of several jobs whose driver leaves each job on the cluster, and comes back when it is over: each job runs once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "jobs/generate/generate.h"
#include "jobs/graph/graph.h"
#include "jobs/settle/settle.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/local_runner.h"
#include "runtime/placement/auto_runner.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"
#include "runtime/streaming/runner.h"
#include "tests/support/crawl/settled_web.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::ElementsAre;

constexpr int64_t kMinuteMs = 60'000;
constexpr int kMostCommands = 10;

// What a cluster keeps of the jobs that drivers have left there.
struct Cluster {
  std::vector<std::string> ran;  // the verbs of its jobs
  std::map<std::string, std::vector<TaskReceipt>> receipts;
  std::vector<Plan> plans;
};

// Runs jobs on the cluster, and leaves them there, as --streaming.detach does.
class LeavingRunner : public Runner {
 public:
  LeavingRunner(Cluster* cluster, Store* store, const std::string& folder)
      : cluster_(*cluster),
        store_(store),
        here_({.threads = 1, .memory_bytes = 64 << 20, .temp_folder = folder, .attempts = 1}) {}

  void Place(bool, Plan* plan) override {
    plan->runner = kStreamingRunner;
    plan->outlives_driver = true;
  }
  arrow::Result<std::vector<TaskReceipt>> Run(const JobSpec& spec, const JobInputs& inputs,
                                              const std::function<void(const RunnerProgress&)>& progress) override {
    const std::string& job = inputs.plan->job;
    if (const auto found = cluster_.receipts.find(job); found != cluster_.receipts.end()) return found->second;
    cluster_.ran.push_back(inputs.plan->verb);
    cluster_.plans.push_back(*inputs.plan);
    ARROW_ASSIGN_OR_RAISE(cluster_.receipts[job], here_.Run(spec, inputs, progress));
    return StatusOfKind(StatusKind::kStopped, "running on the cluster");
  }
  arrow::Result<std::optional<Plan>> TakeUp(const Plan& planned) override {
    for (const Plan& plan : cluster_.plans) {
      ARROW_ASSIGN_OR_RAISE(const bool reported, store_->Exists(ReportPath(plan.job)));
      ARROW_ASSIGN_OR_RAISE(const bool is_planned, store_->Exists(PlanPath(plan.job)));
      if (!reported && is_planned && IsSameWork(plan, planned)) return std::optional<Plan>(plan);
    }
    return std::optional<Plan>();
  }
  bool OutlivesDriver() const override { return true; }

 private:
  Cluster& cluster_;
  Store* const store_;
  LocalRunner here_;
};

// Runs jobs of these verbs here and leaves the others on the cluster.
class DividedRunner : public AutoRunner {
 public:
  DividedRunner(std::set<std::string> here, Cluster* cluster, Store* store, const std::string& folder)
      : AutoRunner({.here = std::make_unique<CountedRunner>(folder, cluster),
                    .cluster = std::make_unique<LeavingRunner>(cluster, store, folder),
                    .check_cluster = [] { return arrow::Status::OK(); }},
                   {.bytes = 1, .wait_ms = 0}, store),
        here_(std::move(here)) {}

  void Place(bool within_plan, Plan* plan) override {
    plan->work.bytes = here_.contains(plan->verb) ? 0 : 1;
    // The process of the command is dead when the next one comes.
    plan->process.started += 1;
    AutoRunner::Place(within_plan, plan);
  }

 private:
  class CountedRunner : public LocalRunner {
   public:
    CountedRunner(const std::string& folder, Cluster* cluster)
        : LocalRunner({.threads = 1, .memory_bytes = 64 << 20, .temp_folder = folder, .attempts = 1}),
          cluster_(*cluster) {}
    arrow::Result<std::vector<TaskReceipt>> Run(const JobSpec& spec, const JobInputs& inputs,
                                                const std::function<void(const RunnerProgress&)>& progress) override {
      cluster_.ran.push_back(inputs.plan->verb + " here");
      return LocalRunner::Run(spec, inputs, progress);
    }

   private:
    Cluster& cluster_;
  };

  const std::set<std::string> here_;
};

class LeftJobs : public ::testing::Test {
 protected:
  // The same command, a minute later each time, until it is through.
  template <typename Command>
  arrow::Status Repeat(const OptionTexts& options, const Command& command) {
    cluster_.ran.clear();
    for (int times = 0; times < kMostCommands; ++times) {
      LeavingRunner leaves_all(&cluster_, crawl_.store(), crawl_.root());
      DividedRunner divides(here_, &cluster_, crawl_.store(), crawl_.root());
      Runner* const runner = here_.empty() ? static_cast<Runner*>(&leaves_all) : &divides;
      JobEnvironment environment;
      environment.store = crawl_.store();
      environment.runner = runner;
      environment.clock = &SystemClock();
      environment.now_ms = now_ms_ += kMinuteMs;
      environment.version = "test";
      environment.options = options;
      environment.options["job.runner"] = here_.empty() ? "streaming" : "auto";
      const arrow::Status status = command(environment);
      if (status.ok() || KindOf(status) != StatusKind::kStopped) return status;
    }
    return arrow::Status::Invalid("it does not come to an end");
  }

  static UrlRow DueRow(const std::string& key, TimeMs due_ms) {
    UrlRow row = UnfetchedRow(key);
    row.due_ms = due_ms;
    return row;
  }

  arrow::Result<GenerateOutcome> Generate() {
    GenerateOutcome outcome;
    ARROW_RETURN_NOT_OK(Repeat(GenerateOptionTexts(), [&outcome](const JobEnvironment& environment) {
      return GenerateSegment(environment, "s1", 1).Value(&outcome);
    }));
    return outcome;
  }

  arrow::Status Settle() {
    return Repeat(SettleOptionTexts(), [this](const JobEnvironment& environment) {
      const auto run = [&environment](const JobRequest& request) { return RunJob(environment, request); };
      return trawl::Settle(crawl_.store(), environment.options, {}, StopToken(), run).Value(&settled_);
    });
  }

  // Three rounds, settled in one go and by commands that leave or die after each job.
  void CheckSettle() {
    ChangingWeb web(7, 40, 8);
    SegmentFixture here;
    for (int round = 0; round < 3; ++round) {
      std::map<std::string, UrlRow> present;
      for (const UrlRow& row : AllUrls(here.store())) present[row.key] = row;
      const std::vector<UrlRow> rows = web.NextRound(present);
      ASSERT_OK(here.Put<UrlRow>(rows));
      ASSERT_OK(crawl_.Put<UrlRow>(rows));
      ASSERT_OK(SettleOn(here.store()).status());
      ASSERT_OK(Settle());
      const std::set<std::string> verbs(cluster_.ran.begin(), cluster_.ran.end());
      EXPECT_EQ(verbs.size(), cluster_.ran.size()) << "no job ran twice: " << testing::PrintToString(cluster_.ran);
      EXPECT_GE(verbs.size(), 2u);
      EXPECT_EQ(DigestOfTable(here.store(), true), DigestOfTable(crawl_.store(), true));
      EXPECT_EQ(DigestOfTable(here.store(), false), DigestOfTable(crawl_.store(), false));
    }
  }

  // The folders that jobs of these verbs have left.
  std::set<std::string> JobsLeft(const std::set<std::string>& verbs) const {
    std::set<std::string> left;
    for (const Plan& plan : cluster_.plans) {
      if (verbs.contains(plan.verb) && crawl_.store()->Exists(PlanPath(plan.job)).ValueOrDie()) left.insert(plan.job);
    }
    return left;
  }

  SegmentFixture crawl_;
  std::set<std::string> here_;  // verbs of the jobs that run on this machine; empty: none does
  Cluster cluster_;
  TimeMs now_ms_ = kStartMs;
  Settled settled_;
};

TEST_F(LeftJobs, GenerateSelectsOnce) {
  ASSERT_OK(crawl_.Put<UrlRow>({DueRow("example,one)/", kStartMs - 1)}));
  ASSERT_OK_AND_ASSIGN(const GenerateOutcome outcome, Generate());
  EXPECT_THAT(cluster_.ran, ElementsAre("select", "generate"));
  EXPECT_EQ(outcome.segment, "s1");
  EXPECT_EQ(outcome.assignment.urls, 1);
  EXPECT_EQ(outcome.selection.counters.Get("due"), 1);
  EXPECT_EQ(crawl_.Present().open_segments.size(), 1u);
  EXPECT_TRUE(JobsLeft({"select"}).empty()) << "what nobody reads any more is gone";
}

TEST_F(LeftJobs, GenerateSelectsOnceHereAndWritesItsListsThere) {
  here_ = {"select"};
  ASSERT_OK(crawl_.Put<UrlRow>({DueRow("example,one)/", kStartMs - 1)}));
  ASSERT_OK_AND_ASSIGN(const GenerateOutcome outcome, Generate());
  EXPECT_THAT(cluster_.ran, ElementsAre("select here", "generate"));
  EXPECT_EQ(outcome.assignment.urls, 1);
  EXPECT_EQ(crawl_.Present().open_segments.size(), 1u);
}

TEST_F(LeftJobs, GenerateSelectsOnceThereAndWritesItsListsHere) {
  here_ = {"generate"};
  ASSERT_OK(crawl_.Put<UrlRow>({DueRow("example,one)/", kStartMs - 1)}));
  ASSERT_OK_AND_ASSIGN(const GenerateOutcome outcome, Generate());
  EXPECT_THAT(cluster_.ran, ElementsAre("select", "generate here"));
  EXPECT_TRUE(JobsLeft({"select"}).empty()) << "what nobody reads any more is gone";
}

TEST_F(LeftJobs, WhatBecomesDueMeanwhileMakesNoOtherPlan) {
  const UrlRow now = DueRow("example,one)/", kStartMs - 1);
  const UrlRow later = DueRow("example,two)/", kStartMs + kMinuteMs + 1);  // after the first command, before the second
  ASSERT_OK(crawl_.Put<UrlRow>({now, later}));
  ASSERT_OK_AND_ASSIGN(const GenerateOutcome outcome, Generate());
  EXPECT_THAT(cluster_.ran, ElementsAre("select", "generate"));
  EXPECT_EQ(outcome.assignment.urls, 1);
}

TEST_F(LeftJobs, SettleRunsItsJobsOnceAndSaysTheSame) {
  CheckSettle();
  EXPECT_TRUE(JobsLeft({"settle_exact", "settle_near"}).empty());
}

TEST_F(LeftJobs, SettleWhoseFirstJobIsSmall) {
  here_ = {"settle_exact"};
  CheckSettle();
}

TEST_F(LeftJobs, SettleWhoseLastJobAloneIsLarge) {
  here_ = {"settle_exact", "settle_near", "settle_near_news"};
  CheckSettle();
}

TEST_F(LeftJobs, SettleWhoseJobsInTheMiddleAreSmall) {
  here_ = {"settle_near_news", "settle_near"};
  CheckSettle();
}

TEST_F(LeftJobs, SettleWhoseLastJobAloneIsSmall) {
  here_ = {"settle"};
  CheckSettle();
}

TEST_F(LeftJobs, TheGraphWhoseLinksAreReadHere) {
  here_ = {"graph_edges"};
  UrlRow row = PageOf("https://a.example/", "text");
  ASSERT_OK(crawl_.Put<UrlRow>({row}));
  Json numbers;
  ASSERT_OK(Repeat(GraphOptionTexts(), [&numbers](const JobEnvironment& environment) {
    return RunJob(environment, GraphRequest({}, 1, &numbers)).status();
  }));
  EXPECT_THAT(cluster_.ran, ElementsAre("graph_edges here", "graph"));
  EXPECT_EQ(numbers["pages"], 1);
}

TEST_F(LeftJobs, TheGraphReadsItsLinksOnce) {
  UrlRow row = PageOf("https://a.example/", "text");
  ASSERT_OK(crawl_.Put<UrlRow>({row}));
  Json numbers;
  ASSERT_OK(Repeat(GraphOptionTexts(), [&numbers](const JobEnvironment& environment) {
    return RunJob(environment, GraphRequest({}, 1, &numbers)).status();
  }));
  EXPECT_EQ(cluster_.ran.size(), 2u);
  EXPECT_EQ(numbers["pages"], 1);
}

}  // namespace
}  // namespace trawl
