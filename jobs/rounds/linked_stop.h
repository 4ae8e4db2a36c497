// A stop of its own for a part of the process's work: it comes when its owner says so, and when the whole process is
// asked to stop. The token may be copied and used from any thread.
#pragma once

#include <memory>
#include <thread>

#include "arrow/result.h"
#include "runtime/process/stop.h"

namespace trawl {

class LinkedStop {
 public:
  // Returns IOError where the process has no file descriptor left.
  static arrow::Result<std::unique_ptr<LinkedStop>> Make(StopToken outer);
  // Stops the token, if nobody did before.
  ~LinkedStop();
  LinkedStop(const LinkedStop&) = delete;
  LinkedStop& operator=(const LinkedStop&) = delete;

  void Stop() const { source_.Stop(); }
  StopToken token() const { return source_.token(); }

 private:
  LinkedStop(StopToken outer, StopSource source);

  const StopToken outer_;
  const StopSource source_;
  std::thread thread_;  // sleeps until either of them stops
};

}  // namespace trawl
