#include "runtime/terminal/event_log.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/support/process/manual_clock.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

constexpr TimeMs kTime = 1'767'225'600'250;

std::string TextLine(const Json& fields) {
  return LogLine(LogFormat::kText, kTime, LogLevel::kWarning, "said", fields);
}

std::vector<std::string> LinesOf(const std::string& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(LogLine, HasTimeLevelEventAndFields) {
  EXPECT_EQ(TextLine({{"job", "j-1"}, {"snapshot", 3}, {"text", "two words"}}),
            "2026-01-01T00:00:00.250Z warning said job=j-1 snapshot=3 text=\"two words\"");
  EXPECT_EQ(LogLine(LogFormat::kJson, kTime, LogLevel::kInfo, "job_began", {{"job", "j-1"}}),
            R"({"time":"2026-01-01T00:00:00.250Z","level":"info","event":"job_began","job":"j-1"})");
}

TEST(LogLine, IsOneLineWhateverAFieldHolds) {
  for (const std::string& text : {std::string("a\nb\r\n"), std::string("\0\x1b[31m\x7f", 7), std::string("\xff\xfe"),
                                  std::string("level=error\" x=\"1"), std::string("\u2028\u0085"), std::string()}) {
    for (const LogFormat format : {LogFormat::kText, LogFormat::kJson}) {
      const std::string line = LogLine(format, kTime, LogLevel::kInfo, "said", {{"text", text}});
      EXPECT_TRUE(std::none_of(line.begin(), line.end(), [](unsigned char c) { return c < ' ' || c == 127; })) << line;
    }
    EXPECT_TRUE(ParseJson(LogLine(LogFormat::kJson, kTime, LogLevel::kInfo, "said", {{"text", text}})).ok());
  }
  EXPECT_EQ(TextLine({{"text", "a=\"b\""}}), "2026-01-01T00:00:00.250Z warning said text=\"a=\\\"b\\\"\"");
}

TEST(EventLog, SeveralWritersShareAFile) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/log";
  const ManualClock clock;
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 4; ++writer) {
    writers.emplace_back([&] {
      const auto log = *EventLog::Open(LogFormat::kJson, file, clock);
      for (int i = 0; i < 200; ++i) log->Write(LogLevel::kInfo, "said", {{"text", std::string(300, 'x')}});
    });
  }
  for (std::thread& writer : writers) writer.join();
  const auto lines = LinesOf(file);
  EXPECT_EQ(lines.size(), 800u);
  for (const std::string& line : lines) ASSERT_TRUE(ParseJson(line).ok()) << line;
}

TEST(EventLog, AFileThatCannotBeWrittenIsNamed) {
  const ManualClock clock;
  const auto log = EventLog::Open(LogFormat::kText, "/no/such/folder/log", clock);
  ASSERT_FALSE(log.ok());
  EXPECT_EQ(log.status().message(),
            "--log_file /no/such/folder/log: No such file or directory; name a file that can be written");
}

TEST(EventLog, AFullDiskDropsLinesAndNoMore) {
  const ManualClock clock;
  ASSERT_OK_AND_ASSIGN(const auto log, EventLog::Open(LogFormat::kText, "/dev/full", clock));
  log->Write(LogLevel::kInfo, "said", {{"text", "x"}});
}

TEST(EventLog, ALineThatAnotherProcessLeftTornStaysAlone) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/log";
  const ManualClock clock;
  std::ofstream(file) << "2026-01-01T00:00:00Z info said te";
  const auto log = *EventLog::Open(LogFormat::kText, file, clock);
  log->Write(LogLevel::kInfo, "b", Json::object());
  log->Write(LogLevel::kInfo, "c", Json::object());
  const auto lines = LinesOf(file);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(lines[0].ends_with(" te")) << lines[0];
  EXPECT_TRUE(lines[1].ends_with(" info b")) << lines[1];
}

TEST(EventLog, NeverWaitsForTheReaderOfAPipe) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/pipe";
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  const ManualClock clock;
  const auto unread = EventLog::Open(LogFormat::kText, file, clock);
  ASSERT_FALSE(unread.ok());
  EXPECT_EQ(unread.status().message(), "--log_file " + file + ": nobody reads this pipe; start its reader first");

  const FileDescriptor reader(open(file.c_str(), O_RDONLY | O_NONBLOCK));
  const auto log = *EventLog::Open(LogFormat::kText, file, clock);
  for (int i = 0; i < 100; ++i) log->Write(LogLevel::kInfo, "said", {{"text", std::string(4000, 'x')}});
  char bytes[100];
  EXPECT_GT(read(reader.get(), bytes, sizeof bytes), 0) << "what there was room for";
}

TEST(LoggedStream, WarningsAreWarnings) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/log";
  const ManualClock clock;
  const auto log = *EventLog::Open(LogFormat::kText, file, clock);
  std::ostringstream err;
  LoggedStream stream(*log, &err);
  stream << "taking up\n";
  Warn(stream, "bad line\n");
  stream << "done\n";
  Warn(err, "without a log\n");
  EXPECT_EQ(err.str(), "taking up\nbad line\ndone\nwithout a log\n");
  const auto lines = LinesOf(file);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(lines[1].ends_with(" warning said text=\"bad line\"")) << lines[1];
  EXPECT_TRUE(lines[2].ends_with(" info said text=done")) << lines[2];
}

TEST(LoggedStream, PassesTextOnAndLogsItsLines) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/log";
  const ManualClock clock;
  const auto log = *EventLog::Open(LogFormat::kText, file, clock);
  std::ostringstream err;
  {
    LoggedStream stream(*log, &err);
    stream << "round " << 1 << ": 2 outcomes\n\nand " << std::flush << "more" << std::endl << "no end";
  }
  EXPECT_EQ(err.str(), "round 1: 2 outcomes\n\nand more\nno end");
  const auto lines = LinesOf(file);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(lines[0].ends_with(" info said text=\"round 1: 2 outcomes\"")) << lines[0];
  EXPECT_TRUE(lines[1].ends_with("text=\"and more\"")) << lines[1];
  EXPECT_TRUE(lines[2].ends_with("text=\"no end\"")) << lines[2];
}

}  // namespace
}  // namespace trawl
