#include "runtime/backends/local.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <grp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>

#include "arrow/io/interfaces.h"
#include "runtime/store/path.h"
#include "runtime/store/status.h"
#include "tests/support/process/in_child.h"
#include "tests/support/store/conformance.h"
#include "tests/support/store/faulty_store.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {

namespace {

std::string RootBelow(const std::string& folder, const std::string&) { return folder + "/not/yet/there"; }

// A root in memory, where possible: another file system than that of the temporary folders.
std::string RootInMemory(const std::string& folder, const std::string& test) {
  static const TemporaryFolder in_memory(std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : "");
  return in_memory.path() + "/" + NameOf(folder) + "/" + test;
}

StoreUnderTest Local(const std::string& name, const LocalDraftOptions& options) {
  return {name, RootBelow, [options](const std::string& root) -> arrow::Result<std::shared_ptr<Store>> {
            return OpenLocalStore(root, options);
          }};
}

StoreUnderTest InMemory() {
  StoreUnderTest store = Local("Memory", {});
  store.make_root = RootInMemory;
  return store;
}

StoreUnderTest WithoutFaults() {
  StoreUnderTest store = Local("FaultyWithoutFaults", {.sync = false});
  store.open = [open = store.open](const std::string& root) -> arrow::Result<std::shared_ptr<Store>> {
    ARROW_ASSIGN_OR_RAISE(auto inner, open(root));
    return std::make_shared<FaultyStore>(std::move(inner), FaultPlan());
  };
  return store;
}

INSTANTIATE_TEST_SUITE_P(Local, StoreConformance,
                         testing::Values(Local("Disk", {}), Local("DiskWithoutSync", {.sync = false}), InMemory(),
                                         Local("NamedTemporaries", {.sync = false, .named_temporaries = true}),
                                         WithoutFaults()),
                         StoreName);

std::string BecomeNobody() {
  constexpr uid_t kNobody = 65534;
  if (setgroups(0, nullptr) != 0 || setgid(kNobody) != 0 || setuid(kNobody) != 0) return "cannot become nobody";
  return "";
}

arrow::Status WriteFile(Store& store, const std::string& path, std::string_view content) {
  ARROW_ASSIGN_OR_RAISE(auto writer, store.OpenWriter(path));
  ARROW_RETURN_NOT_OK(writer->stream()->Write(content));
  return writer->Commit().status();
}

// Says what is wrong with `status` unless it is an IOError that names both; "" otherwise.
std::string UnlessIOError(const arrow::Status& status, const std::string& path, const std::string& reason) {
  const std::string text = status.ToString();
  if (status.IsIOError() && !IsNotFound(status) && text.find(path) != text.npos && text.find(reason) != text.npos) {
    return "";
  }
  return text + "\n";
}

std::vector<std::string> AllNames(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) names.push_back(entry.path());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST(LocalStore, FolderThatMayNotBeWrittenIsAnErrorAndStaysAsItIs) {
  if (getuid() != 0) GTEST_SKIP() << "needs root to become another user";
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(auto store, OpenLocalStore(folder.path() + "/crawl", {}));
  ASSERT_OK(WriteFile(*store, "snapshots/0", "x"));
  const auto before = AllNames(folder.path());
  EXPECT_EQ(InChild([&] {
              std::string wrong = BecomeNobody();
              const std::string reason = "Permission denied";
              wrong += UnlessIOError(store->OpenWriter("snapshots/1").status(), "snapshots/1", reason);
              wrong += UnlessIOError(store->OpenWriter("new/1").status(), "crawl/new", reason);
              wrong += UnlessIOError(store->CreateExclusive("snapshots/1", "y").status(), "snapshots/1", reason);
              wrong += UnlessIOError(store->Remove("snapshots/0"), "snapshots/0", reason);
              wrong += UnlessIOError(store->RemoveFolder("snapshots"), "snapshots", reason);
              if (store->ReadWhole("snapshots/0", 1).ValueOr("") != "x") wrong += "may not read";
              return wrong;
            }),
            "");
  EXPECT_EQ(AllNames(folder.path()), before);
}

TEST(LocalStore, WhatMayNotBeReadIsNotMissing) {
  if (getuid() != 0) GTEST_SKIP() << "needs root to become another user";
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(auto store, OpenLocalStore(folder.path(), {}));
  ASSERT_OK(WriteFile(*store, "closed/file", "x"));
  ASSERT_OK(WriteFile(*store, "secret", "x"));
  ASSERT_EQ(chmod((folder.path() + "/closed").c_str(), 0), 0);
  ASSERT_EQ(chmod((folder.path() + "/secret").c_str(), 0), 0);
  EXPECT_EQ(InChild([&] {
              std::string wrong = BecomeNobody();
              const std::string reason = "Permission denied";
              wrong += UnlessIOError(store->ReadWhole("secret", 1).status(), "secret", reason);
              wrong += UnlessIOError(store->OpenUnverified("closed/file").status(), "closed/file", reason);
              wrong += UnlessIOError(store->Exists("closed/file").status(), "closed/file", reason);
              wrong += UnlessIOError(store->List("closed", false).status(), "closed", reason);
              wrong += UnlessIOError(store->List("", true).status(), "closed", reason);
              return wrong;
            }),
            "");
}

TEST(LocalStore, FileThatBecomesTooLargeIsNotNamed) {
  const TemporaryFolder folder;
  for (const bool named_temporaries : {false, true}) {
    ASSERT_OK_AND_ASSIGN(auto store, OpenLocalStore(folder.path(), {.named_temporaries = named_temporaries}));
    EXPECT_EQ(InChild([&] {
                std::signal(SIGXFSZ, SIG_IGN);
                const rlimit limit = {3'000'000, 3'000'000};
                setrlimit(RLIMIT_FSIZE, &limit);
                auto writer = store->OpenWriter("large").ValueOrDie();
                std::string wrong = UnlessIOError(writer->stream()->Write(NoiseBytes(4'000'000)), "large", "too large");
                // The first error stays, whatever is done after it.
                wrong += UnlessIOError(writer->stream()->Write("x"), "large", "too large");
                wrong += UnlessIOError(writer->Commit().status(), "large", "too large");
                wrong +=
                    UnlessIOError(store->CreateExclusive("large", NoiseBytes(4'000'000)).status(), "large", "large");
                return wrong;
              }),
              "");
    EXPECT_TRUE(AllNames(folder.path()).empty());
  }
}

TEST(LocalStore, FullDiskIsAnErrorAndLeavesNothing) {
  const TemporaryFolder folder;
  const std::string wrong = InChild([&]() -> std::string {
    // A disk of 2 MiB that only this process sees.
    if (unshare(CLONE_NEWNS) != 0 || mount("", "/", "", MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=2m") != 0) {
      return "cannot mount";
    }
    auto store = OpenLocalStore(folder.path(), {}).ValueOrDie();
    const std::string content = NoiseBytes(5 << 20);
    std::string found = UnlessIOError(WriteFile(*store, "large", content), "large", "No space left");
    found += UnlessIOError(store->CreateExclusive("large", content).status(), "large", "No space left");
    if (!AllNames(folder.path()).empty()) found += "something was left";
    if (const auto small = WriteFile(*store, "small", "fits"); !small.ok()) found += small.ToString();
    return found;
  });
  if (wrong == "cannot mount") GTEST_SKIP() << "needs the right to mount";
  EXPECT_EQ(wrong, "");
}

TEST(LocalStore, ReadOnlyDiskIsAnError) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(auto store, OpenLocalStore(folder.path() + "/crawl", {}));
  ASSERT_OK(WriteFile(*store, "there", "x"));
  const std::string wrong = InChild([&]() -> std::string {
    if (unshare(CLONE_NEWNS) != 0 || mount("", "/", "", MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount(folder.path().c_str(), folder.path().c_str(), "", MS_BIND, nullptr) != 0 ||
        mount("", folder.path().c_str(), "", MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) != 0) {
      return "cannot mount";
    }
    const std::string reason = "Read-only file system";
    std::string found = UnlessIOError(store->OpenWriter("new").status(), "new", reason);
    found += UnlessIOError(store->OpenWriter("folder/new").status(), "folder", reason);
    found += UnlessIOError(store->CreateExclusive("new", "x").status(), "new", reason);
    found += UnlessIOError(store->Remove("there"), "there", reason);
    if (store->ReadWhole("there", 1).ValueOr("") != "x") found += "may not read";
    return found;
  });
  if (wrong == "cannot mount") GTEST_SKIP() << "needs the right to mount";
  EXPECT_EQ(wrong, "");
}

TEST(LocalStore, KillLeavesNothing) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(auto store, OpenLocalStore(folder.path(), {}));
  const pid_t child = fork();
  if (child == 0) {
    auto writer = store->OpenWriter("killed").ValueOrDie();
    if (!writer->stream()->Write(NoiseBytes(3 << 20)).ok()) _exit(1);
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  const auto names = AllNames(folder.path());
  for (const std::string& name : names) EXPECT_TRUE(IsTemporaryPath(name)) << name;
  if (const int probe = open(folder.path().c_str(), O_TMPFILE | O_WRONLY, 0600); probe >= 0) {
    close(probe);
    EXPECT_TRUE(names.empty());
  }
}

TEST(LocalStore, OddThingsInAFilesPlaceAreErrors) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(auto store, OpenLocalStore(folder.path(), {}));
  ASSERT_EQ(mkfifo((folder.path() + "/pipe").c_str(), 0644), 0);
  ASSERT_EQ(symlink("nowhere", (folder.path() + "/dangling").c_str()), 0);
  std::filesystem::create_directory(folder.path() + "/folder");
  std::ofstream(folder.path() + "/file") << "x";
  EXPECT_EQ(UnlessIOError(store->OpenUnverified("pipe").status(), "pipe", "not a regular file"), "");
  EXPECT_EQ(UnlessIOError(store->ReadWhole("folder", 1).status(), "folder", "Is a directory"), "");
  EXPECT_EQ(UnlessIOError(store->ReadWhole("file/below", 1).status(), "file/below", "Not a directory"), "");
  EXPECT_EQ(UnlessIOError(store->List("file", false).status(), "file", "Not a directory"), "");
  EXPECT_EQ(UnlessIOError(store->OpenWriter("file/below").status(), "file", "Not a directory"), "");
  EXPECT_EQ(UnlessIOError(store->Remove("folder"), "folder", "Is a directory"), "");
  EXPECT_EQ(UnlessIOError(store->RemoveFolder("file"), "file", "Not a directory"), "");
  EXPECT_TRUE(IsNotFound(store->ReadWhole("dangling", 1).status()));
  EXPECT_EQ(store->CreateExclusive("dangling", "x").ValueOrDie(), CreateOutcome::kExists);
  EXPECT_TRUE(IsNotFound(store->ReadWhole("dangling", 1).status()));
}

TEST(LocalStore, LinkedFoldersAreListedOnceAndNotEmptied) {
  const TemporaryFolder folder;
  const TemporaryFolder elsewhere;
  ASSERT_OK_AND_ASSIGN(auto store, OpenLocalStore(folder.path(), {}));
  ASSERT_OK(WriteFile(*store, "data/file", "x"));
  std::ofstream(elsewhere.path() + "/kept") << "x";
  std::filesystem::create_directory_symlink(elsewhere.path(), folder.path() + "/data/linked");
  std::filesystem::create_directory_symlink("..", folder.path() + "/data/up");
  ASSERT_OK_AND_ASSIGN(const auto entries, store->List("", true));
  std::vector<std::string> paths;
  for (const StoreEntry& entry : entries) paths.push_back(entry.path);
  EXPECT_THAT(paths, testing::ElementsAre("data", "data/file", "data/linked", "data/linked/kept", "data/up"));
  ASSERT_OK(store->RemoveFolder("data"));
  EXPECT_TRUE(std::filesystem::exists(elsewhere.path() + "/kept"));
}

TEST(LocalStore, RootIsAFile) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/root") << "x";
  ASSERT_OK_AND_ASSIGN(auto store, OpenLocalStore(folder.path() + "/root", {}));
  EXPECT_EQ(UnlessIOError(store->List("", false).status(), "/root", "Not a directory"), "");
  EXPECT_EQ(UnlessIOError(store->ReadWhole("snapshots/0", 1).status(), "/root", "Not a directory"), "");
  EXPECT_EQ(UnlessIOError(store->OpenWriter("a/b").status(), "/root", "Not a directory"), "");
}

TEST(LocalStore, FileThatShrinksWhileItIsReadIsAnError) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(auto store, OpenLocalStore(folder.path(), {}));
  const std::string content = NoiseBytes(3 << 20);
  ASSERT_OK(WriteFile(*store, "file", content));
  ASSERT_OK_AND_ASSIGN(const auto file, store->OpenVerified("file", SealOf(content)));
  ASSERT_OK(file->ReadAt(0, 10));
  std::filesystem::resize_file(folder.path() + "/file", 1'500'000);
  EXPECT_EQ(UnlessIOError(file->ReadAt(1'200'000, 10).status(), "file", "ends at byte 1500000"), "");
  EXPECT_OK(file->ReadAt(0, 10));
}

TEST(OpenStore, KnowsWhichStoreARootMeans) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(auto by_path, OpenStore(folder.path() + "/crawl/"));
  ASSERT_OK_AND_ASSIGN(auto by_uri, OpenStore("file://" + folder.path() + "/crawl"));
  EXPECT_EQ(by_path->Describe(), folder.path() + "/crawl");
  ASSERT_OK(WriteFile(*by_path, "a/b", "x"));
  EXPECT_EQ(by_uri->ReadWhole("a/b", 1).ValueOr(""), "x");
  for (const char* root : {"", "file://host/path", "http://host/path", "s3a://bucket/path"}) {
    EXPECT_TRUE(OpenStore(root).status().IsInvalid()) << root;
  }
}

TEST(OpenStore, RelativeRootIsThatOfTheMoment) {
  const TemporaryFolder folder;
  EXPECT_EQ(InChild([&]() -> std::string {
              if (chdir(folder.path().c_str()) != 0) return "chdir";
              auto store = OpenStore("./crawl").ValueOrDie();
              if (chdir("/") != 0) return "chdir";
              if (const auto status = WriteFile(*store, "file", "x"); !status.ok()) return status.ToString();
              return store->Describe() == folder.path() + "/crawl" ? "" : store->Describe();
            }),
            "");
  EXPECT_TRUE(std::filesystem::exists(folder.path() + "/crawl/file"));
}

}  // namespace trawl
