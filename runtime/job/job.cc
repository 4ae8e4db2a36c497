#include "runtime/job/job.h"

#include "formats/documents/sealed_json.h"
#include "formats/rows/times.h"
#include "runtime/job/receipt_check.h"
#include "runtime/process/own_process.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"
#include "runtime/store/check_stored.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int kTimesDone = 4;  // once, and three times more on newer snapshots
// gc keeps what is younger than seven days: a job that took longer than this may find its inputs or outputs gone.
constexpr int64_t kMaxPlanAgeMs = 5 * kDayMs;

// A store that lost a file it had acknowledged must show before anything names it.
Status CheckWritten(Store* store, const std::string& folder, const std::vector<FileReceipt>& files,
                    const std::string& record) {
  return CheckStored(store, folder, files, record, "was written and is not there");
}

// Creates a file whose name is one job's alone, so that a lost reply is settled by what is there.
Status CreateOwn(Store* store, const std::string& path, const std::string& text) {
  const Result<CreateOutcome> outcome = store->CreateExclusive(path, text);
  if (outcome.ok() && *outcome == CreateOutcome::kCreated) return Status::OK();
  const Result<std::string> there = store->ReadWhole(path, static_cast<int64_t>(text.size()));
  if (there.ok() && *there == text) return Status::OK();
  return outcome.ok() ? Status::IOError(path, ": is there already") : outcome.status();
}

// One time of doing a job.
class JobRun {
 public:
  JobRun(const JobEnvironment& environment, const JobRequest& request) : environment_(environment), request_(request) {}

  // False where another job published first.
  Result<bool> Run() {
    started_ms_ = environment_.clock->MonotonicMs();
    ARROW_ASSIGN_OR_RAISE(base_, ReadSnapshot(environment_.store, request_.base_snapshot));
    ARROW_RETURN_NOT_OK(MakePlan());
    result_.snapshot = base_.manifest.number;
    if (plan_.parts.empty()) return true;
    result_.job = plan_.job;
    ARROW_RETURN_NOT_OK(RunTasks());
    if (environment_.clock->MonotonicMs() - started_ms_ > kMaxPlanAgeMs) return false;
    ARROW_ASSIGN_OR_RAISE(const bool settled, request_.commit == Commit::kStepRecord ? CommitStep() : Publish());
    if (settled) ARROW_RETURN_NOT_OK(WriteReport());
    if (settled) environment_.runner->Forget(plan_);
    return settled;
  }

  // Notes that the job is done again under another id, if it came to have a plan.
  Status ReportLost() {
    if (result_.job.empty()) return Status::OK();
    const Json report = {
        {"job", plan_.job},           {"verb", plan_.verb},     {"changed", false},         {"lost", true},
        {"snapshot", plan_.snapshot}, {"now_ms", plan_.now_ms}, {"seconds", SecondsSoFar()}};
    return CreateReport(report);
  }

  JobResult TakeResult() { return std::move(result_); }

 private:
  Status MakePlan() {
    plan_.job = NewJobId(request_.spec.name, environment_.now_ms);
    plan_.verb = request_.spec.name;
    plan_.version = environment_.version;
    plan_.snapshot = base_.manifest.number;
    plan_.now_ms = environment_.now_ms;
    plan_.planned_ms = environment_.clock->NowMs();
    plan_.process = OwnProcess();
    plan_.options = environment_.options;
    ARROW_RETURN_NOT_OK(request_.plan(environment_, base_, &plan_));
    if (plan_.parts.empty()) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(const std::optional<Plan> under_way, environment_.runner->TakeUp(plan_));
    was_taken_up_ = under_way.has_value();
    if (was_taken_up_) {
      plan_ = *under_way;
      return Status::OK();
    }
    return Create(PlanPath(plan_.job), SealJson(ToJson(plan_)));
  }

  Status Create(const std::string& path, const std::string& text) { return CreateOwn(environment_.store, path, text); }

  Status RunTasks() {
    const JobInputs inputs = {.store = environment_.store,
                              .plan = &plan_,
                              .snapshot = &base_.manifest,
                              .stop = environment_.stop,
                              .clock = environment_.clock,
                              .rows_written = nullptr,
                              .show = environment_.show};
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
    }
    if (request_.commit != Commit::kSnapshot) ARROW_RETURN_NOT_OK(MakeStepRecord());
    if (request_.commit == Commit::kSegmentLists) ARROW_RETURN_NOT_OK(StoreLists());
    ARROW_ASSIGN_OR_RAISE(auto files, FilesOfReceipts(plan_, output.receipts));
    for (auto& [table, written] : files) {
      if (written.empty()) continue;
      const RunRecord record = {
          .table = table, .schema = schemas[table], .job = plan_.job, .files = std::move(written)};
      ARROW_ASSIGN_OR_RAISE(output.runs[table], WriteRunRecord(environment_.store, plan_.job, record));
      ARROW_RETURN_NOT_OK(
          CheckWritten(environment_.store, RunFolder(table, plan_.job), record.files, RunRecordPath(table, plan_.job)));
    }
    return Status::OK();
  }

  // What the tasks wrote into the segment, as a record that is not yet stored.
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
    return is_there ? Status::OK() : Status::IOError(path, ": was written and is not there");
  }

  // Creates the step's record. Where there is one already, the step was done before, by whomever.
  Result<bool> CommitStep() {
    const std::string path = DatasetRecordPath(plan_.segment(), request_.step);
    const std::string text = SealJson(ToJson(result_.output.step));
    const Result<CreateOutcome> outcome = environment_.store->CreateExclusive(path, text);
    // Read back in any case: a reply may have been lost, and a store may have forgotten what it acknowledged.
    ARROW_ASSIGN_OR_RAISE(std::optional<StepRecord> there,
                          ReadStep(environment_.store, plan_.segment(), request_.step));
    if (!there) return outcome.ok() ? Status::IOError(path, ": was written and is not there") : outcome.status();
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
        return true;
      }
      if (!request_.may_rebase) return false;
      ARROW_ASSIGN_OR_RAISE(base_, ReadPresent(environment_.store));
    }
    return false;
  }

  Status WriteReport() {
    result_.seconds = SecondsSoFar();
    Json runs = Json::object();
    for (const auto& [table, run] : result_.output.runs) {
      runs[table] = {
          {"rows", run.rows}, {"removed", run.removed}, {"bytes", run.bytes}, {"digest", run.digest.ToHex()}};
    }
    const Json report = {{"job", plan_.job},
                         {"verb", plan_.verb},
                         {"changed", result_.changed},
                         {"snapshot", result_.snapshot},
                         {"now_ms", plan_.now_ms},
                         {"seconds", result_.seconds},
                         {"tasks", result_.output.receipts.size()},
                         {"counters", ToJson(result_.output.counters)},
                         {"samples", ToJson(result_.output.samples)},
                         {"runs", runs}};
    return CreateReport(report);
  }

  double SecondsSoFar() const { return static_cast<double>(environment_.clock->MonotonicMs() - started_ms_) / 1000.0; }

  Status CreateReport(const Json& report) {
    const Status created = Create(ReportPath(plan_.job), SealJson(report));
    if (created.ok() || !was_taken_up_) return created;
    // Another driver that took it up was a little faster.
    ARROW_ASSIGN_OR_RAISE(const bool reported, environment_.store->Exists(ReportPath(plan_.job)));
    return reported ? Status::OK() : created;
  }

  const JobEnvironment& environment_;
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
    const Result<bool> settled = run.Run();
    const bool conflict = !settled.ok() && KindOf(settled.status()) == StatusKind::kConflict;
    ARROW_RETURN_NOT_OK(conflict ? Status::OK() : settled.status());
    if (!conflict && *settled) return run.TakeResult();
    ARROW_RETURN_NOT_OK(run.ReportLost());
  }
  return ConflictError(request.spec.name, ": other jobs published first, ", kTimesDone, " times in a row; try again");
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
    ARROW_RETURN_NOT_OK(CreateOwn(environment.store, ReportPath(result.job), SealJson(report)));
    return result;
  }
  return ConflictError(verb, ": other jobs published first, ", kTimesRebased, " times in a row; try again");
}

Result<bool> AppendRuns(const Plan&, const JobOutput& output, Manifest* next) {
  for (const auto& [table, run] : output.runs) next->tables[table].push_back(run);
  return !output.runs.empty();
}

}  // namespace trawl
