// What gc takes and what it leaves, also beside a job that is under way. Times come by --now: files are as old as it
// says.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "formats/documents/sealed_json.h"
#include "formats/rows/times.h"
#include "runtime/job/plan.h"
#include "runtime/process/own_process.h"
#include "runtime/root/layout.h"
#include "runtime/store/store.h"
#include "runtime/terminal/timestamp.h"
#include "tests/support/process/trawl_command.h"

namespace trawl {
namespace {

class Gc : public ::testing::Test {
 protected:
  // gc as it would run this many days from now.
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
      runs += entry.path().extension() == ".orc" ? 1 : 0;
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
  EXPECT_NE(gone.err.find(": is missing, though"), std::string::npos) << gone.err;
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
  EXPECT_FALSE(std::filesystem::exists(dead));
  EXPECT_TRUE(std::filesystem::exists(root_ + "/crawldb/urls/mine.txt"));
  EXPECT_EQ(UrlsAt(1), 100);
}

// A crawl of many rounds would else list the folders of all of them whenever gc looks.
TEST_F(Gc, FoldersInWhichNothingIsLeftGoToo) {
  for (int i = 0; i < 2; ++i) Inject(i * 100, i * 100 + 100);
  AnswerOf(Trawl({"compact", "--root", root_, "--json"}));
  const std::string killed = root_ + "/crawldb/urls/20260101T000000Z-inject-dead0000";
  const std::string segment = root_ + "/segments/dead/fetchlist";
  for (const std::string& folder : {killed, segment}) std::filesystem::create_directories(folder);
  const auto folders = [this](const char* below) {
    using Entries = std::filesystem::directory_iterator;
    return std::distance(Entries(root_ + below), Entries());
  };
  CollectIn(6);
  EXPECT_EQ(folders("/crawldb/urls"), 4) << "it may be about to be written to";
  CollectIn(8, {"--keep_snapshots", "1", "--dry_run"});
  EXPECT_EQ(folders("/crawldb/urls"), 4);
  CollectIn(8, {"--keep_snapshots", "1"});
  EXPECT_EQ(folders("/crawldb/urls"), 1);
  EXPECT_EQ(folders("/segments"), 0);
  EXPECT_EQ(UrlsAt(3), 200);
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

// Files are old as soon as they are written: nothing but the plan of a running job keeps them.
TEST_F(Gc, KeepingNothingTakesNothingOfARunningJob) {
  Inject(0, 100);
  std::atomic<bool> is_over = false;
  std::atomic<int> collections = 0;
  std::thread collector([&] {
    for (; !is_over; ++collections) CollectIn(30, {"--keep_time", "0s", "--keep_snapshots", "1"});
  });
  for (int i = 0; i < 10; ++i) {
    Inject(i * 20'000, i * 20'000 + 20'000);
    if (i % 3 == 2) AnswerOf(Trawl({"compact", "--root", root_, "--json"}));
  }
  is_over = true;
  collector.join();
  EXPECT_GT(collections, 0);
  EXPECT_EQ(AnswerOf(Trawl({"readdb", "stats", "--root", root_, "--json"}))["urls"], 200'000);
}

// What another machine does is known by its plan alone.
TEST_F(Gc, AnUnreportedJobElsewhereIsLeftAloneForADay) {
  Inject(0, 100);
  const auto store = *OpenStore(root_);
  const int64_t now_ms = SystemClock().NowMs();
  const auto there = [&](const ProcessIdentity& process, int64_t planned_ms, const std::string& job) {
    Plan plan = {.job = job, .verb = "inject", .snapshot = 1, .planned_ms = planned_ms, .process = process};
    EXPECT_TRUE(store->CreateExclusive(PlanPath(job), SealJson(ToJson(plan))).ok());
    const std::string file = RunFilePath("urls", job, "r0-0-0.orc");
    EXPECT_TRUE(store->CreateExclusive(file, "rows").ok());
    CollectIn(30, {"--keep_time", "0s"});
    return *store->Exists(file);
  };
  ProcessIdentity elsewhere = OwnProcess();
  elsewhere.machine = "another boot of another machine";
  ProcessIdentity dead = OwnProcess();
  dead.started -= 1;
  EXPECT_TRUE(there(OwnProcess(), now_ms - 30 * kDayMs, "lives-here"));
  EXPECT_FALSE(there(dead, now_ms, "died-here"));
  EXPECT_TRUE(there(elsewhere, now_ms, "elsewhere"));
  EXPECT_FALSE(there(elsewhere, now_ms - kDayMs - 1000, "elsewhere-of-yesterday"));
  EXPECT_TRUE(there({}, now_ms, "of-an-older-version"));
  EXPECT_TRUE(store->CreateExclusive(JobInputPath("not-yet-planned", 0), "rules").ok());
  CollectIn(30, {"--keep_time", "0s"});
  EXPECT_TRUE(*store->Exists(JobInputPath("not-yet-planned", 0)));
}

}  // namespace
}  // namespace trawl
