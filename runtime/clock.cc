#include "runtime/clock.h"

#include <chrono>

namespace trawl {

namespace {

class RealClock : public Clock {
 public:
  TimeMs NowMs() const override { return SinceEpochMs<std::chrono::system_clock>(); }
  int64_t MonotonicMs() const override { return SinceEpochMs<std::chrono::steady_clock>(); }

 private:
  template <typename Source>
  static int64_t SinceEpochMs() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Source::now().time_since_epoch()).count();
  }
};

}  // namespace

const Clock& SystemClock() {
  static const RealClock clock;
  return clock;
}

}  // namespace trawl
