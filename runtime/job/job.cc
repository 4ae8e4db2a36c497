#include "runtime/job/job.h"

#include "formats/documents/sealed_json.h"
#include "formats/rows/times.h"
#include "runtime/job/receipt_check.h"
#include "runtime/process/own_process.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"
#include "runtime/root/planned_bytes.h"
#include "runtime/root/segment_data.h"
#include "runtime/store/check_stored.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int kTimesDone = 4;  // once, and up to three times again on newer snapshots
// gc keeps files that are younger than seven days: a job that took longer than this may find its inputs or outputs
// gone.
constexpr int64_t kMaxPlanAgeMs = 5 * kDayMs;

// A store that lost an acknowledged file must be found out before anything names the file.
Status CheckWritten(Store* store, const std::string& folder, const std::vector<FileReceipt>& files,
                    const std::string& record) {
  return CheckStored(store, folder, files, record, "was written, but is missing");
}

// Creates a file whose name belongs to one job alone, so that after a lost reply the stored content decides.
Status CreateOwn(Store* store, const std::string& path, const std::string& text) {
  const Result<CreateOutcome> outcome = store->CreateExclusive(path, text);
  if (outcome.ok() && *outcome == CreateOutcome::kCreated) return Status::OK();
  const Result<std::string> there = store->ReadWhole(path, static_cast<int64_t>(text.size()));
  if (there.ok() && *there == text) return Status::OK();
  return outcome.ok() ? Status::IOError(path, ": exists already") : outcome.status();
}

Status CreateReport(Store* store, const std::string& job, bool was_taken_up, const Json& report) {
  const Status created = CreateOwn(store, ReportPath(job), SealJson(report));
  if (created.ok() || !was_taken_up) return created;
  // Another driver that took the job up was a little faster.
  ARROW_ASSIGN_OR_RAISE(const bool reported, store->Exists(ReportPath(job)));
  return reported ? Status::OK() : created;
}

// The end of a job that is committed: with its report nobody takes it up any more.
struct Settling {
  Store* store;
  Runner* runner;
  Plan plan;
  bool was_taken_up;
  bool keeps_plan;

  Status Settle(const Json& report) const {
    ARROW_RETURN_NOT_OK(CreateReport(store, plan.job, was_taken_up, report));
    runner->Forget(plan);
    // A plan that cannot be removed is left to gc.
    if (!keeps_plan) (void)store->Remove(PlanPath(plan.job));
    return Status::OK();
  }
};

// One attempt at a job.
class JobRun {
 public:
  JobRun(const JobEnvironment& environment, const JobRequest& request) : environment_(environment), request_(request) {}

  // Returns false where another job published first. Jobs that run in its plan leave in `afterwards` what is to be done
  // when it is settled.
  Result<bool> Run(std::vector<std::function<Status()>>* afterwards) {
    started_ms_ = environment_.clock->MonotonicMs();
    ARROW_ASSIGN_OR_RAISE(base_, ReadSnapshot(environment_.store, request_.base_snapshot));
    ARROW_RETURN_NOT_OK(MakePlan(afterwards));
    result_.snapshot = base_.manifest.number;
    if (plan_.parts.empty()) return true;
    result_.job = plan_.job;
    Log(LogLevel::kInfo, "job_began",
        {{"snapshot", plan_.snapshot},
         {"tasks", plan_.parts.size() + static_cast<size_t>(plan_.partitions)},
         {"runner", plan_.runner},
         {"reason", plan_.runner_reason}});
    ARROW_RETURN_NOT_OK(RunTasks());
    if (environment_.clock->MonotonicMs() - started_ms_ > kMaxPlanAgeMs) return false;
    ARROW_ASSIGN_OR_RAISE(const bool settled, request_.commit == Commit::kStepRecord ? CommitStep() : Publish());
    if (!settled) return false;
    if (result_.changed && request_.details) {
      ARROW_ASSIGN_OR_RAISE(result_.details, request_.details(environment_, plan_, result_));
    }
    result_.seconds = SecondsSoFar();
    Log(LogLevel::kInfo, result_.changed ? "job_published" : "job_ended",
        {{"snapshot", result_.snapshot}, {"changed", result_.changed}, {"seconds", result_.seconds}});
    ARROW_RETURN_NOT_OK(environment_.DoAfterwards(
        [run = Settling{environment_.store, environment_.runner, plan_, was_taken_up_, KeepsPlan()},
         report = Report()] { return run.Settle(report); }));
    return true;
  }

  // Notes that the job is done again under another id, if it had a plan.
  Status ReportLost() {
    if (result_.job.empty()) return Status::OK();
    Log(LogLevel::kWarning, "job_lost", {{"snapshot", plan_.snapshot}, {"text", "another job published first"}});
    const Json report = {{"job", plan_.job},
                         {"verb", plan_.verb},
                         {"changed", false},
                         {"lost", true},
                         {"snapshot", plan_.snapshot},
                         {"now_ms", plan_.now_ms},
                         {"seconds", SecondsSoFar()},
                         {"runner", plan_.runner},
                         {"runner_reason", plan_.runner_reason}};
    return CreateReport(environment_.store, plan_.job, was_taken_up_, report);
  }

  // Logs why the job ended, if it had a plan.
  void LogFailure(const Status& failure) const {
    if (result_.job.empty()) return;
    const bool is_stopped = KindOf(failure) == StatusKind::kStopped;
    Log(is_stopped ? LogLevel::kInfo : LogLevel::kError, is_stopped ? "job_stopped" : "job_failed",
        {{"text", failure.message()}});
  }

  // Notes why the job ended without a report, for those who look at it later. What ended it may also keep it from being
  // noted. A job on a cluster goes on without this process.
  void ReportEnd(const Status& why) {
    if (result_.job.empty() || plan_.is_on_cluster()) return;
    const bool was_stopped = KindOf(why) == StatusKind::kStopped;
    Json end = {{"job", plan_.job}, {"verb", plan_.verb}, {"state", was_stopped ? "stopped" : "failed"}};
    if (!was_stopped) end["reason"] = why.message();
    end["seconds"] = SecondsSoFar();
    (void)environment_.store->CreateExclusive(JobEndPath(plan_.job), SealJson(end));
  }

  JobResult TakeResult() { return std::move(result_); }

 private:
  void Log(LogLevel level, const char* event, const Json& fields) const {
    if (!environment_.log) return;
    Json all = {{"verb", plan_.verb}, {"job", plan_.job}};
    if (!plan_.segment().empty()) all["segment"] = plan_.segment();
    all.update(fields);
    environment_.log(level, event, all);
  }

  Status MakePlan(std::vector<std::function<Status()>>* afterwards) {
    plan_.job = NewJobId(request_.spec.name, environment_.now_ms);
    plan_.verb = request_.spec.name;
    plan_.version = environment_.version;
    plan_.snapshot = base_.manifest.number;
    plan_.now_ms = environment_.now_ms;
    plan_.planned_ms = environment_.clock->NowMs();
    plan_.process = OwnProcess();
    plan_.options = environment_.options;
    inner_ = environment_;
    inner_.afterwards = afterwards;
    ARROW_RETURN_NOT_OK(request_.plan(inner_, base_, &plan_));
    if (plan_.parts.empty()) return Status::OK();
    PlaceIt();
    ARROW_ASSIGN_OR_RAISE(const std::optional<Plan> under_way, environment_.runner->TakeUp(plan_));
    was_taken_up_ = under_way.has_value();
    if (was_taken_up_) {
      plan_ = *under_way;
      return Status::OK();
    }
    return Create(PlanPath(plan_.job), SealJson(ToJson(plan_)));
  }

  void PlaceIt() {
    if (plan_.work.bytes < 0) plan_.work.bytes = BytesOfTables(base_.manifest);
    environment_.runner->Place(environment_.afterwards != nullptr, &plan_);
    // Whoever reads the options sees the runner that the job has.
    const auto option = plan_.options.find("job.runner");
    if (option != plan_.options.end()) option->second = plan_.runner;
  }

  Status Create(const std::string& path, const std::string& text) { return CreateOwn(environment_.store, path, text); }

  Status RunTasks() {
    const JobInputs inputs = {.store = environment_.store,
                              .plan = &plan_,
                              .snapshot = &base_.manifest,
                              .stop = environment_.stop,
                              .clock = environment_.clock,
                              .rows_written = nullptr,
                              .show = environment_.show,
                              .failed = [this](const TaskId& task, const Status& failure, bool is_tried_again) {
                                Log(is_tried_again ? LogLevel::kWarning : LogLevel::kError,
                                    is_tried_again ? "task_retried" : "task_failed",
                                    {{"task", task.Name()}, {"text", failure.message()}});
                              }};
    const std::shared_ptr<void> watched = environment_.began ? environment_.began(plan_) : nullptr;
    JobOutput& output = result_.output;
    ARROW_ASSIGN_OR_RAISE(output.receipts,
                          environment_.runner->Run(request_.spec, inputs, [this](const RunnerProgress& progress) {
                            if (environment_.progress) environment_.progress(plan_.verb, progress);
                          }));
    std::map<std::string, int> schemas;
    for (const TaskReceipt& receipt : output.receipts) {
      schemas.insert(receipt.schemas.begin(), receipt.schemas.end());
      output.counters.Merge(receipt.counters);
      output.samples.Merge(receipt.samples);
      output.shuffle.Add(receipt.shuffle);
    }
    if (request_.commit != Commit::kSnapshot) ARROW_RETURN_NOT_OK(MakeStepRecord());
    if (request_.commit == Commit::kSegmentLists) ARROW_RETURN_NOT_OK(StoreLists());
    ARROW_ASSIGN_OR_RAISE(auto files, FilesOfReceipts(plan_, output.receipts));
    std::vector<RunRecord> records;
    for (auto& [table, written] : files) {
      if (written.empty()) continue;
      records.push_back({.table = table, .schema = schemas[table], .job = plan_.job, .files = std::move(written)});
    }
    ARROW_ASSIGN_OR_RAISE(const std::vector<RunReference> runs,
                          WriteRunRecords(environment_.store, plan_.job, records));
    for (size_t i = 0; i < records.size(); ++i) {
      const std::string& table = records[i].table;
      ARROW_RETURN_NOT_OK(CheckWritten(environment_.store, RunFolder(table, plan_.job), records[i].files, ""));
      output.runs[table] = runs[i];
    }
    return Status::OK();
  }

  // Makes the record of the files that the tasks wrote into the segment; it is not yet stored.
  Status MakeStepRecord() {
    StepRecord& record = result_.output.step;
    record = {.segment = plan_.segment(),
              .step = request_.commit == Commit::kSegmentLists ? kGenerateStep : request_.step,
              .job = plan_.job,
              .snapshot = plan_.snapshot,
              .now_ms = plan_.now_ms,
              .schemas = {},
              .tasks = {},
              .counters = ToJson(result_.output.counters)};
    for (const TaskReceipt& receipt : result_.output.receipts) {
      if (receipt.id.is_reduce != (plan_.partitions > 0)) continue;
      record.schemas.insert(receipt.dataset_schemas.begin(), receipt.dataset_schemas.end());
      record.tasks.push_back(
          {.files = receipt.dataset_files, .facts = receipt.facts.is_object() ? receipt.facts : Json::object()});
    }
    for (const auto& [dataset, schema] : record.schemas) {
      const std::string folder = DatasetFolder(record.segment, dataset);
      ARROW_RETURN_NOT_OK(CheckWritten(environment_.store, folder, record.FilesOf(dataset), ""));
    }
    return Status::OK();
  }

  Status StoreLists() {
    const std::string text = SealJson(ToJson(result_.output.step));
    result_.output.step_seal = SealOfText(text);
    const std::string path = ListsRecordPath(plan_.segment(), plan_.job);
    ARROW_RETURN_NOT_OK(Create(path, text));
    ARROW_ASSIGN_OR_RAISE(const bool is_there, environment_.store->Exists(path));
    return is_there ? Status::OK() : Status::IOError(path, ": was written, but is missing");
  }

  // Creates the step's record. Where it exists already, this or another job has done the step before.
  Result<bool> CommitStep() {
    const std::string path = DatasetRecordPath(plan_.segment(), request_.step);
    const std::string text = SealJson(ToJson(result_.output.step));
    const Result<CreateOutcome> outcome = environment_.store->CreateExclusive(path, text);
    // Read back in any case: a reply may have been lost, and a store may have forgotten an acknowledged file.
    ARROW_ASSIGN_OR_RAISE(std::optional<StepRecord> there,
                          ReadStep(environment_.store, plan_.segment(), request_.step));
    if (!there) return outcome.ok() ? Status::IOError(path, ": was written, but is missing") : outcome.status();
    result_.changed = there->job == plan_.job;
    result_.output.step = std::move(*there);
    return true;
  }

  Result<bool> Publish() {
    for (int times = 0; times < kTimesRebased; ++times) {
      Manifest next = NextManifest(base_, plan_.job, plan_.verb, plan_.now_ms);
      ARROW_ASSIGN_OR_RAISE(result_.changed, request_.apply(plan_, result_.output, &next));
      if (!result_.changed) return true;
      ARROW_ASSIGN_OR_RAISE(const PublishOutcome outcome, PublishSnapshot(environment_.store, next));
      if (outcome == PublishOutcome::kPublished) {
        result_.snapshot = next.number;
        Log(LogLevel::kInfo, "snapshot_published", {{"snapshot", next.number}});
        return true;
      }
      if (!request_.may_rebase) return false;
      ARROW_ASSIGN_OR_RAISE(base_, ReadPresent(environment_.store));
    }
    return false;
  }

  // On a cluster late attempts may still read it.
  bool KeepsPlan() const { return plan_.is_on_cluster() || request_.keeps_plan; }

  Json Report() const {
    Json runs = Json::object();
    for (const auto& [table, run] : result_.output.runs) {
      runs[table] = {
          {"rows", run.rows}, {"removed", run.removed}, {"bytes", run.bytes}, {"digest", run.digest.ToHex()}};
    }
    Json counters = ToJson(result_.output.counters);
    if (HasMember(plan_.facts, "counted")) counters.update(plan_.facts["counted"]);
    Json report = {{"job", plan_.job},
                   {"verb", plan_.verb},
                   {"changed", result_.changed},
                   {"snapshot", result_.snapshot},
                   {"now_ms", plan_.now_ms},
                   {"seconds", result_.seconds},
                   {"tasks", result_.output.receipts.size()},
                   {"counters", counters},
                   {"samples", ToJson(result_.output.samples)},
                   {"runs", runs},
                   {"base", plan_.snapshot},
                   {"planned_ms", plan_.planned_ms},
                   {"version", plan_.version},
                   {"options", plan_.options},
                   {"runner", plan_.runner},
                   {"runner_reason", plan_.runner_reason}};
    if (plan_.partitions > 0) report["shuffle"] = ToJson(result_.output.shuffle);
    for (const auto& [name, value] : result_.details.items()) report[name] = value;
    return report;
  }

  double SecondsSoFar() const { return static_cast<double>(environment_.clock->MonotonicMs() - started_ms_) / 1000.0; }

  const JobEnvironment& environment_;
  JobEnvironment inner_;  // for the plan; a request may keep hold of it
  const JobRequest& request_;
  int64_t started_ms_ = 0;
  Snapshot base_;
  Plan plan_;
  bool was_taken_up_ = false;
  JobResult result_;
};

}  // namespace

Result<JobResult> RunJob(const JobEnvironment& environment, const JobRequest& request) {
  for (int times = 0; times < kTimesDone; ++times) {
    ARROW_RETURN_NOT_OK(environment.stop.Check());
    JobRun run(environment, request);
    std::vector<std::function<Status()>> afterwards;
    const Result<bool> settled = run.Run(environment.afterwards == nullptr ? &afterwards : environment.afterwards);
    const bool conflict = !settled.ok() && KindOf(settled.status()) == StatusKind::kConflict;
    if (!conflict && !settled.ok()) {
      run.LogFailure(settled.status());
      run.ReportEnd(settled.status());
      return settled.status();
    }
    for (const std::function<Status()>& work : afterwards) ARROW_RETURN_NOT_OK(work());
    if (!conflict && *settled) return run.TakeResult();
    ARROW_RETURN_NOT_OK(run.ReportLost());
  }
  return ConflictError(request.spec.name, ": other jobs published first, ", kTimesDone,
                       " times in a row; run the command again");
}

Result<JobResult> PublishChange(const JobEnvironment& environment, const std::string& verb,
                                const std::function<Result<bool>(Manifest* next)>& change) {
  JobResult result;
  result.job = NewJobId(verb, environment.now_ms);
  for (int times = 0; times < kTimesRebased; ++times) {
    ARROW_ASSIGN_OR_RAISE(const Snapshot base, ReadPresent(environment.store));
    Manifest next = NextManifest(base, result.job, verb, environment.now_ms);
    ARROW_ASSIGN_OR_RAISE(result.changed, change(&next));
    result.snapshot = base.manifest.number;
    if (!result.changed) return result;
    ARROW_ASSIGN_OR_RAISE(const PublishOutcome outcome, PublishSnapshot(environment.store, next));
    result.snapshot = next.number;
    if (outcome != PublishOutcome::kPublished) continue;
    const Json report = {{"job", result.job},
                         {"verb", verb},
                         {"changed", true},
                         {"snapshot", result.snapshot},
                         {"now_ms", environment.now_ms},
                         {"seconds", result.seconds},
                         {"counters", Json::object()}};
    environment.Log(LogLevel::kInfo, "snapshot_published",
                    {{"verb", verb}, {"job", result.job}, {"snapshot", result.snapshot}});
    ARROW_RETURN_NOT_OK(CreateOwn(environment.store, ReportPath(result.job), SealJson(report)));
    return result;
  }
  return ConflictError(verb, ": other jobs published first, ", kTimesRebased, " times in a row; run the command again");
}

Result<bool> AppendRuns(const Plan&, const JobOutput& output, Manifest* next) {
  for (const auto& [table, run] : output.runs) next->tables[table].push_back(run);
  return !output.runs.empty();
}

ApplyOutput ReplaceTable(std::string table) {
  return [table = std::move(table)](const Plan& plan, const JobOutput& output, Manifest* next) -> Result<bool> {
    if (next->number != plan.snapshot + 1) {
      return ConflictError(table, " was computed from snapshot ", plan.snapshot, ", which is not the present any more");
    }
    const auto run = output.runs.find(table);
    const bool has_rows = run != output.runs.end();
    if (output.runs.size() > (has_rows ? 1 : 0)) return Status::Invalid(plan.verb, ": wrote tables besides ", table);
    const bool had_rows = next->tables.erase(table) > 0;
    if (has_rows) next->tables[table] = {run->second};
    return has_rows || had_rows;
  };
}

}  // namespace trawl
