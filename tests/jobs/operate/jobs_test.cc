// trawl jobs: what became of each job, and in which order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <thread>

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
}

// A report is written when the snapshot is there already: a kill in between leaves none.
TEST_F(JobsVerb, AJobThatPublishedIsDoneWithoutAReportToo) {
  for (const char* url : {"https://a.example/", "https://b.example/"}) ASSERT_EQ(Run({"inject", url}).exit_code, 0);
  ASSERT_EQ(Run({"compact"}).exit_code, 0);
  for (const Json& job : Jobs()) {
    std::filesystem::remove(root_ + "/jobs/" + job["job"].get<std::string>() + "/report.json");
  }
  const auto jobs = Jobs();
  ASSERT_EQ(jobs.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(jobs[i]["state"], "done") << DumpJson(jobs[i]);
    EXPECT_EQ(jobs[i]["snapshot"], i + 1);
  }
  const std::string last = jobs[2]["job"].get<std::string>();
  EXPECT_EQ(Trawl({"jobs", "status", last, "--root", root_}).out, last + "  done  snapshot 3\n");
}

TEST_F(JobsVerb, ADocumentOfAnotherJobIsAnErrorThatNamesIt) {
  for (const char* url : {"https://a.example/", "https://b.example/"}) ASSERT_EQ(Run({"inject", url}).exit_code, 0);
  const auto jobs = Jobs();
  const std::string folder = root_ + "/jobs/" + jobs[0]["job"].get<std::string>();
  const std::string other = root_ + "/jobs/" + jobs[1]["job"].get<std::string>();
  for (const char* document : {"/report.json", "/plan.json"}) {
    std::filesystem::rename(folder + document, folder + "/aside");
    std::filesystem::copy_file(other + document, folder + document);
    const BinaryResult result = Trawl({"jobs", "--root", root_});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, HasSubstr(document + std::string(": is not of this job but of ")));
    std::filesystem::remove(folder + document);
    std::filesystem::rename(folder + "/aside", folder + document);
  }
}

}  // namespace
}  // namespace trawl
