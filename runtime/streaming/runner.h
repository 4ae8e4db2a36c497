// Runs a job's tasks on a YARN cluster, as one Hadoop Streaming job: the wire is docs/streaming.md.
//
// The driver needs little of its machine: it writes a control file, submits through Hadoop's own client, follows by
// REST, and reads the receipts. Everything else is the tasks' (jobs/program/task_process.h). The job bears the tag of Trawl's
// job id, by which a driver that died finds it again.
#pragma once

#include <memory>
#include <string>

#include "runtime/job/runner.h"
#include "runtime/streaming/options.h"
#include "runtime/streaming/yarn.h"

namespace trawl {

struct StreamingRunnerOptions {
  std::string root;  // as the tasks are to open it
  StreamingOptions streaming;
  int attempts = 3;
};

class StreamingRunner : public Runner {
 public:
  // UsageError where the root cannot be reached from other machines, or something is missing here. `store` is the
  // root's and outlives it.
  static arrow::Result<std::unique_ptr<StreamingRunner>> Make(StreamingRunnerOptions options, Store* store);

  arrow::Result<std::vector<TaskReceipt>> Run(const JobSpec& spec, const JobInputs& inputs,
                                              const std::function<void(const RunnerProgress&)>& progress) override;
  arrow::Result<std::optional<Plan>> TakeUp(const Plan& planned) override;
  void Forget(const Plan& plan) override;

 private:
  StreamingRunner(StreamingRunnerOptions options, Store* store, YarnClient yarn)
      : options_(std::move(options)), store_(store), yarn_(std::move(yarn)) {}

  arrow::Result<YarnApplication> Start(const JobInputs& inputs);
  arrow::Result<YarnApplication> Submit(const JobInputs& inputs);
  arrow::Result<YarnApplication> Follow(YarnApplication application, const JobInputs& inputs,
                                        const std::function<void(const RunnerProgress&)>& progress);
  void ShowProgress(const YarnApplication& application, const JobInputs& inputs,
                    const std::function<void(const RunnerProgress&)>& progress);
  arrow::Status EndedBy(const YarnApplication& application, const Plan& plan);
  arrow::Status WhenStopped(const YarnApplication& application) const;
  std::string FirstReason(const Plan& plan) const;

  const StreamingRunnerOptions options_;
  Store* const store_;
  std::unique_ptr<Store> own_work_;  // where the work folder is not the root
  Store* work_ = nullptr;
  const YarnClient yarn_;
};

// Whether tasks on other machines can open a root; where not, what to do.
arrow::Status CheckStreamingRoot(const std::string& root, bool shared_root);

// Whether two plans would have the same tasks do the same: everything but the ids and times, and the driver's own
// options.
bool IsSameWork(const Plan& a, const Plan& b);

}  // namespace trawl
