#include "jobs/program/task_process.h"

#include <algorithm>
#include <iostream>
#include <string>

#include "jobs/program/job_registry.h"
#include "jobs/verb/exit_code.h"
#include "jobs/verb/version.h"
#include "runtime/job/read_plan.h"
#include "runtime/options/global.h"
#include "runtime/root/layout.h"
#include "runtime/streaming/channel.h"
#include "runtime/streaming/heartbeat.h"
#include "runtime/streaming/task.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

std::map<std::string, std::string> VariablesOf(char** environment) {
  std::map<std::string, std::string> variables;
  for (char** variable = environment; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const size_t equals = text.find('=');
    if (equals != std::string::npos) variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return variables;
}

// Replaces the parts of the plan that belong to the driver's machine by those of the container.
void FitToContainer(const StreamingTaskPlace& place, OptionTexts* options) {
  GlobalOptions here;
  here.threads = place.threads;
  here.memory_bytes = place.memory_bytes;
  here.temp_dir = place.temp_folder;
  const OptionTexts texts = GlobalOptionGroup().Print(here);
  for (const char* name : {"threads", "memory", "temp_dir"}) (*options)[name] = texts.at(name);
}

Result<Plan> ReadPlan(Store* store, const StreamingTaskPlace& place) {
  ARROW_ASSIGN_OR_RAISE(Plan plan, ReadPlan(store, place.job));
  if (plan.version != kVersion) {
    return Status::Invalid("the driver is trawl ", plan.version, ", the bundle that was shipped trawl ", kVersion,
                           ": make a new bundle with scripts/bundle");
  }
  FitToContainer(place, &plan.options);
  return plan;
}

// Runs one task and turns its outcome into an exit code.
class TaskProcess {
 public:
  TaskProcess(bool is_reduce, TaskChannel* channel)
      : is_reduce_(is_reduce), channel_(channel), heartbeat_(&rows_written_) {}

  Status Run(const std::map<std::string, std::string>& variables, const StopToken& stop) {
    ARROW_ASSIGN_OR_RAISE(const StreamingTaskPlace place, StreamingTaskPlaceFrom(variables));
    id_ = {.is_reduce = is_reduce_, .number = place.partition, .attempt = place.attempt};
    if (!is_reduce_) {
      ARROW_ASSIGN_OR_RAISE(id_.number, PartNumberFrom(channel_));
    }
    heartbeat_.SetName(id_.Name());
    ARROW_ASSIGN_OR_RAISE(store_, OpenStore(place.root));
    const Status status = RunTask(place, stop);
    if (!status.ok()) LeaveReason(place.job, status);
    return status;
  }

 private:
  Status RunTask(const StreamingTaskPlace& place, const StopToken& stop) {
    ARROW_ASSIGN_OR_RAISE(const Plan plan, ReadPlan(store_.get(), place));
    ARROW_ASSIGN_OR_RAISE(const JobSpec spec, FindJob(plan.verb));
    Snapshot snapshot;
    if (plan.snapshot >= 0) {
      ARROW_ASSIGN_OR_RAISE(snapshot, ReadSnapshot(store_.get(), plan.snapshot));
    }
    const JobInputs inputs = {.store = store_.get(),
                              .plan = &plan,
                              .snapshot = &snapshot.manifest,
                              .stop = stop,
                              .clock = &SystemClock(),
                              .rows_written = &rows_written_,
                              .show = [this](const TaskId&, const Json& gauges) { heartbeat_.Show(gauges); }};
    ARROW_ASSIGN_OR_RAISE(const TaskReceipt receipt, is_reduce_
                                                         ? RunStreamingReduce(spec, inputs, place, channel_, channel_)
                                                         : RunStreamingMap(spec, inputs, id_.number, place, channel_));
    ARROW_RETURN_NOT_OK(channel_->Drain());
    ARROW_RETURN_NOT_OK(channel_->Close());
    ReportCounters(receipt.counters);
    return Status::OK();
  }

  // Hadoop tells the driver an exit code and no reason.
  void LeaveReason(const std::string& job, const Status& status) {
    const auto left = store_->CreateExclusive(JobFailurePath(job, id_.Name()), status.message());
    (void)left;  // the store may be what failed; standard error has the reason in any case
  }

  const bool is_reduce_;
  TaskChannel* const channel_;
  std::atomic<int64_t> rows_written_{0};
  TaskHeartbeat heartbeat_;
  TaskId id_;
  std::unique_ptr<Store> store_;
};

int Fail(const Status& status) {
  std::string message = status.message();
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::cerr << "trawl: " << message << std::endl;
  return kExitFailed;
}

}  // namespace

bool IsTaskCommand(int argc, char** argv) { return argc > 1 && std::string_view(argv[1]) == "task"; }

int RunTaskProcess(int argc, char** argv, char** environment) {
  Result<TaskChannel> channel = TaskChannel::Open();
  if (!channel.ok()) return Fail(channel.status());
  const std::string kind = argc == 3 ? argv[2] : "";
  if (kind != "map" && kind != "reduce")
    return Fail(Status::Invalid("trawl task map|reduce is for Hadoop Streaming to call"));
  const Result<StopSource> stop = StopSource::Make();
  if (!stop.ok()) return Fail(stop.status());
  const StopOnSignals signals(*stop);
  TaskProcess task(kind == "reduce", &*channel);
  const Status status = task.Run(VariablesOf(environment), stop->token());
  return status.ok() ? kExitDone : Fail(status);
}

}  // namespace trawl
