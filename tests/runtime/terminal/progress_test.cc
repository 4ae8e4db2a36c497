#include "runtime/terminal/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <future>

#include "tests/support/process/manual_clock.h"

namespace trawl {
namespace {

// Both ends of a pipe or terminal; reads what has arrived.
class Ends {
 public:
  ~Ends() {
    close(read_end);
    close(write_end);
  }
  std::string Arrived() const {
    char bytes[4096];
    fcntl(read_end, F_SETFL, O_NONBLOCK);
    const ssize_t count = read(read_end, bytes, sizeof(bytes));
    return count > 0 ? std::string(bytes, static_cast<size_t>(count)) : "";
  }
  int read_end = -1;
  int write_end = -1;
};

struct PipeEnds : Ends {
  PipeEnds() {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    read_end = ends[0];
    write_end = ends[1];
  }
};

struct TerminalEnds : Ends {
  explicit TerminalEnds(uint16_t columns) {
    winsize size = {.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    EXPECT_EQ(openpty(&read_end, &write_end, nullptr, nullptr, &size), 0);
  }
  void Resize(uint16_t columns) {
    winsize size = {.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    EXPECT_EQ(ioctl(write_end, TIOCSWINSZ, &size), 0);
  }
};

std::string Rows() { return "1,234 rows"; }

TEST(Progress, ElsewhereALineComesEveryThirtySeconds) {
  const PipeEnds ends;
  ManualClock clock;
  ProgressPrinter printer({ProgressMode::kLines, ends.write_end, "inject"}, clock, Rows);
  printer.Tick();
  clock.Advance(29'999);
  printer.Tick();
  EXPECT_EQ(ends.Arrived(), "");
  clock.Advance(1);
  printer.Tick();
  printer.Tick();
  EXPECT_EQ(ends.Arrived(), "inject 30 s: 1,234 rows\n");
  clock.Advance(30'000);
  printer.Tick();
  EXPECT_EQ(ends.Arrived(), "inject 1 min: 1,234 rows\n");
  printer.Say("a retry");
  printer.Finish();
  EXPECT_EQ(ends.Arrived(), "a retry\n");
}

TEST(Progress, OnATerminalOneLineIsRewrittenAndTakenAway) {
  const TerminalEnds ends(80);
  ManualClock clock;
  ProgressPrinter printer({ProgressMode::kLive, ends.write_end, "inject"}, clock, Rows);
  printer.Tick();
  EXPECT_EQ(ends.Arrived(), "");
  clock.Advance(250);
  printer.Tick();
  printer.Tick();
  EXPECT_EQ(ends.Arrived(), "\rinject 0 ms: 1,234 rows\x1b[K");
  clock.Advance(2'000);
  printer.Tick();
  EXPECT_EQ(ends.Arrived(), "\rinject 2 s: 1,234 rows\x1b[K");
  printer.Say("a retry");
  EXPECT_EQ(ends.Arrived(), "\r\x1b[Ka retry\r\n");
  printer.Finish();
  EXPECT_EQ(ends.Arrived(), "\r\x1b[K");
}

TEST(Progress, TheLiveLineFollowsTheWidth) {
  TerminalEnds ends(20);
  ManualClock clock;
  ProgressPrinter printer({ProgressMode::kLive, ends.write_end, "t"}, clock,
                          [] { return std::string("äöü\nabcdefghijklmnop"); });
  clock.Advance(1'000);
  printer.Tick();
  EXPECT_EQ(ends.Arrived(), "\rt 1 s: äöü abcdefg…\x1b[K");
  ends.Resize(12);
  clock.Advance(1'000);
  printer.Tick();
  EXPECT_EQ(ends.Arrived(), "\rt 2 s: äöü…\x1b[K");
  ends.Resize(1);
  clock.Advance(1'000);
  printer.Tick();
  EXPECT_EQ(ends.Arrived(), "\r\x1b[K");
}

TEST(Progress, AStoppedTerminalHoldsNothingUp) {
  const TerminalEnds ends(80);
  ManualClock clock;
  ProgressPrinter printer({ProgressMode::kLive, ends.write_end, "t"}, clock, Rows);
  ASSERT_EQ(tcflow(ends.write_end, TCOOFF), 0);
  clock.Advance(1'000);
  printer.Tick();
  printer.Finish();
  ASSERT_EQ(tcflow(ends.write_end, TCOON), 0);
}

TEST(Progress, SilenceIsSilent) {
  const PipeEnds ends;
  ManualClock clock;
  ProgressPrinter printer({ProgressMode::kSilent, ends.write_end, "t"}, clock, Rows);
  clock.Advance(100'000);
  printer.Tick();
  printer.Say("x");
  printer.Finish();
  EXPECT_EQ(ends.Arrived(), "");
}

TEST(Progress, ModeFollowsWhereItIsShown) {
  const PipeEnds ends;
  const TerminalEnds terminal(80);
  setenv("TERM", "xterm", 1);
  EXPECT_EQ(ChooseProgressMode(terminal.write_end, false), ProgressMode::kLive);
  EXPECT_EQ(ChooseProgressMode(terminal.write_end, true), ProgressMode::kSilent);
  EXPECT_EQ(ChooseProgressMode(ends.write_end, false), ProgressMode::kLines);
  EXPECT_EQ(ChooseProgressMode(-1, false), ProgressMode::kSilent);
  setenv("TERM", "dumb", 1);
  EXPECT_EQ(ChooseProgressMode(terminal.write_end, false), ProgressMode::kLines);
  unsetenv("TERM");
  EXPECT_EQ(ChooseProgressMode(terminal.write_end, false), ProgressMode::kLines);
}

TEST(Progress, TheThreadAsksTheSourceUntilTheWorkEnds) {
  const PipeEnds ends;
  ManualClock clock;
  std::promise<void> asked;
  {
    bool is_first = true;
    const Progress progress({ProgressMode::kLines, ends.write_end, "t"}, clock, [&asked, &is_first] {
      if (is_first) asked.set_value();
      is_first = false;
      return std::string("x");
    });
    clock.Advance(30'000);
    asked.get_future().wait();
  }
  EXPECT_EQ(ends.Arrived(), "t 30 s: x\n");
}

}  // namespace
}  // namespace trawl
