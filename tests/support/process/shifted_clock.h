// The system's clock plus a time that a test adds. Real sockets keep their pace while time limits pass at once.
#pragma once

#include "runtime/process/clock.h"

namespace trawl {

class ShiftedClock : public Clock {
 public:
  TimeMs NowMs() const override { return SystemClock().NowMs() + shift_ms_; }
  int64_t MonotonicMs() const override { return SystemClock().MonotonicMs() + shift_ms_; }
  void Advance(int64_t ms) { shift_ms_ += ms; }

 private:
  int64_t shift_ms_ = 0;
};

}  // namespace trawl
