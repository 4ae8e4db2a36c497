// trawl jobs: what became of each job, and in which order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <sstream>
#include <thread>

#include "formats/documents/sealed_json.h"
#include "jobs/operate/job_record.h"
#include "runtime/store/store.h"
#include "tests/support/crawl/crawled_web.h"
#include "tests/support/process/trawl_command.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

constexpr char kNow[] = "2026-01-01T00:00:00Z";  // all in one second

class JobsVerb : public ::testing::Test {
 protected:
  std::vector<Json> Jobs(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"jobs", "--root", root_, "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const BinaryResult result = Trawl(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::vector<Json> jobs;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) jobs.push_back(*ParseJson(line));
    return jobs;
  }
  BinaryResult Run(std::vector<std::string> verb) {
    verb.insert(verb.end(), {"--root", root_, "--quiet", "--now", kNow});
    return Trawl(verb);
  }

  TemporaryFolder folder_;
  const std::string root_ = folder_.path() + "/crawl";
};

TEST_F(JobsVerb, JobsOfOneSecondStandInTheOrderOfTheirSnapshots) {
  for (int i = 1; i <= 8; ++i) {
    ASSERT_EQ(Run({"inject", "https://a.example/" + std::to_string(i)}).exit_code, 0);
    ASSERT_EQ(Run({"config", "set", "job.partitions=" + std::to_string(i)}).exit_code, 0);
  }
  ASSERT_EQ(Run({"inject", "https://a.example/1"}).exit_code, 0);
  const auto jobs = Jobs({"--limit", "0"});
  ASSERT_EQ(jobs.size(), 17u);
  for (size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(jobs[i]["snapshot"], i + 1);
    EXPECT_EQ(jobs[i]["verb"], i % 2 == 0 ? "inject" : "config");
    EXPECT_EQ(jobs[i]["state"], "done");
  }
  EXPECT_EQ(jobs[16]["changed"], false);
  const auto newest = Jobs({"--limit", "2"});
  ASSERT_EQ(newest.size(), 2u);
  EXPECT_EQ(newest[0]["job"], jobs[15]["job"]);
}

TEST_F(JobsVerb, EachJobSaysWhereItRanAndWhy) {
  ASSERT_EQ(Run({"inject", "https://a.example/"}).exit_code, 0);
  ASSERT_EQ(Run({"inject", "https://b.example/", "--runner", "local"}).exit_code, 0);
  ASSERT_EQ(Run({"config", "set", "job.partitions=2"}).exit_code, 0);
  const auto jobs = Jobs();
  ASSERT_EQ(jobs.size(), 3u);
  for (const Json& job : jobs) EXPECT_EQ(job["runner"], "local");
  EXPECT_EQ(jobs[0]["runner_reason"], "the root is on this machine");
  EXPECT_EQ(jobs[1]["runner_reason"], "the root is on this machine") << "it could not run elsewhere";
  EXPECT_FALSE(HasMember(jobs[2], "runner_reason")) << "a change of settings has no tasks";
  const std::string id = jobs[0]["job"].get<std::string>();
  const BinaryResult status = Trawl({"jobs", "status", id, "--root", root_});
  EXPECT_THAT(status.out, HasSubstr("runner      local: the root is on this machine\n"));
}

TEST(JobRecord, DocumentsOfAnOlderVersionHaveTheRunnerAsAnOption) {
  JobRecord job{.id = "j", .plan = {}, .report = {}, .end = {}, .published = {}};
  EXPECT_EQ(job.runner(), "local");
  job.report = {{"job", "j"}, {"options", {{"job.runner", "streaming"}}}};
  EXPECT_EQ(job.runner(), "streaming");
  EXPECT_TRUE(job.is_on_cluster());
  EXPECT_EQ(job.runner_reason(), "");
  job.plan = {
      {"job", "j"}, {"options", {{"job.runner", "streaming"}}}, {"runner", "local"}, {"runner_reason", "small"}};
  EXPECT_EQ(job.runner(), "local") << "what the plan says counts";
  EXPECT_EQ(job.runner_reason(), "small");
}

TEST_F(JobsVerb, AJobThatWasOvertakenIsDoneAgain) {
  ASSERT_EQ(Run({"inject", "https://a.example/"}).exit_code, 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    const std::string list = WriteSeedFile(folder_, i * 5000, i * 5000 + 5000);
    threads.emplace_back([this, list] { EXPECT_EQ(Run({"inject", list}).exit_code, 0); });
  }
  for (std::thread& thread : threads) thread.join();
  int published = 0;
  for (const Json& job : Jobs({"--limit", "0"})) {
    EXPECT_TRUE(job["state"] == "done" || job["state"] == "done again") << DumpJson(job);
    published += job["changed"] == true ? 1 : 0;
  }
  EXPECT_EQ(published, 5);
}

TEST_F(JobsVerb, AJobWhoseProcessIsGoneHasFailed) {
  ASSERT_EQ(Run({"inject", "https://a.example/"}).exit_code, 0);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root_ + "/crawldb/urls")) {
    if (entry.path().extension() == ".orc") std::filesystem::rename(entry.path(), folder_.path() + "/aside");
  }
  ASSERT_EQ(Run({"inject", "https://b.example/"}).exit_code, 3);
  const auto jobs = Jobs();
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0]["state"], "done");
  EXPECT_EQ(jobs[1]["state"], "failed");
  EXPECT_THAT(jobs[1]["reason"].get<std::string>(), HasSubstr(".orc"));
}

TEST_F(JobsVerb, AJobThatASignalEndedWasStopped) {
  CrawledWeb web;
  web.web().AddHost("a.example", ServePages({{"/robots.txt", NotFound()}, {"*", {.body = "x", .delay_ms = 600'000}}}));
  web.Start();
  BinaryProcess crawl({.arguments = web.CrawlArguments("c", {"http://a.example/"})});
  const auto jobs = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--root", web.root("c"), "--json"});
    const BinaryResult result = Trawl(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::vector<Json> lines;
    std::istringstream text(result.out);
    for (std::string line; std::getline(text, line);) lines.push_back(*ParseJson(line));
    return lines;
  };
  // Another process sees what the fetch is doing.
  Json live;
  std::string fetch;
  for (int i = 0; i < 600 && live.is_null(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (!std::filesystem::exists(web.root("c") + "/snapshots/00000000.json")) continue;
    for (const Json& job : jobs({"jobs"})) {
      if (job["verb"] != "fetch") continue;
      fetch = job["job"].get<std::string>();
      const Json status = jobs({"jobs", "status", fetch}).at(0);
      // The first numbers may come before the task has begun.
      const bool has_begun = HasMember(status, "live") && HasMember(status["live"], "gauges") &&
                             HasMember(status["live"]["gauges"], "left");
      if (has_begun) live = status["live"];
    }
  }
  ASSERT_FALSE(live.is_null());
  EXPECT_EQ(live["gauges"]["left"], 1);
  EXPECT_EQ(live["maps"][1], 1);
  crawl.Signal(SIGTERM);
  EXPECT_EQ(crawl.Wait().exit_code, 75);
  const auto after = jobs({"jobs", "status", fetch});
  EXPECT_EQ(after[0]["state"], "stopped");
  EXPECT_FALSE(HasMember(after[0], "live"));
  for (const auto& entry : std::filesystem::directory_iterator(web.root("c") + "/jobs/" + fetch)) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("_live")) << entry.path();
  }
}

TEST_F(JobsVerb, AKilledJobSaysSo) {
  CrawledWeb web;
  web.web().AddHost("a.example", ServePages({{"/robots.txt", NotFound()}, {"*", {.body = "x", .delay_ms = 600'000}}}));
  web.Start();
  BinaryProcess crawl({.arguments = web.CrawlArguments("c", {"http://a.example/"})});
  std::string fetch;
  for (int i = 0; i < 600 && fetch.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (!std::filesystem::exists(web.root("c") + "/jobs")) continue;
    for (const auto& job : std::filesystem::directory_iterator(web.root("c") + "/jobs")) {
      const bool is_planned = std::filesystem::exists(job.path() / "plan.json");
      if (is_planned && job.path().string().find("-fetch-") != std::string::npos) fetch = job.path().filename();
    }
  }
  crawl.Signal(SIGKILL);
  crawl.Wait();
  EXPECT_EQ(Trawl({"jobs", "status", fetch, "--root", web.root("c")}).out,
            "job         " + fetch +
                "\nstate       failed\nrunner      local: the root is on this machine\nreason      killed; the same "
                "command goes on\n");
}

TEST_F(JobsVerb, JobsOfOneSecondStandInTheOrderOfTheirTimes) {
  CrawledWeb web(LinkGraph{.hosts = 2, .pages = 3});
  web.Crawl("c", {web.seed(), "--rounds", "1"});
  const BinaryResult result = Trawl({"jobs", "--root", web.root("c"), "--json", "--limit", "0"});
  std::vector<std::string> verbs;
  std::istringstream text(result.out);
  for (std::string line; std::getline(text, line);) verbs.push_back((*ParseJson(line))["verb"].get<std::string>());
  std::erase_if(verbs, [](const std::string& verb) {
    return verb == "config" || verb == "compact" || verb == "gc" || verb.starts_with("settle_");
  });
  EXPECT_EQ(verbs, (std::vector<std::string>{"inject", "generate", "fetch", "parse", "updatedb", "settle", "crawl"}));
}

// A report is written when the snapshot is there already: a kill in between leaves none.
TEST_F(JobsVerb, AJobThatPublishedIsDoneWithoutAReportToo) {
  for (const char* url : {"https://a.example/", "https://b.example/"}) ASSERT_EQ(Run({"inject", url}).exit_code, 0);
  ASSERT_EQ(Run({"compact"}).exit_code, 0);
  for (const Json& job : Jobs()) {
    // The plan goes when the report is there.
    const std::string folder = "jobs/" + job["job"].get<std::string>();
    const auto store = *OpenStore(root_);
    const Json report = OpenSealedJson(*store->ReadWhole(folder + "/report.json", 1 << 20), folder).ValueOrDie();
    const Json plan = {{"job", job["job"]}, {"verb", report["verb"]}, {"snapshot", report["base"]}};
    ASSERT_TRUE(store->CreateExclusive(folder + "/plan.json", SealJson(plan)).ok());
    ASSERT_TRUE(store->Remove(folder + "/report.json").ok());
  }
  const auto jobs = Jobs();
  ASSERT_EQ(jobs.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(jobs[i]["state"], "done") << DumpJson(jobs[i]);
    EXPECT_EQ(jobs[i]["snapshot"], i + 1);
  }
  const std::string last = jobs[2]["job"].get<std::string>();
  EXPECT_EQ(Trawl({"jobs", "status", last, "--root", root_}).out,
            "job         " + last + "\nstate       done\nrunner      local\nsnapshot    3\n");
}

TEST_F(JobsVerb, ADocumentOfAnotherJobIsAnErrorThatNamesIt) {
  for (const char* url : {"https://a.example/", "https://b.example/"}) ASSERT_EQ(Run({"inject", url}).exit_code, 0);
  const auto jobs = Jobs();
  const std::string folder = root_ + "/jobs/" + jobs[0]["job"].get<std::string>();
  const std::string other = root_ + "/jobs/" + jobs[1]["job"].get<std::string>();
  for (const char* document : {"/report.json", "/plan.json"}) {
    std::filesystem::rename(folder + "/report.json", folder + "/aside");
    std::filesystem::copy_file(other + "/report.json", folder + document);
    const BinaryResult result = Trawl({"jobs", "--root", root_});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, HasSubstr(document + std::string(": is not of this job but of ")));
    std::filesystem::remove(folder + document);
    std::filesystem::rename(folder + "/aside", folder + "/report.json");
  }
}

}  // namespace
}  // namespace trawl
