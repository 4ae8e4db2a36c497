#include "runtime/job/runner.h"

namespace trawl {

void Runner::Place(const JobSpec&, bool, Plan* plan) {
  const auto asked = plan->options.find("job.runner");
  const bool is_far = asked != plan->options.end() && asked->second == kStreamingRunner;
  plan->runner = is_far ? kStreamingRunner : kLocalRunner;
  plan->runner_reason = kAskedFor;
  plan->outlives_driver = OutlivesDriver();
}

}  // namespace trawl
