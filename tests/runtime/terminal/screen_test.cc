// The screen of trawl watch, on a pseudo-terminal.
#include "runtime/terminal/screen.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

class ScreenTest : public ::testing::Test {
 protected:
  ScreenTest() : person_(posix_openpt(O_RDWR | O_NOCTTY)) {
    EXPECT_EQ(grantpt(person_), 0);
    EXPECT_EQ(unlockpt(person_), 0);
    program_ = open(ptsname(person_), O_RDWR | O_NOCTTY);
    EXPECT_GE(program_, 0);
    const winsize size = {.ws_row = 4, .ws_col = 10, .ws_xpixel = 0, .ws_ypixel = 0};
    EXPECT_EQ(ioctl(program_, TIOCSWINSZ, &size), 0);
  }
  ~ScreenTest() override {
    close(program_);
    close(person_);
  }
  // What the person sees next.
  std::string Seen() const {
    char bytes[4096];
    const ssize_t read_bytes = read(person_, bytes, sizeof bytes);
    return std::string(bytes, static_cast<size_t>(std::max<ssize_t>(read_bytes, 0)));
  }
  termios Attributes() const {
    termios attributes = {};
    EXPECT_EQ(tcgetattr(program_, &attributes), 0);
    return attributes;
  }

  int person_ = -1;
  int program_ = -1;
};

TEST_F(ScreenTest, LinesAreHarmlessAndFitTheTerminal) {
  Screen screen(program_, program_);
  Seen();
  screen.Show({"one", "\x1b]0;title\x07 of a site", "three", "four does not fit"});
  const std::string seen = Seen();
  EXPECT_THAT(seen, testing::HasSubstr("one\x1b[K\r\n"));
  EXPECT_THAT(seen, testing::Not(testing::HasSubstr("\x1b]0")));
  EXPECT_THAT(seen, testing::Not(testing::HasSubstr("\x07")));
  EXPECT_THAT(seen, testing::HasSubstr(" ]0;title\xe2\x80\xa6"));
  EXPECT_THAT(seen, testing::Not(testing::HasSubstr("four")));
}

TEST_F(ScreenTest, AKeyIsReadAtOnceAndTheTerminalIsAsBefore) {
  const termios before = Attributes();
  {
    Screen screen(program_, program_);
    EXPECT_EQ(Attributes().c_lflag & (ICANON | ECHO), 0u);
    EXPECT_EQ(screen.WaitForKey(0, {}), std::nullopt);
    ASSERT_EQ(write(person_, "q", 1), 1);
    EXPECT_EQ(screen.WaitForKey(10'000, {}), 'q');
  }
  EXPECT_EQ(Attributes().c_lflag, before.c_lflag);
}

TEST_F(ScreenTest, AStopEndsTheWait) {
  ASSERT_OK_AND_ASSIGN(const StopSource stop, StopSource::Make());
  Screen screen(program_, program_);
  stop.Stop();
  EXPECT_EQ(screen.WaitForKey(60'000, stop.token()), std::nullopt);
}

}  // namespace
}  // namespace trawl
