// Where seeds come from, by the binary: pipes and devices are read like standard input.
#include "jobs/inject/seed_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "formats/text/deflate.h"
#include "runtime/root/layout.h"
#include "tests/support/process/trawl_command.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

// Waits until the process has the file open.
bool WaitForOpen(pid_t pid, const std::string& path) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(15);
  while (std::chrono::steady_clock::now() < limit) {
    std::error_code gone;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd", gone)) {
      if (std::filesystem::read_symlink(entry.path(), gone) == path) return true;
    }
    std::this_thread::yield();
  }
  return false;
}

class SeedFiles : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mkfifo(pipe_.c_str(), 0600), 0); }
  std::vector<std::string> Inject(const std::string& seeds) const {
    return {"inject", "--root", root_, "--json", "--threads", "2", seeds};
  }

  TemporaryFolder folder_;
  const std::string root_ = folder_.path() + "/crawl";
  const std::string pipe_ = folder_.path() + "/pipe";
};

TEST_F(SeedFiles, APipeIsReadToItsEnd) {
  std::thread writer([this] {
    std::ofstream pipe(pipe_);
    for (int i = 0; i < 20'000; ++i) pipe << "https://a.example/" << i << "\nbad\n";
  });
  const Json json = AnswerOf(Trawl(Inject(pipe_)));
  writer.join();
  EXPECT_EQ(json["new"], 20'000);
  EXPECT_EQ(json["bad"], 20'000);
  EXPECT_EQ(json["samples"][0]["source"], pipe_);
}

TEST_F(SeedFiles, APipeThatNobodyWritesToEndsWithASignal) {
  BinaryProcess process({.arguments = {"inject", "--root", root_, pipe_}, .limit_ms = 20'000});
  ASSERT_TRUE(WaitForOpen(process.pid(), pipe_));
  process.Signal(SIGTERM);
  EXPECT_EQ(process.Wait().exit_code, 75);
  EXPECT_FALSE(std::filesystem::exists(root_));
}

TEST_F(SeedFiles, DevicesAreReadAndFoldersAreNot) {
  EXPECT_EQ(AnswerOf(Trawl(Inject("/dev/null")))["lines"], 0);
  EXPECT_EQ(AnswerOf(Trawl(Inject("/dev/stdin"), "https://a.example/\n"))["new"], 1);
  const BinaryResult folder = Trawl(Inject(folder_.path()));
  EXPECT_EQ(folder.exit_code, 2);
  EXPECT_THAT(folder.err, HasSubstr("is a folder"));
}

// Others read what is printed, and terminals obey it.
TEST_F(SeedFiles, ABadLineIsShownAsTextWithoutControls) {
  const BinaryResult result = Trawl({"inject", "--root", root_, "-"}, "\x1b[31mred\n\xff\xfe\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("standard input:1: not a URL: it has no scheme, such as https:// ( [31mred)\n"));
  EXPECT_THAT(result.err, HasSubstr("standard input:2: not UTF-8 (\xEF\xBF\xBD\xEF\xBF\xBD)\n"));
}

TEST_F(SeedFiles, WhatIsNoFileAndNoUrlIsRefusedByWhatItLooksLike) {
  const struct {
    const char* seed;
    const char* message;
  } cases[] = {
      {"example.com", "did you mean https://example.com?"},
      {"/no/such/list", "there is no file '/no/such/list'; name a URL (https://www.example.com/), a file with"},
      {"./list", "there is no file './list'; name a URL"},
      {"-q", "'-q' is neither a file nor a URL; an option begins with two dashes"}};
  for (const auto& c : cases) {
    const BinaryResult result = Trawl({"inject", "--root", root_, c.seed});
    EXPECT_EQ(result.exit_code, 2) << c.seed;
    EXPECT_THAT(result.err, HasSubstr(c.message));
  }
  EXPECT_FALSE(std::filesystem::exists(root_));
}

// On a cluster the files of the scope are inputs of the job, too.
TEST(StoredSeeds, ComeAfterTheInputsThatThePlanHas) {
  const TemporaryFolder folder;
  const auto store = *OpenStore(folder.path(), {.sync = false});
  std::ofstream(folder.path() + "/one.txt") << "https://a.example/";
  std::ofstream(folder.path() + "/two.txt") << "https://b.example/";
  SeedSources sources;
  for (const char* name : {"one.txt", "two.txt"}) sources.files.push_back({name, folder.path() + "/" + name});
  Plan plan;
  plan.job = "20260101T000000Z-inject-00000001";
  plan.parts = CutSeeds(sources, 1 << 20)->parts;
  ASSERT_OK(store->CreateExclusive(JobInputPath(plan.job, 0), "a rules file").status());
  ASSERT_OK(StoreSeeds(store.get(), &plan, 1));
  ASSERT_EQ(plan.parts.size(), 2u);
  const char* const expected[] = {"https://a.example/", "https://b.example/"};
  for (size_t part = 0; part < plan.parts.size(); ++part) {
    std::string text(18, '\0');
    const SeedReadAt read = *OpenSeedPart(store.get(), plan, plan.parts[part]);
    EXPECT_EQ(*read(0, text.size(), text.data()), text.size());
    EXPECT_EQ(text, expected[part]);
  }
}

// What lies in a store already is read where it is.
TEST(StoredSeeds, FilesOfAStoreAreNotCopied) {
  const TemporaryFolder folder;
  const auto store = *OpenStore(folder.path() + "/crawl", {.sync = false});
  std::ofstream(folder.path() + "/one.cdxj") << "key 20260101000000 {\"url\": \"https://a.example/\"}\n";
  const SeedSources sources = {.files = {{"file://one.cdxj", "one.cdxj", folder.path()}}, .from = SeedsFrom::kCdxj};
  Plan plan;
  plan.job = "20260101T000000Z-inject-00000001";
  plan.parts = CutSeeds(sources, 1)->parts;
  ASSERT_EQ(plan.parts.size(), 1u);
  ASSERT_OK(StoreSeeds(store.get(), &plan));
  EXPECT_TRUE(store->List("", /*recursive=*/true)->empty());
  std::string text(3, '\0');
  EXPECT_EQ(*(*OpenSeedPart(store.get(), plan, plan.parts[0]))(0, text.size(), text.data()), text.size());
  EXPECT_EQ(text, "key");
}

// A list of seeds may be gzip: it is then read as what it holds, in one part.
TEST(SeedLists, MayBeGzip) {
  const TemporaryFolder folder;
  std::string lines;
  for (int i = 0; i < 3000; ++i) lines += "https://a.example/" + std::to_string(i) + "\n";
  std::ofstream(folder.path() + "/seeds.gz", std::ios::binary) << *GzipMembers::Make(6)->MemberOf(lines);
  EXPECT_EQ(
      AnswerOf(Trawl({"inject", "--root", folder.path() + "/crawl", "--json", folder.path() + "/seeds.gz"}))["new"],
      3000);
}

}  // namespace
}  // namespace trawl
