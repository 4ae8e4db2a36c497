#include "runtime/process/stop.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "runtime/process/status_detail.h"

namespace trawl {

struct StopState {
  explicit StopState(int event_fd) : fd(event_fd) {}
  ~StopState() { close(fd); }
  StopState(const StopState&) = delete;
  StopState& operator=(const StopState&) = delete;

  // Does only what a signal handler may do.
  void Stop() {
    stopped.store(true);
    const uint64_t one = 1;
    // No failure matters here: the counter is far from full, and once the descriptor is readable it stays so.
    [[maybe_unused]] const ssize_t written = write(fd, &one, sizeof(one));
  }

  std::atomic<bool> stopped = false;
  const int fd;
};

namespace {

constexpr int kExitStopped = 75;  // EX_TEMPFAIL: run it again

// A signal handler has no argument of its own to carry this.
std::atomic<StopState*> signal_target = nullptr;
static_assert(std::atomic<StopState*>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void OnSignal(int signal) {
  const int saved_errno = errno;
  StopState* target = signal_target.load();
  if (target != nullptr) {
    if (signal == SIGINT && target->stopped.load()) _exit(kExitStopped);
    target->Stop();
  }
  errno = saved_errno;
}

void Handle(int signal, void (*handler)(int), struct sigaction* old) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(signal, nullptr, old);
  const bool is_ignored = old->sa_handler == SIG_IGN;
  if (!is_ignored) sigaction(signal, &action, nullptr);
}

}  // namespace

bool StopToken::stopped() const { return state_ != nullptr && state_->stopped.load(std::memory_order_relaxed); }

arrow::Status StopToken::Check() const { return stopped() ? StoppedError() : arrow::Status::OK(); }

int StopToken::wait_fd() const { return state_ == nullptr ? -1 : state_->fd; }

arrow::Result<StopSource> StopSource::Make() {
  const int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0) return arrow::Status::IOError("eventfd: ", std::strerror(errno));
  return StopSource(std::make_shared<StopState>(fd));
}

void StopSource::Stop() const { state_->Stop(); }

StopOnSignals::StopOnSignals(const StopSource& source) : state_(source.state_) {
  signal_target.store(state_.get());
  Handle(SIGINT, OnSignal, &old_interrupt_);
  Handle(SIGTERM, OnSignal, &old_terminate_);
  Handle(SIGPIPE, SIG_IGN, &old_pipe_);
  Handle(SIGXFSZ, SIG_IGN, &old_file_size_);
}

StopOnSignals::~StopOnSignals() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
  sigaction(SIGPIPE, &old_pipe_, nullptr);
  sigaction(SIGXFSZ, &old_file_size_, nullptr);
  signal_target.store(nullptr);
}

}  // namespace trawl
