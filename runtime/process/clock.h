// The door of runtime/process: the process, its surroundings and its time.
//
// Time is handed in: either the system's clock, or one that a test moves by hand. Only fetch and the driver read a
// clock; every other task takes "now" from its plan.
#pragma once

#include <cstdint>

#include "formats/rows/times.h"

namespace trawl {

class Clock {
 public:
  virtual ~Clock() = default;
  // Wall time, for what is stored.
  virtual TimeMs NowMs() const = 0;
  // Monotonic milliseconds from an arbitrary start, for delays and time limits.
  virtual int64_t MonotonicMs() const = 0;
};

// The machine's own clock; lives as long as the process.
const Clock& SystemClock();

}  // namespace trawl
