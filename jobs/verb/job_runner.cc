#include "jobs/verb/job_runner.h"

#include "runtime/job/local_runner.h"
#include "runtime/streaming/runner.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Result<std::unique_ptr<Runner>> MakeRunner(const VerbContext& context, const JobOptions& job, Store* store) {
  if (job.runner == RunnerKind::kStreaming) {
    ARROW_ASSIGN_OR_RAISE(const StreamingOptions streaming, context.Read(StreamingOptionGroup()));
    return StreamingRunner::Make({.root = context.global.root, .streaming = streaming, .attempts = job.attempts},
                                 store);
  }
  return std::make_unique<LocalRunner>(LocalRunnerOptions{.threads = context.global.threads,
                                                          .memory_bytes = context.global.memory_bytes,
                                                          .temp_folder = context.global.temp_dir,
                                                          .attempts = job.attempts});
}

Status CutForTheCluster(VerbContext& context) {
  if (!context.options.Has(&JobOptionGroup())) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  if (job.runner != RunnerKind::kStreaming) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const StreamingOptions streaming, context.Read(StreamingOptionGroup()));
  context.global.threads = streaming.task_slots;
  return Status::OK();
}

}  // namespace trawl
