// The door of runtime/placement: runs small jobs on threads of this machine and the others on the cluster, as
// `--runner auto` asks for. The rows are the same.
//
// A job is placed once its plan is known, and its plan says where. A command that goes on with a job of a dead driver runs
// it where its plan says, whatever it would decide itself. So a job that was begun on the cluster is found there again,
// and no job of that plan runs in both places. The parts of a fetch have leases in the store beyond that
// (runtime/root/attempt_chain.h): an attempt on this machine waits for one on the cluster, and the other way round.
//
// A small job may run while another one is planned, and the planned one may go to the cluster and outlive the driver. Its
// plan names what the small job has written, so the next command must find the same. Therefore such a job leaves its
// receipts in the store, and is taken up from there.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/job/runner.h"
#include "runtime/placement/choice.h"
#include "runtime/store/store.h"

namespace trawl {

class AutoRunner : public Runner {
 public:
  struct Runners {
    std::unique_ptr<Runner> here;
    std::unique_ptr<Runner> cluster;
    // Fails where this machine lacks something to submit with; jobs then run here, with that as the reason.
    std::function<arrow::Status()> check_cluster;
  };

  // The caller owns `store`, the root's store, which outlives this object.
  AutoRunner(Runners runners, RunnerLimits limits, Store* store)
      : runners_(std::move(runners)), limits_(limits), store_(store) {}

  void Place(bool within_plan, Plan* plan) override;
  arrow::Result<std::vector<TaskReceipt>> Run(const JobSpec& spec, const JobInputs& inputs,
                                              const std::function<void(const RunnerProgress&)>& progress) override;
  // Where the cluster does not answer, a job that runs here does not need to know.
  arrow::Result<std::optional<Plan>> TakeUp(const Plan& planned) override;
  bool OutlivesDriver() const override { return true; }
  void Forget(const Plan& plan) override;

 private:
  arrow::Result<std::optional<Plan>> FindKept(const Plan& planned) const;

  const Runners runners_;
  const RunnerLimits limits_;
  Store* const store_;
  std::string kept_job_;  // the job that was taken up from its receipts
};

}  // namespace trawl
