#include "jobs/verb/job_runner.h"

#include <cstdlib>
#include <utility>

#include "runtime/job/local_runner.h"
#include "runtime/placement/auto_runner.h"
#include "runtime/streaming/runner.h"
#include "runtime/streaming/slots.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Where nobody knows how many tasks the queue runs at once.
constexpr int kUsualSlots = 16;

// Why all jobs run on this machine, whatever was asked for; empty where a cluster may take them.
std::string WhyLocal(const std::string& root, const StreamingOptions& streaming) {
  if (!CheckStreamingRoot(root, streaming.shared_root).ok()) return "the root is on this machine";
  const char* const config = std::getenv("HADOOP_CONF_DIR");
  const bool names_cluster = (config != nullptr && *config != '\0') || !streaming.resource_manager.empty();
  return names_cluster ? "" : "HADOOP_CONF_DIR is not set, so no cluster is known";
}

Result<std::unique_ptr<Runner>> MakeLocalRunner(const VerbContext& context, const JobOptions& job) {
  // The texts keep this machine's threads where the struct has the slots of a cluster.
  ARROW_ASSIGN_OR_RAISE(const GlobalOptions global, context.Read(GlobalOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const StreamingOptions streaming, context.Read(StreamingOptionGroup()));
  LocalRunnerOptions options = {.threads = global.threads,
                                .memory_bytes = global.memory_bytes,
                                .temp_folder = global.temp_dir,
                                .attempts = job.attempts};
  const std::string reason = WhyLocal(global.root, streaming);
  if (!reason.empty()) options.reason = reason;
  return std::unique_ptr<Runner>(std::make_unique<LocalRunner>(std::move(options)));
}

}  // namespace

Status ResolveRunner(VerbContext& context) {
  if (!context.options.Has(&JobOptionGroup())) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  if (job.runner == RunnerKind::kLocal) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const StreamingOptions streaming, context.Read(StreamingOptionGroup()));
  if (job.runner == RunnerKind::kAuto && !WhyLocal(context.global.root, streaming).empty()) {
    context.options.FillIn({{"job.runner", kLocalRunner}});
    return Status::OK();
  }
  // A cluster that does not answer now is found out when a job goes to it.
  context.global.threads = TaskSlots(streaming).ValueOr(kUsualSlots);
  return Status::OK();
}

Result<std::unique_ptr<Runner>> MakeRunner(const VerbContext& context, const JobOptions& job, Store* store) {
  if (job.runner == RunnerKind::kLocal) return MakeLocalRunner(context, job);
  ARROW_ASSIGN_OR_RAISE(const StreamingOptions streaming, context.Read(StreamingOptionGroup()));
  StreamingRunnerOptions options = {.root = context.global.root, .streaming = streaming, .attempts = job.attempts};
  if (EventLog* const log = context.process.log) {
    options.log = [log](LogLevel level, const std::string& event, const Json& fields) {
      log->Write(level, event, fields);
    };
  }
  ARROW_ASSIGN_OR_RAISE(auto on_cluster, StreamingRunner::Make(std::move(options), store));
  if (job.runner == RunnerKind::kStreaming) return std::unique_ptr<Runner>(std::move(on_cluster));
  AutoRunner::Runners runners;
  runners.check_cluster = [streaming] { return CheckCanSubmit(streaming); };
  ARROW_ASSIGN_OR_RAISE(runners.here, MakeLocalRunner(context, job));
  runners.cluster = std::move(on_cluster);
  const RunnerLimits limits = {.bytes = job.local_bytes, .wait_ms = job.local_time_ms};
  return std::unique_ptr<Runner>(std::make_unique<AutoRunner>(std::move(runners), limits, store));
}

}  // namespace trawl
