// A clock that a test moves by hand. Any thread may read it.
#pragma once

#include <atomic>

#include "runtime/process/clock.h"

namespace trawl {

class ManualClock : public Clock {
 public:
  explicit ManualClock(TimeMs now_ms = 1'772'366'400'000) : start_ms_(now_ms) {}
  TimeMs NowMs() const override { return start_ms_ + passed_ms_.load(); }
  int64_t MonotonicMs() const override { return passed_ms_.load(); }
  void Advance(int64_t ms) { passed_ms_ += ms; }

 private:
  const TimeMs start_ms_;
  std::atomic<int64_t> passed_ms_ = 0;
};

}  // namespace trawl
