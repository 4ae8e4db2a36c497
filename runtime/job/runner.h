// Runs the tasks of a planned job: on threads of this machine, or elsewhere with the same tasks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "arrow/result.h"
#include "runtime/job/run_task.h"

namespace trawl {

// The progress of a job, for the live line. Shown from one thread at a time, several times per second.
struct RunnerProgress {
  int maps_done = 0;
  int maps = 0;
  int reduces_done = 0;
  int reduces = 0;
  int failed_attempts = 0;
  int64_t rows = 0;  // written so far, by all attempts
};

// The reason of a runner that the command, the environment or a setting names.
inline constexpr char kAskedFor[] = "asked for";

class Runner {
 public:
  virtual ~Runner() = default;

  // Decides where a job with that plan runs, and notes it in the plan with the reason. `within_plan`: the job runs while
  // another one is planned. Without more, it is on the cluster if such jobs outlive their driver.
  virtual void Place(bool within_plan, Plan* plan);

  // Returns the receipts of all tasks that write output, in the order of their numbers: the reduce tasks, or the map
  // tasks where the plan has no partitions. The map tasks' receipts come first in any case. Fails when a task has
  // failed for good.
  virtual arrow::Result<std::vector<TaskReceipt>> Run(const JobSpec& spec, const JobInputs& inputs,
                                                      const std::function<void(const RunnerProgress&)>& progress) = 0;

  // Returns the plan of a job whose driver died and that does the same work as `planned`, where it is still running (or
  // over and not reported): Run then continues that job. Only jobs that outlive their driver can be taken up.
  virtual arrow::Result<std::optional<Plan>> TakeUp(const Plan& planned) {
    (void)planned;
    return std::optional<Plan>();
  }
  // Whether a job goes on, and can be taken up, when its driver has ended.
  virtual bool OutlivesDriver() const { return false; }
  // The plan's outcome is final: the runner may drop the data it keeps for TakeUp.
  virtual void Forget(const Plan& plan) { (void)plan; }
};

}  // namespace trawl
