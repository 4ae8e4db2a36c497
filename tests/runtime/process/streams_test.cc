// Standard input and output as streams: runtime/process/input.h and runtime/process/output.h.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <sstream>
#include <string>

#include "runtime/process/file_descriptor.h"
#include "runtime/process/input.h"
#include "runtime/process/output.h"
#include "runtime/process/status_detail.h"

namespace trawl {
namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    reader = FileDescriptor(ends[0]);
    writer = FileDescriptor(ends[1]);
  }
  FileDescriptor reader, writer;
};

TEST(OutputStream, WhatIsWrittenArrivesWhole) {
  Pipe pipe;
  OutputStream out(pipe.writer.get());
  out << "one " << 2 << '\n';
  ASSERT_TRUE(out.Finish().ok());
  char bytes[16] = {};
  EXPECT_EQ(read(pipe.reader.get(), bytes, sizeof(bytes)), 6);
  EXPECT_STREQ(bytes, "one 2\n");
}

TEST(OutputStream, AReaderThatGoesAwayIsNoFailure) {
  std::signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  OutputStream out(pipe.writer.get());
  pipe.reader.Close();
  EXPECT_TRUE(CheckOutput(out).ok());
  out << std::string(1 << 20, 'x');
  EXPECT_EQ(KindOf(CheckOutput(out)), StatusKind::kOutputClosed);
  EXPECT_EQ(KindOf(out.Finish()), StatusKind::kOutputClosed);
}

TEST(OutputStream, AFullDiskIsAFailure) {
  const FileDescriptor full(open("/dev/full", O_WRONLY));
  OutputStream out(full.get());
  out << "x";
  const arrow::Status status = out.Finish();
  EXPECT_TRUE(status.IsIOError());
  EXPECT_EQ(KindOf(status), std::nullopt);
}

TEST(InputStream, LinesAreReadToTheEnd) {
  Pipe pipe;
  ASSERT_EQ(write(pipe.writer.get(), "a\nb", 3), 3);
  pipe.writer.Close();
  InputStream in(pipe.reader.get(), {}, nullptr);
  std::string line;
  EXPECT_TRUE(std::getline(in, line) && line == "a");
  EXPECT_TRUE(std::getline(in, line) && line == "b");
  EXPECT_FALSE(std::getline(in, line));
  EXPECT_FALSE(in.bad());
}

TEST(InputStream, OutputIsFlushedBeforeItWaits) {
  Pipe input, output;
  ASSERT_EQ(write(input.writer.get(), "a\n", 2), 2);
  input.writer.Close();
  OutputStream out(output.writer.get());
  InputStream in(input.reader.get(), {}, &out);
  std::string line;
  std::getline(in, line);
  out << "answer";
  fcntl(output.reader.get(), F_SETFL, O_NONBLOCK);
  char bytes[16];
  EXPECT_EQ(read(output.reader.get(), bytes, sizeof(bytes)), -1);
  std::getline(in, line);
  EXPECT_EQ(read(output.reader.get(), bytes, sizeof(bytes)), 6);
}

TEST(InputStream, OnceStoppedItEndsThoughMoreMightCome) {
  Pipe pipe;
  const StopSource source = StopSource::Make().ValueOrDie();
  InputStream in(pipe.reader.get(), source.token(), nullptr);
  source.Stop();
  std::string line;
  EXPECT_FALSE(std::getline(in, line));
  EXPECT_TRUE(in.eof());
}

TEST(InputStream, AFailedReadIsSeen) {
  const FileDescriptor folder(open("/", O_RDONLY));
  InputStream in(folder.get(), {}, nullptr);
  std::string line;
  EXPECT_FALSE(std::getline(in, line));
  EXPECT_TRUE(in.bad());
}

}  // namespace
}  // namespace trawl
