// The door of runtime/streaming: runs a job's tasks on a YARN cluster, as one Hadoop Streaming job; the protocol is
// docs/streaming.md.
//
// The driver needs little of its machine: it writes a control file, submits by REST (runtime/submit) or through Hadoop's
// own client, follows by REST, and reads the receipts. The tasks do everything else (jobs/program/task_process.h). The job is tagged with
// Trawl's job id, so that a later driver finds the job of a driver that died.
#pragma once

#include <memory>
#include <string>

#include "runtime/job/runner.h"
#include "runtime/streaming/options.h"
#include "runtime/streaming/settings.h"
#include "runtime/streaming/yarn.h"
#include "runtime/submit/submit.h"
#include "runtime/terminal/event_log.h"

namespace trawl {

struct StreamingRunnerOptions {
  std::string root;  // as the tasks open it
  StreamingOptions streaming;
  int attempts = 3;
  EventSink log = {};  // may be empty
};

class StreamingRunner : public Runner {
 public:
  // UsageError where other machines cannot reach the root, or something is missing here. The caller owns `store`, the
  // root's store, which outlives this object.
  static arrow::Result<std::unique_ptr<StreamingRunner>> Make(StreamingRunnerOptions options, Store* store);

  arrow::Result<std::vector<TaskReceipt>> Run(const JobSpec& spec, const JobInputs& inputs,
                                              const std::function<void(const RunnerProgress&)>& progress) override;
  arrow::Result<std::optional<Plan>> TakeUp(const Plan& planned) override;
  bool OutlivesDriver() const override { return true; }
  void Forget(const Plan& plan) override;

 private:
  StreamingRunner(StreamingRunnerOptions options, Store* store, YarnClient yarn)
      : options_(std::move(options)), store_(store), yarn_(std::move(yarn)) {}

  arrow::Result<YarnApplication> Start(const JobInputs& inputs);
  arrow::Result<YarnApplication> Submit(const JobInputs& inputs);
  arrow::Result<std::string> SubmitByRest(const StreamingPlaces& places, const JobInputs& inputs);
  arrow::Result<std::string> SubmitByClient(StreamingPlaces places, const JobInputs& inputs);
  void NoteSubmitted(const Plan& plan, const std::string& application, const std::string& why_client) const;
  arrow::Result<YarnApplication> Follow(YarnApplication application, const JobInputs& inputs,
                                        const std::function<void(const RunnerProgress&)>& progress);
  void ShowProgress(const YarnApplication& application, const JobInputs& inputs,
                    const std::function<void(const RunnerProgress&)>& progress);
  arrow::Status EndedBy(const YarnApplication& application, const Plan& plan);
  arrow::Status WhenStopped(const YarnApplication& application) const;
  std::string FirstReason(const Plan& plan) const;

  const StreamingRunnerOptions options_;
  Store* const store_;
  int seen_failures_ = 0;            // attempts of the job that runs
  std::unique_ptr<Store> own_work_;  // set where the work folder is not the root
  Store* work_ = nullptr;
  const YarnClient yarn_;
  std::unique_ptr<RestSubmitter> rest_;  // made when a job is first submitted
  std::string why_not_rest_;             // why it cannot be, for all jobs
};

// Checks whether tasks on other machines can open a root; the error says what to do.
arrow::Status CheckStreamingRoot(const std::string& root, bool shared_root);

// Returns why jobs are submitted by Hadoop's client; empty where REST is tried first. A job's own settings, and the
// ResourceManager's answer, may be further reasons. Reads Hadoop's settings, and asks nobody.
std::string WhySubmittedByClient(const StreamingOptions& options);

// UsageError with what to do where this machine has no Hadoop client, or no bundle for the nodes.
arrow::Status CheckCanSubmit(const StreamingOptions& options);

// Whether two plans give their tasks the same work: everything is equal but the ids and times, and the driver's own
// options.
bool IsSameWork(const Plan& a, const Plan& b);

}  // namespace trawl
