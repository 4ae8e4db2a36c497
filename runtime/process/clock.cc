#include "runtime/process/clock.h"

#include <chrono>
#include <ctime>

namespace trawl {

namespace {

class RealClock : public Clock {
 public:
  TimeMs NowMs() const override {
    const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count();
  }
  // This clock goes on while the machine sleeps, like the clocks of those who wait for this process' sign of life.
  int64_t MonotonicMs() const override {
    timespec now = {};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
  }
};

}  // namespace

const Clock& SystemClock() {
  static const RealClock clock;
  return clock;
}

}  // namespace trawl
