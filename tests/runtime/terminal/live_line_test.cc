// Text that goes to a terminal by another way than its live line.
#include "runtime/terminal/live_line.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace trawl {
namespace {

std::string Arrived(int fd) {
  char bytes[256];
  fcntl(fd, F_SETFL, O_NONBLOCK);
  const ssize_t count = read(fd, bytes, sizeof bytes);
  return count > 0 ? std::string(bytes, static_cast<size_t>(count)) : "";
}

TEST(LiveLine, IsTakenAwayOnATerminalAlone) {
  setenv("TERM", "xterm", 1);
  int terminal[2], other[2];
  ASSERT_EQ(openpty(&terminal[0], &terminal[1], nullptr, nullptr, nullptr), 0);
  ASSERT_EQ(pipe(other), 0);
  ClearLiveLine(terminal[1]);
  EXPECT_EQ(Arrived(terminal[0]), "\r\x1b[K");
  ClearLiveLine(other[1]);
  EXPECT_EQ(Arrived(other[0]), "") << "lines of a log stay";
  ClearLiveLine(-1);
  setenv("TERM", "dumb", 1);
  ClearLiveLine(terminal[1]);
  EXPECT_EQ(Arrived(terminal[0]), "") << "it cannot show one";
  for (const int fd : {terminal[0], terminal[1], other[0], other[1]}) close(fd);
}

}  // namespace
}  // namespace trawl
