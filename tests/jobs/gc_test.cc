// What gc takes and what it leaves, also beside a job that is under way. Times come by --now: files are as old as it
// says.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "runtime/timestamp.h"
#include "tests/support/trawl_command.h"

namespace trawl {
namespace {

constexpr int64_t kDayMs = int64_t{24} * 3600 * 1000;

class Gc : public ::testing::Test {
 protected:
  // gc as it would run so many days from now.
  Json CollectIn(int days, std::vector<std::string> more = {}) {
    const std::string now = FormatTimestamp(SystemClock().NowMs() + days * kDayMs);
    std::vector<std::string> arguments = {"gc", "--root", root_, "--json", "--now", now};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return AnswerOf(Trawl(arguments));
  }
  void Inject(int from, int to) {
    AnswerOf(Trawl({"inject", "--root", root_, "--json", WriteSeedFile(folder_, from, to)}));
  }
  size_t Runs() const {
    size_t runs = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root_ + "/crawldb/urls")) {
      runs += entry.path().filename() == "_run.json" ? 1 : 0;
    }
    return runs;
  }
  int64_t UrlsAt(int64_t snapshot) {
    return AnswerOf(
               Trawl({"readdb", "stats", "--root", root_, "--json", "--snapshot", std::to_string(snapshot)}))["urls"]
        .get<int64_t>();
  }

  TemporaryFolder folder_;
  const std::string root_ = folder_.path() + "/crawl";
};

TEST_F(Gc, TheLastSnapshotsAndThoseOfTheLastDaysStayReadable) {
  for (int i = 0; i < 3; ++i) Inject(i * 100, i * 100 + 100);
  AnswerOf(Trawl({"compact", "--root", root_, "--json"}));  // snapshot 4, the first without the three runs
  for (int i = 3; i < 5; ++i) Inject(i * 100, i * 100 + 100);
  ASSERT_EQ(Runs(), 6u);

  EXPECT_EQ(CollectIn(0)["files"], 0) << "snapshots of this week";
  EXPECT_EQ(CollectIn(6)["files"], 0);
  const Json dry = CollectIn(8, {"--dry_run"});
  EXPECT_EQ(dry["changed"], false);
  EXPECT_GT(dry["bytes"], 0);
  ASSERT_EQ(Runs(), 6u);
  const Json collected = CollectIn(8);
  EXPECT_EQ(collected["bytes"], dry["bytes"]);
  EXPECT_EQ(collected["changed"], true);
  EXPECT_EQ(Runs(), 3u);
  for (const int64_t snapshot : {4, 5, 6}) EXPECT_EQ(UrlsAt(snapshot), (snapshot - 1) * 100);
  const BinaryResult gone = Trawl({"readdb", "stats", "--root", root_, "--snapshot", "3"});
  EXPECT_EQ(gone.exit_code, 3);
  EXPECT_NE(gone.err.find("_run.json: is missing"), std::string::npos) << gone.err;
  EXPECT_EQ(AnswerOf(Trawl({"snapshot", "show", "3", "--root", root_, "--json"}))["number"], 3) << "manifests stay";
  EXPECT_EQ(CollectIn(8)["changed"], false);
}

TEST_F(Gc, WhatDeadJobsLeftGoesOnceItIsOld) {
  Inject(0, 100);
  const std::string dead = root_ + "/crawldb/urls/20260101T000000Z-inject-dead0000";
  std::filesystem::create_directories(dead);
  for (const char* name : {"/r0-0-0.orc", "/_r0-0-0.idx", "/_run.json"}) std::ofstream(dead + name) << "bytes";
  std::ofstream(root_ + "/crawldb/urls/mine.txt") << "not a crawl's";
  EXPECT_EQ(CollectIn(6)["too_young"], 3);
  EXPECT_TRUE(std::filesystem::exists(dead + "/_run.json"));
  EXPECT_EQ(CollectIn(8)["files"], 3);
  EXPECT_FALSE(std::filesystem::exists(dead + "/_run.json"));
  EXPECT_TRUE(std::filesystem::exists(root_ + "/crawldb/urls/mine.txt"));
  EXPECT_EQ(UrlsAt(1), 100);
}

TEST_F(Gc, BesideARunningJobItTakesNothingOfIt) {
  Inject(0, 100);
  const std::string list = WriteSeedFile(folder_, 0, 300'000);
  BinaryProcess job({.arguments = {"inject", "--root", root_, "--json", "--threads", "1", "--partitions", "4", list}});
  int64_t young = 0;
  int times = 0;
  const auto is_published = [this] { return std::filesystem::exists(root_ + "/snapshots/00000002.json"); };
  for (; !is_published() && times < 1000; ++times) young = std::max(young, CollectIn(0)["too_young"].get<int64_t>());
  const BinaryResult injected = job.Wait();
  EXPECT_EQ(AnswerOf(injected)["new"], 300'000 - 100);
  EXPECT_GT(times, 0);
  EXPECT_GT(young, 0) << "gc saw files that nobody named yet";
  EXPECT_EQ(UrlsAt(2), 300'000);
}

}  // namespace
}  // namespace trawl
