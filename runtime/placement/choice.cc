#include "runtime/placement/choice.h"

#include "runtime/terminal/units.h"

namespace trawl {

RunnerChoice ChooseRunner(const PlannedWork& work, const RunnerLimits& limits) {
  const bool is_small = work.bytes < limits.bytes;
  const bool is_short = work.wait_ms <= limits.wait_ms;
  if (is_small && !is_short) {
    return {.is_local = false,
            .reason = "takes about " + ReadableDuration(work.wait_ms) + ", longer than job.local_time (" +
                      ReadableDuration(limits.wait_ms) + ")"};
  }
  return {.is_local = is_small,
          .reason = "reads and writes about " + ReadableSize(work.bytes) +
                    (is_small ? ", less than" : ", not less than") + " job.local_bytes (" + ReadableSize(limits.bytes) +
                    ")"};
}

}  // namespace trawl
