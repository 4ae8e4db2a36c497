// A job that runs on a thread of its own while the caller runs others: the fetch of the next round beside the steps of the
// one before.
//
// The two share the crawl, its store, the clock and the log, which any thread may use. The job has options, a time and a
// stop of its own. The live line is the job's while it runs: what the caller runs meanwhile shows none.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <thread>

#include "arrow/result.h"
#include "jobs/rounds/linked_stop.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/verb.h"
#include "runtime/job/job.h"

namespace trawl {

// For one thread, that of the caller.
class JobBeside {
 public:
  // The job begins at the context's "now". The crawl and what `request` refers to must outlive the object.
  static arrow::Result<std::unique_ptr<JobBeside>> Begin(const VerbContext& context, Crawl* crawl, JobRequest request);
  // Stops the job and waits for its end.
  ~JobBeside();
  JobBeside(const JobBeside&) = delete;
  JobBeside& operator=(const JobBeside&) = delete;

  // The job ends as it does when the process is asked to stop: another command goes on with it.
  void Stop() { stop_->Stop(); }
  bool has_ended() const { return has_ended_; }
  // Waits for its end. Call it once.
  arrow::Result<JobResult> Wait();

 private:
  JobBeside(const VerbContext& context, Crawl* crawl, JobRequest request, std::unique_ptr<LinkedStop> stop);

  const std::unique_ptr<LinkedStop> stop_;
  ProcessContext process_;
  VerbContext context_;
  const JobRequest request_;
  std::optional<arrow::Result<JobResult>> result_;  // once it has ended
  std::atomic<bool> has_ended_ = false;
  std::thread thread_;
};

}  // namespace trawl
