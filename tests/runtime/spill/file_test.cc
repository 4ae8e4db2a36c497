#include "runtime/spill/file.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/process/in_child.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(SpillFile, ReadsBackWhatWasAppended) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(const auto file, SpillFile::Make(folder.path()));
  ASSERT_OK(file->Append("hello "));
  ASSERT_OK(file->Append(""));
  ASSERT_OK(file->Append("world"));
  EXPECT_EQ(file->size(), 11);
  char bytes[5];
  ASSERT_OK(file->ReadAt(6, bytes, 5));
  EXPECT_EQ(std::string(bytes, 5), "world");
  file->Truncate(6);
  ASSERT_OK(file->Append("there"));
  ASSERT_OK(file->ReadAt(6, bytes, 5));
  EXPECT_EQ(std::string(bytes, 5), "there");
}

TEST(SpillFile, HasNoName) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(const auto file, SpillFile::Make(folder.path()));
  ASSERT_OK(file->Append("bytes"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(SpillFile, KillLeavesNothing) {
  const TemporaryFolder folder;
  const std::string end = InChild([&folder]() -> std::string {
    const auto file = SpillFile::Make(folder.path());
    if (file.ok() && (*file)->Append(std::string(1 << 20, 'x')).ok()) raise(SIGKILL);
    return "still here";
  });
  EXPECT_EQ(end, " (the child ended with status " + std::to_string(SIGKILL) + ")");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(SpillFile, ReadingPastTheEndNamesFolderAndPlace) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(const auto file, SpillFile::Make(folder.path()));
  ASSERT_OK(file->Append("bytes"));
  char bytes[6];
  const arrow::Status status = file->ReadAt(0, bytes, 6);
  EXPECT_TRUE(status.IsIOError());
  EXPECT_THAT(status.message(), AllOf(HasSubstr(folder.path()), HasSubstr("reading 6 bytes at 0"), HasSubstr("ends")));
}

TEST(SpillFile, FolderThatCannotTakeItIsNamed) {
  const TemporaryFolder folder;
  const std::string missing = folder.path() + "/missing";
  const std::string no_folder = folder.path() + "/file";
  std::ofstream(no_folder) << "x";
  for (const std::string& path : {missing, no_folder, std::string("/proc")}) {
    const auto file = SpillFile::Make(path);
    ASSERT_TRUE(file.status().IsIOError()) << path;
    EXPECT_THAT(file.status().message(), HasSubstr("temporary folder " + path + ": cannot make a spill file"));
  }
}

TEST(SpillFile, FailedWriteNamesFolderAndLeavesTheRest) {
  const TemporaryFolder folder;
  const auto limited = [&folder]() -> std::string {
    // A limit stands in for a full disk: it cuts a write short, then refuses.
    const rlimit limit{1000, 1000};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return "no limit";
    const auto file = SpillFile::Make(folder.path());
    if (!file.ok() || !(*file)->Append(std::string(600, 'a')).ok()) return "no first write";
    const arrow::Status status = (*file)->Append(std::string(600, 'b'));
    if (!status.IsIOError() || status.message().find(folder.path()) == std::string::npos)
      return "not an IOError with the folder";
    if (status.message().find("writing 600 bytes at 600") == std::string::npos) return "no place in the message";
    if (status.message().find("File too large") == std::string::npos) return "no reason in the message";
    if ((*file)->size() != 600 || !(*file)->Append(std::string(400, 'c')).ok()) return "the rest cannot be written";
    std::string bytes(1000, '\0');
    if (!(*file)->ReadAt(0, bytes.data(), bytes.size()).ok()) return "the rest cannot be read";
    return bytes == std::string(600, 'a') + std::string(400, 'c') ? "" : "other bytes";
  };
  EXPECT_EQ(InChild(limited), "");
}

TEST(SpillFile, DiscardedRangesGiveTheirSpaceBack) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(const auto file, SpillFile::Make(folder.path()));
  for (int i = 0; i < 3; ++i) ASSERT_OK(file->Append(std::string(1 << 20, static_cast<char>('a' + i))));
  file->Discard(0, 2 << 20);
  char byte = 0;
  ASSERT_OK(file->ReadAt(2 << 20, &byte, 1));
  EXPECT_EQ(byte, 'c');
  EXPECT_EQ(file->size(), 3 << 20);
}

}  // namespace
}  // namespace trawl
