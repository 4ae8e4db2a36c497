// What a machine does to a verb: signals, a limit on file sizes, a full disk, a folder of another user. One clear line,
// the right exit code, nothing changed; and the same command goes on when the trouble is over.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <thread>

#include "jobs/program/command.h"
#include "tests/support/process/in_child.h"
#include "tests/support/process/trawl_command.h"

namespace trawl {
namespace {

constexpr char kNow[] = "2026-01-01T00:00:00Z";
constexpr uid_t kNobody = 65534;

bool IsOneLine(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n') == 1 && text.ends_with('\n');
}

// Waits until that number of jobs has begun: a plan is the first thing that a job writes, and its report takes its place.
bool WaitForPlan(const std::string& root, size_t plans) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (std::chrono::steady_clock::now() < limit) {
    std::error_code ignored;
    size_t found = 0;
    for (const auto& job : std::filesystem::directory_iterator(root + "/jobs", ignored)) {
      const bool has_plan = std::filesystem::exists(job.path() / "plan.json", ignored);
      found += has_plan || std::filesystem::exists(job.path() / "report.json", ignored) ? 1 : 0;
    }
    if (found >= plans) return true;
    std::this_thread::yield();
  }
  return false;
}

class Adversity : public ::testing::Test {
 protected:
  void SetUp() override {
    first_ = WriteSeedFile(folder_, 0, 500);
    ASSERT_EQ(Inject(first_).exit_code, 0);
    before_ = RunsOf(root_);
  }

  BinaryResult Inject(const std::string& list) {
    return Trawl({"inject", "--root", root_, "--quiet", "--now", kNow, "--threads", "1", "--partitions", "2", list});
  }

  TemporaryFolder folder_;
  const std::string root_ = folder_.path() + "/crawl";
  std::string first_;
  std::string before_;
};

TEST_F(Adversity, ASignalEndsAJobWithSeventyFiveAndTheSameCommandGoesOn) {
  const std::string list = WriteSeedFile(folder_, 0, 400'000);
  size_t plans = 1;
  for (const int signal : {SIGINT, SIGTERM}) {
    BinaryProcess process({.arguments = {"inject", "--root", root_, "--quiet", "--now", kNow, "--threads", "1",
                                         "--partitions", "2", list}});
    ASSERT_TRUE(WaitForPlan(root_, ++plans));
    process.Signal(signal);
    const BinaryResult result = process.Wait();
    EXPECT_EQ(result.exit_code, 75) << signal;
    EXPECT_EQ(result.err, "trawl: stopped; run the same command again to go on\n");
    EXPECT_EQ(RunsOf(root_), before_);
  }
  ASSERT_EQ(Inject(list).exit_code, 0);
  EXPECT_EQ(AnswerOf(Trawl({"readdb", "stats", "--root", root_, "--json"}))["urls"], 400'000);
}

TEST_F(Adversity, ASignalEndsCompactAndExportToo) {
  ASSERT_EQ(Inject(WriteSeedFile(folder_, 0, 300'000)).exit_code, 0);
  const std::string out = folder_.path() + "/out";
  size_t plans = 2;  // of the two injects
  for (const std::vector<std::string>& verb : {std::vector<std::string>{"compact"}, {"export", out}}) {
    const std::string before = RunsOf(root_);
    std::vector<std::string> arguments = verb;
    for (const char* more : {"--root", root_.c_str(), "--quiet", "--threads", "1"}) arguments.push_back(more);
    BinaryProcess process({.arguments = arguments});
    ASSERT_TRUE(WaitForPlan(root_, ++plans));
    process.Signal(SIGTERM);
    EXPECT_EQ(process.Wait().exit_code, 75) << verb[0];
    EXPECT_EQ(RunsOf(root_), before);
    EXPECT_EQ(Trawl(arguments).exit_code, 0) << verb[0];
    ++plans;
  }
  EXPECT_TRUE(std::filesystem::exists(out + "/_SUCCESS"));
}

TEST_F(Adversity, ALimitOnFileSizesIsAnErrorThatNamesTheFile) {
  const std::string list = WriteSeedFile(folder_, 0, 20'000);
  // In blocks of 512 bytes: enough for the plan, not for the rows.
  const BinaryResult result =
      RunBinary({.program = "/bin/sh",
                 .arguments = {"-c", "ulimit -f 64; exec \"$0\" \"$@\"", TrawlBinary(), "inject", "--root", root_,
                               "--quiet", "--now", kNow, "--partitions", "2", list}});
  EXPECT_EQ(result.exit_code, 3) << "signal " << result.signal;
  EXPECT_TRUE(IsOneLine(result.err)) << result.err;
  EXPECT_NE(result.err.find(root_ + "/crawldb/urls/"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("File too large"), std::string::npos) << result.err;
  EXPECT_EQ(RunsOf(root_), before_);
  EXPECT_EQ(Inject(list).exit_code, 0);
}

TEST_F(Adversity, SpillsBeyondTheLimitNameTheirFolder) {
  const std::string list = WriteSeedFile(folder_, 0, 400'000);
  const BinaryResult result = RunBinary(
      {.program = "/bin/sh",
       .arguments = {"-c", "ulimit -f 2048; exec \"$0\" \"$@\"", TrawlBinary(), "inject", "--root", root_, "--quiet",
                     "--now", kNow, "--partitions", "2", "--memory", "16MiB", "--temp_dir", folder_.path(), list}});
  EXPECT_EQ(result.exit_code, 3) << "signal " << result.signal;
  EXPECT_TRUE(IsOneLine(result.err)) << result.err;
  EXPECT_NE(result.err.find(folder_.path()), std::string::npos) << result.err;
  EXPECT_EQ(RunsOf(root_), before_);
}

TEST_F(Adversity, AFullDiskIsAnErrorThatNamesTheFileAndChangesNothing) {
  const std::string list = WriteSeedFile(folder_, 0, 200'000);
  const std::string disk = folder_.path() + "/disk";
  std::filesystem::create_directory(disk);
  const std::string wrong = InChild([&]() -> std::string {
    if (unshare(CLONE_NEWNS) != 0 || mount("", "/", "", MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=1200k") != 0) {
      return "no mounts";
    }
    const std::string root = disk + "/crawl";
    const auto inject = [&](const std::string& seeds) {
      return Trawl({"inject", "--root", root, "--quiet", "--now", kNow, "--partitions", "2", seeds});
    };
    if (inject(first_).exit_code != 0) return "the first inject failed";
    const std::string before = RunsOf(root);
    const BinaryResult full = inject(list);
    if (full.exit_code != 3 || !IsOneLine(full.err)) return "exit " + std::to_string(full.exit_code) + ": " + full.err;
    if (full.err.find("No space left") == std::string::npos || full.err.find(root) == std::string::npos)
      return full.err;
    if (RunsOf(root) != before) return "something changed";
    if (mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT, "size=64m") != 0) return "no remount";
    const BinaryResult again = inject(list);
    if (again.exit_code != 0) return "with space again: " + again.err;
    if (RunsOf(root) == before) return "nothing changed";
    return "";
  });
  if (wrong == "no mounts") GTEST_SKIP() << "this user may not mount";
  EXPECT_EQ(wrong, "");
}

TEST_F(Adversity, TheBinaryStartsForAnotherUser) {
  const std::string wrong = InChild([]() -> std::string {
    if (getuid() != 0 || setuid(kNobody) != 0) return "not root";
    if (access(TrawlBinary().c_str(), X_OK) != 0) return "not in reach";
    const BinaryResult version = Trawl({"--version"});
    return version.exit_code == 0 ? "" : version.err;
  });
  if (wrong == "not root") GTEST_SKIP() << "only root can become another user";
  if (wrong == "not in reach") GTEST_SKIP() << "the build lies in a folder that is closed to others";
  EXPECT_EQ(wrong, "");
}

// The verb within this process, which may have become another user: the build may lie in a folder closed to that one.
std::pair<int, std::string> TrawlInProcess(const std::vector<std::string>& arguments) {
  std::istringstream in;
  std::ostringstream out, err;
  ProcessContext process{{}, in, out, err, StopToken(), SystemClock(), -1};
  return {RunCommand(Verbs(), arguments, process), err.str()};
}

TEST_F(Adversity, AFolderOfAnotherUserIsAnErrorThatNamesIt) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer does not let a forked child start threads";
#endif
  const TemporaryFolder exported;
  ASSERT_EQ(chmod(folder_.path().c_str(), 0755), 0);
  ASSERT_EQ(chmod(exported.path().c_str(), 0777), 0);
  const std::string wrong = InChild([&]() -> std::string {
    if (getuid() == 0 && setuid(kNobody) != 0) return "cannot become another user";
    if (getuid() != kNobody) return "not root";
    const std::string other = folder_.path() + "/other";
    const std::vector<std::vector<std::string>> commands = {
        {"inject", "--root", root_, "--quiet", "--threads", "1", "https://new.example/"},
        {"inject", "--root", other, "--quiet", "--threads", "1", "https://new.example/"},
        {"compact", "--root", root_, "--quiet", "--threads", "1"},
        {"remove", "--root", root_, "--quiet", "--prefix", "https://host1.example/"},
        {"config", "set", "--root", root_, "--quiet", "job.partitions=3"},
        {"export", other, "--root", root_, "--quiet"}};
    for (const std::vector<std::string>& command : commands) {
      const auto [exit_code, err] = TrawlInProcess(command);
      const bool says_why = err.find("Permission denied") != std::string::npos;
      if (command[0] == "compact" && exit_code == 0) continue;  // one run: there is nothing to do
      if (exit_code != 3 || !IsOneLine(err) || !says_why || err.find(folder_.path()) == std::string::npos) {
        return command[0] + ": exit " + std::to_string(exit_code) + ": " + err;
      }
    }
    const auto [exit_code, err] = TrawlInProcess({"readdb", "stats", "--root", root_});
    if (exit_code != 0) return "reading: " + err;
    // What only reads needs no right to write.
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"remove", "--root", root_, "--dry_run", "--prefix", "https://host1.example/"},
             {"export", exported.path(), "--root", root_, "--threads", "1"}}) {
      const auto [code, why] = TrawlInProcess(command);
      if (code != 0) return command[0] + " of what may be read: " + why;
    }
    return "";
  });
  if (wrong == "not root") GTEST_SKIP() << "only root can become another user";
  EXPECT_EQ(wrong, "");
  EXPECT_EQ(RunsOf(root_), before_);
  EXPECT_TRUE(std::filesystem::exists(exported.path() + "/_SUCCESS"));
}

}  // namespace
}  // namespace trawl
