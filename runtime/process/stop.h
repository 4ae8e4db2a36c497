// How the process is asked to stop: a flag that loops poll and sleepers wait for, and the signals that raise it.
//
// A loop calls `token.Check()` between pieces of work and passes its failed Status up, which ends the process with exit
// code 75. A thread that sleeps in poll() adds `token.wait_fd()`. Tokens may be copied and used from any thread.
#pragma once

#include <csignal>
#include <memory>

#include "arrow/result.h"
#include "arrow/status.h"

namespace trawl {

struct StopState;

class StopToken {
 public:
  // A token that never stops.
  StopToken() = default;
  bool stopped() const;
  // Returns OK, or StoppedError once asked to stop.
  arrow::Status Check() const;
  // Becomes readable, and stays so, once asked to stop; do not read from it. -1 for a token that never stops.
  int wait_fd() const;

 private:
  friend class StopSource;
  explicit StopToken(std::shared_ptr<const StopState> state) : state_(std::move(state)) {}
  std::shared_ptr<const StopState> state_;
};

class StopSource {
 public:
  // Returns IOError where the process has no file descriptor left.
  static arrow::Result<StopSource> Make();
  void Stop() const;
  StopToken token() const { return StopToken(state_); }

 private:
  friend class StopOnSignals;
  explicit StopSource(std::shared_ptr<StopState> state) : state_(std::move(state)) {}
  std::shared_ptr<StopState> state_;
};

// While it lives, SIGINT and SIGTERM stop the source; a SIGINT after that ends the process at once with exit code 75.
// SIGPIPE and SIGXFSZ are ignored: writing to a closed pipe, or beyond the limit of a file's size, is an error like any
// other. A signal that was ignored when the process started (nohup) stays ignored. One at a time per process.
class StopOnSignals {
 public:
  explicit StopOnSignals(const StopSource& source);
  ~StopOnSignals();
  StopOnSignals(const StopOnSignals&) = delete;
  StopOnSignals& operator=(const StopOnSignals&) = delete;

 private:
  std::shared_ptr<StopState> state_;
  struct sigaction old_interrupt_ = {};
  struct sigaction old_terminate_ = {};
  struct sigaction old_pipe_ = {};
  struct sigaction old_file_size_ = {};
};

}  // namespace trawl
