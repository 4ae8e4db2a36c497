#include "runtime/terminal/screen.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "runtime/terminal/progress.h"
#include "runtime/terminal/text.h"

namespace trawl {

namespace {

constexpr char kHome[] = "\x1b[H";
constexpr char kToEndOfLine[] = "\x1b[K";
constexpr char kToEndOfScreen[] = "\x1b[J";
constexpr size_t kUsualRows = 24;

size_t RowsOf(int fd) {
  winsize size = {};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : kUsualRows;
}

void WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace

Screen::Screen(int out, int in) : out_(out), in_(in) {
  has_keys_ = tcgetattr(in_, &before_) == 0;
  if (has_keys_) {
    termios keys = before_;
    keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    has_keys_ = tcsetattr(in_, TCSANOW, &keys) == 0;
  }
  WriteAll(out_, std::string(kHome) + kToEndOfScreen);
}

Screen::~Screen() {
  if (has_keys_) tcsetattr(in_, TCSANOW, &before_);
}

void Screen::Show(const std::vector<std::string>& lines) {
  const size_t columns = TerminalColumns(out_), rows = RowsOf(out_);
  std::string text = kHome;
  // The last row stays free, so that nothing scrolls.
  for (size_t i = 0; i < std::min(lines.size(), rows - 1); ++i) {
    text += CutToColumns(Printable(lines[i]), columns) + kToEndOfLine + "\n";
  }
  WriteAll(out_, text + kToEndOfScreen);
}

std::optional<char> Screen::WaitForKey(int64_t ms, const StopToken& stop) {
  pollfd waits[2] = {{.fd = has_keys_ ? in_ : -1, .events = POLLIN, .revents = 0},
                     {.fd = stop.wait_fd(), .events = POLLIN, .revents = 0}};
  if (poll(waits, 2, static_cast<int>(ms)) <= 0 || (waits[0].revents & (POLLIN | POLLHUP)) == 0) return std::nullopt;
  char key = 0;
  if (read(in_, &key, 1) == 1) return key;
  has_keys_ = false;  // the terminal is gone
  return std::nullopt;
}

void Screen::Pause(int64_t ms, const StopToken& stop) {
  pollfd wait = {.fd = stop.wait_fd(), .events = POLLIN, .revents = 0};
  poll(&wait, 1, static_cast<int>(ms));
}

}  // namespace trawl
