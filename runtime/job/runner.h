// Runs the tasks of a planned job: on threads of this machine, or elsewhere with the same tasks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "arrow/result.h"
#include "runtime/job/run_task.h"

namespace trawl {

// How far a job is, for the live line. Called from one thread at a time, some times a second.
struct RunnerProgress {
  int maps_done = 0;
  int maps = 0;
  int reduces_done = 0;
  int reduces = 0;
  int failed_attempts = 0;
  int64_t rows = 0;  // written so far, by all attempts
};

class Runner {
 public:
  virtual ~Runner() = default;

  // The receipts of all tasks that write output, in the order of their numbers: the reduce tasks, or the map tasks
  // where the plan has no partitions; the map tasks' receipts come first in any case. Fails when a task has failed for
  // good.
  virtual arrow::Result<std::vector<TaskReceipt>> Run(const JobSpec& spec, const JobInputs& inputs,
                                                      const std::function<void(const RunnerProgress&)>& progress) = 0;

  // The plan of a job whose driver died, where one is under way (or over and not reported) that does the same as
  // `planned`: Run then goes on with it. Only jobs that live longer than their driver can be taken up.
  virtual arrow::Result<std::optional<Plan>> TakeUp(const Plan& planned) {
    (void)planned;
    return std::optional<Plan>();
  }
  // The plan's outcome stands: what the runner keeps for TakeUp can go.
  virtual void Forget(const Plan& plan) { (void)plan; }
};

}  // namespace trawl
