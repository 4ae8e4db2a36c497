#include "runtime/process/read_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "tests/support/store/temporary_folder.h"

namespace trawl {
namespace {

class ReadFile : public testing::Test {
 protected:
  std::string Write(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary) << bytes;
    return path_;
  }
  const TemporaryFolder folder_;
  const std::string path_ = folder_.path() + "/file";
};

TEST_F(ReadFile, GivesAllBytesUpToTheLimit) {
  for (const size_t size : {size_t{0}, size_t{1}, size_t{64 << 10}, size_t{(64 << 10) + 1}, size_t{1 << 20}}) {
    const std::string bytes(size, '\0');
    EXPECT_EQ(ReadLocalFile(Write(bytes), 1 << 20).ValueOr("failed"), bytes) << size;
    EXPECT_EQ(ReadLocalFile(path_, static_cast<int64_t>(size)).ValueOr("failed"), bytes) << size;
  }
}

TEST_F(ReadFile, NamesTheFileThatItCannotRead) {
  EXPECT_EQ(ReadLocalFile(Write(std::string((1 << 20) + 1, 'x')), 1 << 20).status().message(),
            path_ + ": is over 1 MiB");
  EXPECT_EQ(ReadLocalFile(path_, 10).status().message(), path_ + ": is over 10 bytes");
  EXPECT_EQ(ReadLocalFile(path_ + "2", 10).status().message(), path_ + "2: there is no such file");
  EXPECT_EQ(ReadLocalFile(folder_.path(), 10).status().message(), folder_.path() + ": cannot be read: Is a directory");
}

// Shells give one for `<(command)`.
TEST_F(ReadFile, APipeIsReadToItsEnd) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  const std::string bytes(200'000, 'x');
  std::thread writer([&] { Write(bytes); });
  EXPECT_EQ(ReadLocalFile(path_, 1 << 20).ValueOr("failed"), bytes);
  writer.join();
}

TEST_F(ReadFile, APipeWithoutAWriterIsNotWaitedFor) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(ReadLocalFile(path_, 1 << 20).status().message(), path_ + ": nobody writes to this pipe");
}

TEST_F(ReadFile, ADeviceIsReadUpToAMegabyte) {
  EXPECT_EQ(ReadLocalFile("/dev/null", 1 << 20).ValueOr("failed"), "");
  EXPECT_EQ(ReadLocalFile("/dev/zero", int64_t{1} << 40).status().message(), "/dev/zero: is over 1 MiB");
}

TEST_F(ReadFile, WhatMustBeAFileIsNoPipeFolderOrDevice) {
  EXPECT_EQ(ReadRegularFile(Write("text"), 10).ValueOr("failed"), "text");
  const std::string pipe = folder_.path() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, folder_.path(), std::string("/dev/zero"), std::string("/dev/null")}) {
    EXPECT_EQ(ReadRegularFile(path, 10).status().message(), path + ": it is not a file");
  }
}

}  // namespace
}  // namespace trawl
