// Carries out a batch of orders of one kind: runs the verb's own job, once for all of them. One thread.
#pragma once

#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "jobs/verb/job_options.h"
#include "jobs/writes/batch_order.h"
#include "jobs/writes/writes.h"
#include "runtime/job/job.h"
#include "runtime/job/local_runner.h"
#include "runtime/process/stop.h"

namespace trawl {

class WriteJobs {
 public:
  // What `surroundings` points to outlives it.
  WriteJobs(const WriteSurroundings& surroundings, StopToken stop);

  // Gives every order of the batch its outcome. REQUIRES: there is one, and all are of one kind.
  void CarryOut(std::vector<BatchOrder>* batch);

 private:
  arrow::Result<JobEnvironment> Prepare();
  // Whether an order failed because the store does not answer.
  bool IsStoreAway(const arrow::Status& failure) const;
  arrow::Status CarryOutSeeds(const JobEnvironment& environment, std::vector<BatchOrder>* batch);
  arrow::Status CarryOutHosts(const JobEnvironment& environment, std::vector<BatchOrder>* batch);
  arrow::Status CarryOutDrops(const JobEnvironment& environment, std::vector<BatchOrder>* batch);
  arrow::Status Kill(const JobEnvironment& environment, const KillOrder& order, OrderOutcome* outcome);

  const WriteSurroundings surroundings_;
  const StopToken stop_;
  LocalRunner runner_;
};

// The word of the operator in a host's or domain's row, as the API tells it.
struct HostRow;
Json PolicyJson(const HostRow& row, bool of_domain);

}  // namespace trawl
