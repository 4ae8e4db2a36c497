#include "runtime/job/runner.h"

namespace trawl {

void Runner::Place(bool, Plan* plan) {
  plan->runner = OutlivesDriver() ? kStreamingRunner : kLocalRunner;
  plan->runner_reason = kAskedFor;
  plan->outlives_driver = OutlivesDriver();
}

}  // namespace trawl
