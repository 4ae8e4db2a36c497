#include "runtime/streaming/runner.h"

#include <poll.h>

#include <algorithm>

#include "runtime/job/read_plan.h"
#include "runtime/job/receipt_text.h"
#include "runtime/process/own_process.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"
#include "runtime/store/path.h"
#include "runtime/store/root.h"
#include "runtime/store/status.h"
#include "runtime/streaming/bundle.h"
#include "runtime/streaming/channel.h"
#include "runtime/streaming/hadoop_client.h"
#include "runtime/streaming/heartbeat.h"
#include "runtime/streaming/output.h"
#include "runtime/streaming/settings.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The end of a short job is seen soon; a long one costs the ResourceManager little.
constexpr int kFirstPolls = 80, kFirstPollMs = 250, kPollMs = 1000;
// A restarting ResourceManager, or a network failure, is waited for so long; the job continues meanwhile.
constexpr int kMaxSilentMs = 300'000;
// Counters and tasks cost the application master more to report than its progress.
constexpr int kDetailMs = 5000;
constexpr int64_t kMaxReasonBytes = 64 << 10;
constexpr char kControlName[] = "control";
constexpr char kOutputName[] = "out";
constexpr char kSuperseded[] = "trawl: the same step of the segment was asked for with another plan";

// The environment for tasks on the nodes. It holds no secret.
std::map<std::string, std::string> TaskEnvironment() {
  std::map<std::string, std::string> environment = {
      {"LIBHDFS_OPTS", "-Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xrs"}};
  for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"}) {
    const std::string value = Environment(name);
    if (!value.empty()) environment[name] = value;
  }
  return environment;
}

// Waits; ends early when asked to stop.
void Pause(const StopToken& stop, int ms) {
  pollfd waiting = {stop.wait_fd(), POLLIN, 0};
  poll(&waiting, 1, ms);
}

std::string DefaultWorkFolder() {
  const std::string user =
      Environment("HADOOP_USER_NAME").empty() ? Environment("USER") : Environment("HADOOP_USER_NAME");
  return "hdfs:///tmp/trawl-" + (IsValidId(user) ? user : "jobs");
}

// NotImplemented, with the reason, where Hadoop's client submits all jobs.
Result<std::unique_ptr<RestSubmitter>> MakeSubmitter(const StreamingOptions& options,
                                                     const std::vector<std::string>& managers) {
  if (options.submit == SubmitWay::kClient) return Status::NotImplemented("asked for");
  // Another command has settings of its own.
  if (options.submit == SubmitWay::kAuto && !options.hadoop.empty()) {
    return Status::NotImplemented("--streaming.hadoop names its command");
  }
  return RestSubmitter::Make(managers);
}

// Returns a plan's text without the parts that differ between two runs of one command.
std::string WorkOf(Plan plan) {
  for (const char* name : {"now", "threads", "memory", "temp_dir", "libhdfs", "json", "quiet", "config", "log_format",
                           "log_file", "metrics_file", "job.runner", "job.local_bytes", "job.local_time"})
    plan.options.erase(name);
  plan.runner = plan.runner_reason = "";
  plan.outlives_driver = false;
  plan.work = {};
  std::erase_if(plan.options, [](const auto& option) { return option.first.starts_with("streaming."); });
  const std::string job = std::move(plan.job);
  plan.job.clear();
  plan.now_ms = plan.planned_ms = 0;
  plan.process = {};
  std::string text = DumpJson(ToJson(plan));
  for (size_t at = 0; (at = text.find(job, at)) != std::string::npos && !job.empty();) text.erase(at, job.size());
  return text;
}

}  // namespace

Status CheckStreamingRoot(const std::string& root, bool shared_root) {
  if (IsHadoopRoot(root) || root.starts_with("s3://") || shared_root) return Status::OK();
  return UsageError("--root ", root,
                    " is on the disk of this machine, where tasks on the cluster cannot find it: give a root on ",
                    "hdfs://… or s3://… (or --streaming.shared_root, where every node sees that path)");
}

Status CheckCanSubmit(const StreamingOptions& options) {
  ARROW_RETURN_NOT_OK(FindHadoop(options).status());
  const bool is_there = options.bundle.find("://") != std::string::npos;
  return is_there ? Status::OK() : LocalBundle(options.bundle).status();
}

std::string WhySubmittedByClient(const StreamingOptions& options) {
  const Result<YarnAddresses> addresses = FindYarn(options.resource_manager);
  if (!addresses.ok()) return addresses.status().message();
  const auto made = MakeSubmitter(options, addresses->resource_managers);
  return made.ok() ? "" : made.status().message();
}

bool IsSameWork(const Plan& a, const Plan& b) { return a.verb == b.verb && WorkOf(a) == WorkOf(b); }

Result<std::unique_ptr<StreamingRunner>> StreamingRunner::Make(StreamingRunnerOptions options, Store* store) {
  ARROW_RETURN_NOT_OK(CheckStreamingRoot(options.root, options.streaming.shared_root));
  ARROW_ASSIGN_OR_RAISE(YarnAddresses addresses, FindYarn(options.streaming.resource_manager));
  std::unique_ptr<StreamingRunner> runner(
      new StreamingRunner(std::move(options), store, YarnClient(std::move(addresses))));
  std::string folder = runner->options_.streaming.work_dir;
  if (folder.empty() && IsHadoopRoot(runner->options_.root)) {
    runner->work_ = store;
    return runner;
  }
  if (folder.empty()) folder = DefaultWorkFolder();
  ARROW_ASSIGN_OR_RAISE(runner->own_work_, OpenStore(folder));
  runner->work_ = runner->own_work_.get();
  return runner;
}

// NotImplemented, with the reason, where nothing was submitted and Hadoop's client may.
Result<std::string> StreamingRunner::SubmitByRest(const StreamingPlaces& places, const JobInputs& inputs) {
  const StreamingOptions& streaming = options_.streaming;
  if (IsHadoopRoot(options_.root) && options_.root.find('@') != std::string::npos) {
    why_not_rest_ = "the root names a user";
  }
  if (why_not_rest_.empty() && rest_ == nullptr) {
    Result<std::unique_ptr<RestSubmitter>> made = MakeSubmitter(streaming, yarn_.resource_managers());
    if (made.ok()) rest_ = std::move(*made);
    if (!made.ok()) why_not_rest_ = made.status().message();
  }
  if (!why_not_rest_.empty()) return Status::NotImplemented(why_not_rest_);
  const Plan& plan = *inputs.plan;
  RestJob job = {.files = streaming.files, .work = work_->Describe()};
  ARROW_ASSIGN_OR_RAISE(const HadoopClient client, FindHadoop(streaming));
  job.jar = client.streaming_jar;
  ARROW_ASSIGN_OR_RAISE(job.bundle, LocalBundle(streaming.bundle));
  job.job = {.settings = StreamingSettings(plan, places, streaming, options_.attempts, TaskEnvironment()),
             .control = places.control,
             .control_text = ControlFile(plan),
             .output = places.output,
             .mapper = kMapper,
             .reducer = plan.partitions > 0 ? kReducer : ""};
  return rest_->Submit(job, inputs.stop);
}

Result<std::string> StreamingRunner::SubmitByClient(StreamingPlaces places, const JobInputs& inputs) {
  const Plan& plan = *inputs.plan;
  ARROW_ASSIGN_OR_RAISE(const HadoopClient client, FindHadoop(options_.streaming));
  ARROW_ASSIGN_OR_RAISE(places.bundle, ShipBundle(options_.streaming.bundle, work_));
  const auto settings = StreamingSettings(plan, places, options_.streaming, options_.attempts, TaskEnvironment());
  const auto arguments = StreamingArguments(plan, places, options_.streaming, settings);
  return SubmitStreaming(client, arguments, inputs.stop);
}

void StreamingRunner::NoteSubmitted(const Plan& plan, const std::string& application,
                                    const std::string& why_client) const {
  if (!options_.log) return;
  Json fields = {{"verb", plan.verb}, {"job", plan.job}};
  if (!plan.segment().empty()) fields["segment"] = plan.segment();
  fields["application"] = application;
  fields["by"] = why_client.empty() ? "rest" : "client";
  if (!why_client.empty()) fields["reason"] = why_client;
  options_.log(LogLevel::kInfo, "job_submitted", fields);
}

Result<YarnApplication> StreamingRunner::Submit(const JobInputs& inputs) {
  const Plan& plan = *inputs.plan;
  StreamingPlaces places;
  places.root = options_.root;
  places.crawl = store_->Describe();
  const std::string control = StreamingPath(plan.job, kControlName);
  ARROW_RETURN_NOT_OK(work_->CreateExclusive(control, ControlFile(plan)).status());
  places.control = HadoopName(*work_, control);
  places.output = HadoopName(*work_, StreamingPath(plan.job, kOutputName));
  std::string why_client;
  Result<std::string> id = SubmitByRest(places, inputs);
  if (id.status().IsNotImplemented()) {
    why_client = id.status().message();
    if (options_.streaming.submit == SubmitWay::kRest) {
      return UsageError("--streaming.submit rest: ", why_client, "; leave it at auto, or give client");
    }
    ARROW_RETURN_NOT_OK(inputs.stop.Check());
    id = SubmitByClient(std::move(places), inputs);
  }
  if (id.ok()) {
    NoteSubmitted(plan, *id, why_client);
    return yarn_.Application(*id);
  }
  // Who submits may have ended, or failed, after the job was submitted.
  ARROW_ASSIGN_OR_RAISE(const auto tagged, yarn_.ApplicationsTagged(plan.job));
  if (tagged.empty()) return id.status();
  return tagged.front();
}

// Returns the plan's application: one that runs already, or a new one.
Result<YarnApplication> StreamingRunner::Start(const JobInputs& inputs) {
  ARROW_ASSIGN_OR_RAISE(const auto tagged, yarn_.ApplicationsTagged(inputs.plan->job));
  if (!tagged.empty()) return tagged.front();
  return Submit(inputs);
}

void StreamingRunner::ShowProgress(const YarnApplication& application, const JobInputs& inputs,
                                   const std::function<void(const RunnerProgress&)>& progress) {
  RunnerProgress now = {.maps = static_cast<int>(inputs.plan->parts.size()), .reduces = inputs.plan->partitions};
  const std::optional<YarnJob> job = yarn_.JobOf(application);
  if (job) {
    now.maps_done = job->maps_done;
    now.reduces_done = job->reduces_done;
    now.failed_attempts = job->failed_attempts;
    if (now.failed_attempts > seen_failures_ && inputs.failed) {
      const std::string text =
          std::to_string(now.failed_attempts) + " attempts have failed so far on " + application.id;
      inputs.failed({}, Status::IOError(text), /*is_tried_again=*/true);
    }
    seen_failures_ = now.failed_attempts;
    const auto counters = yarn_.CountersOf(application, kCounterGroup);
    const auto rows = counters.find(kRowsCounter);
    if (rows != counters.end()) now.rows = rows->second;
  }
  progress(now);
  if (!inputs.show || !job) return;
  for (const YarnTask& task : yarn_.TasksOf(application)) {
    const Json gauges = GaugesInStatus(task.status);
    const auto id = TaskIdFrom(task.status.substr(0, task.status.find(' ')));
    if (id.ok() && gauges.is_object()) inputs.show(*id, gauges);
  }
}

Status StreamingRunner::WhenStopped(const YarnApplication& application) const {
  const Status killed = yarn_.Kill(application, "trawl: its driver was asked to stop");
  if (killed.ok()) return StoppedError();
  return StatusOfKind(StatusKind::kStopped, "stopped, but " + application.id + " goes on: " + killed.message());
}

Result<YarnApplication> StreamingRunner::Follow(YarnApplication application, const JobInputs& inputs,
                                                const std::function<void(const RunnerProgress&)>& progress) {
  int silent_ms = 0, since_detail_ms = kDetailMs - kPollMs;
  for (int polls = 0; !application.is_over(); ++polls) {
    if (options_.streaming.detach) {
      return StatusOfKind(StatusKind::kStopped,
                          "running on the cluster as " + application.id + " (" + inputs.plan->job +
                              "); the same command takes it up again, and trawl jobs status shows it");
    }
    if (inputs.stop.stopped()) return WhenStopped(application);
    if (since_detail_ms >= kDetailMs) {
      ShowProgress(application, inputs, progress);
      since_detail_ms = 0;
    }
    const int pause_ms = polls < kFirstPolls ? kFirstPollMs : kPollMs;
    Pause(inputs.stop, pause_ms);
    since_detail_ms += pause_ms;
    Result<YarnApplication> now = yarn_.Application(application.id);
    if (now.ok()) {
      application = std::move(*now);
      silent_ms = 0;
    } else if ((silent_ms += pause_ms) > kMaxSilentMs) {
      return now.status().WithMessage(now.status().message(), "; ", application.id,
                                      " goes on, and the same command takes it up again");
    }
  }
  return application;
}

// Returns the reason that the first task to fail for good left in the job's folder.
std::string StreamingRunner::FirstReason(const Plan& plan) const {
  const auto entries = store_->List(JobFolder(plan.job), /*recursive=*/false);
  if (!entries.ok()) return "";
  std::string reason;
  int64_t newest_ms = -1;
  for (const StoreEntry& entry : *entries) {
    const auto place = ParsePath(entry.path);
    if (!place || place->kind != PlaceKind::kJobFailure || entry.modified_ms <= newest_ms) continue;
    const auto text = store_->ReadWhole(entry.path, kMaxReasonBytes);
    if (!text.ok()) continue;
    reason = *text;
    newest_ms = entry.modified_ms;
  }
  return reason;
}

// Returns OK where the application succeeded; otherwise the reason.
Status StreamingRunner::EndedBy(const YarnApplication& application, const Plan& plan) {
  if (application.has_succeeded()) return Status::OK();
  if (application.diagnostics.find(kSuperseded) != std::string::npos) return ConflictError(application.diagnostics);
  if (application.state == "KILLED" || application.final_status == "KILLED") {
    return Status::IOError(application.id, " was killed: ", application.diagnostics);
  }
  std::string reason = FirstReason(plan);
  if (reason.empty()) reason = yarn_.FailureOf(application);
  if (reason.empty()) reason = application.diagnostics;
  return Status::IOError(application.id, " failed: ", reason);
}

Result<std::vector<TaskReceipt>> StreamingRunner::Run(const JobSpec&, const JobInputs& inputs,
                                                      const std::function<void(const RunnerProgress&)>& progress) {
  const Plan& plan = *inputs.plan;
  if (plan.partitions > kMaxLabelledPartitions)
    return UsageError("a job on a cluster has at most 4065 partitions; lower --job.partitions");
  seen_failures_ = 0;
  ARROW_ASSIGN_OR_RAISE(YarnApplication application, Start(inputs));
  ARROW_ASSIGN_OR_RAISE(application, Follow(std::move(application), inputs, progress));
  ARROW_RETURN_NOT_OK(EndedBy(application, plan));
  return ReadReceipts(work_, StreamingPath(plan.job, kOutputName), plan);
}

Result<std::optional<Plan>> StreamingRunner::TakeUp(const Plan& planned) {
  ARROW_ASSIGN_OR_RAISE(const auto applications, yarn_.ApplicationsTagged(CrawlTag(store_->Describe())));
  for (const YarnApplication& application : applications) {
    if (application.is_over() && !application.has_succeeded()) continue;
    const std::string job = application.TrawlJob();
    if (!IsValidId(job)) continue;
    ARROW_ASSIGN_OR_RAISE(const bool reported, store_->Exists(ReportPath(job)));
    if (reported) continue;
    const Result<Plan> plan = ReadPlan(store_, job);
    if (!plan.ok()) continue;  // it belongs to an earlier root of the same name
    if (IsSameWork(*plan, planned)) return std::optional<Plan>(*plan);
    // A step of a segment counts only once, so a second plan of it would only hinder the first.
    const bool same_step =
        plan->verb == planned.verb && !plan->segment().empty() && plan->segment() == planned.segment();
    if (same_step && !application.is_over()) ARROW_RETURN_NOT_OK(yarn_.Kill(application, kSuperseded));
  }
  return std::optional<Plan>();
}

void StreamingRunner::Forget(const Plan& plan) {
  const Status removed = work_->RemoveFolder(StreamingFolder(plan.job));
  (void)removed;  // gc removes the rest
}

}  // namespace trawl
