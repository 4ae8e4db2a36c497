// Which runner fits a job, by how much its plan has to do. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/job/plan.h"

namespace trawl {

// A job within both limits runs on the driver's threads.
struct RunnerLimits {
  int64_t bytes = 0;    // a job that reads and writes this much is beyond it
  int64_t wait_ms = 0;  // a job that waits longer is beyond it
};

struct RunnerChoice {
  bool is_local = true;
  std::string reason;  // "reads and writes about 1.2 MB, less than job.local_bytes (256 MiB)"
};

RunnerChoice ChooseRunner(const PlannedWork& work, const RunnerLimits& limits);

}  // namespace trawl
