// Runs a job's tasks on threads of this machine, with the shuffle between them. This is the default runner; nothing
// needs to be installed or started.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/job/runner.h"

namespace trawl {

struct LocalRunnerOptions {
  int threads = 1;
  int64_t memory_bytes = int64_t{1} << 30;  // memory of the shuffle
  std::string temp_folder = "/tmp";         // where the shuffle spills
  // Number of attempts of a task before its failure becomes the job's.
  int attempts = 3;
  // Why jobs run here (Plan::runner_reason).
  std::string reason = kAskedFor;
};

class LocalRunner : public Runner {
 public:
  explicit LocalRunner(LocalRunnerOptions options) : options_(std::move(options)) {}

  void Place(bool within_plan, Plan* plan) override;
  arrow::Result<std::vector<TaskReceipt>> Run(const JobSpec& spec, const JobInputs& inputs,
                                              const std::function<void(const RunnerProgress&)>& progress) override;

 private:
  const LocalRunnerOptions options_;
};

}  // namespace trawl
