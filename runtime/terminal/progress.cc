#include "runtime/terminal/progress.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "runtime/terminal/text.h"
#include "runtime/terminal/units.h"

namespace trawl {

namespace {

constexpr int64_t kLiveIntervalMs = 250;     // nobody reads faster than that
constexpr int64_t kLineIntervalMs = 30'000;  // a day adds 2,880 lines to a log
constexpr size_t kUsualColumns = 80;
constexpr std::string_view kClearLine = "\r\x1b[K";

int64_t IntervalMs(ProgressMode mode) { return mode == ProgressMode::kLive ? kLiveIntervalMs : kLineIntervalMs; }

bool TakesMore(int fd) {
  pollfd ready{fd, POLLOUT, 0};
  return poll(&ready, 1, 0) == 1 && (ready.revents & POLLOUT) != 0;
}

}  // namespace

size_t TerminalColumns(int fd) {
  winsize size = {};
  const bool is_known = ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : kUsualColumns;
}

ProgressMode ChooseProgressMode(int fd, bool is_quiet) {
  if (is_quiet || fd < 0) return ProgressMode::kSilent;
  const char* terminal = std::getenv("TERM");
  const bool can_move_cursor = terminal != nullptr && std::string_view(terminal) != "dumb";
  return isatty(fd) != 0 && can_move_cursor ? ProgressMode::kLive : ProgressMode::kLines;
}

ProgressPrinter::ProgressPrinter(ProgressSettings settings, const Clock& clock, ProgressSource source)
    : settings_(std::move(settings)),
      clock_(clock),
      source_(std::move(source)),
      start_ms_(clock.MonotonicMs()),
      next_ms_(start_ms_ + IntervalMs(settings_.mode)) {}

std::string ProgressPrinter::Line() const {
  return settings_.title + " " + ReadableDuration((clock_.MonotonicMs() - start_ms_) / 1000 * 1000) + ": " + source_();
}

void ProgressPrinter::Tick() {
  const int64_t now_ms = clock_.MonotonicMs();
  if (settings_.mode == ProgressMode::kSilent || now_ms < next_ms_) return;
  next_ms_ = now_ms + IntervalMs(settings_.mode);
  if (settings_.mode == ProgressMode::kLines) {
    Write(CutToColumns(Line(), 1000) + "\n");
    return;
  }
  // The last column stays free: some terminals wrap as soon as it is written.
  const std::string text = CutToColumns(Line(), TerminalColumns(settings_.fd) - 1);
  if (TakesMore(settings_.fd)) Write("\r" + text + "\x1b[K");
}

void ProgressPrinter::Say(std::string_view line) {
  if (settings_.mode == ProgressMode::kSilent) return;
  const std::string text = CutToColumns(line, 1000) + "\n";
  Write(settings_.mode == ProgressMode::kLive ? std::string(kClearLine) + text : text);
}

void ProgressPrinter::Finish() {
  if (settings_.mode == ProgressMode::kLive && TakesMore(settings_.fd)) Write(kClearLine);
}

void ProgressPrinter::Write(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t written = write(settings_.fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    // Progress that cannot be shown is no reason to fail the work.
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

Progress::Progress(const ProgressSettings& settings, const Clock& clock, ProgressSource source)
    : printer_(settings, clock, std::move(source)) {
  if (settings.mode != ProgressMode::kSilent) thread_ = std::thread(&Progress::Run, this);
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    is_finished_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  printer_.Finish();
}

void Progress::Say(std::string_view line) {
  const std::lock_guard lock(mutex_);
  printer_.Say(line);
}

void Progress::Run() {
  constexpr std::chrono::milliseconds kLookInterval(100);
  std::unique_lock lock(mutex_);
  while (!is_finished_) {
    printer_.Tick();
    wake_.wait_for(lock, kLookInterval, [this] { return is_finished_; });
  }
}

}  // namespace trawl
