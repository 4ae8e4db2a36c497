#include "runtime/placement/auto_runner.h"

#include <algorithm>

#include "formats/rows/times.h"
#include "runtime/job/read_plan.h"
#include "runtime/job/receipt_text.h"
#include "runtime/process/own_process.h"
#include "runtime/root/layout.h"
#include "runtime/store/path.h"
#include "runtime/streaming/output.h"
#include "runtime/streaming/runner.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kMaxReceiptBytes = int64_t{256} << 20;
constexpr char kReceiptsName[] = "receipts";
// A driver that was killed left its job not long ago, and few jobs of a verb come after it.
constexpr size_t kMostLooks = 16;
// gc keeps what such a job has written for a day.
constexpr int64_t kMostKeptMs = kDayMs / 2;

std::string ReceiptsPath(const std::string& job) { return StreamingPath(job, kReceiptsName); }

std::string TextOf(const std::vector<TaskReceipt>& receipts) {
  std::string text;
  for (const TaskReceipt& receipt : receipts) text += ReceiptLine(receipt) + "\n";
  return text;
}

// The newest jobs of that verb, newest first.
Result<std::vector<std::string>> JobsOfVerb(Store* store, const std::string& verb) {
  ARROW_ASSIGN_OR_RAISE(const auto entries, store->List(kJobsFolder, /*recursive=*/false));
  std::vector<std::string> jobs;
  for (const StoreEntry& entry : entries) {
    std::string job = entry.path.substr(entry.path.rfind('/') + 1);
    const bool is_of_verb = job.find("-" + verb + "-") == job.find('-');
    if (entry.is_folder && is_of_verb && IsValidId(job)) jobs.push_back(std::move(job));
  }
  std::sort(jobs.rbegin(), jobs.rend());  // ids begin with their time
  if (jobs.size() > kMostLooks) jobs.resize(kMostLooks);
  return jobs;
}

}  // namespace

void AutoRunner::Place(bool within_plan, Plan* plan) {
  RunnerChoice choice = ChooseRunner(plan->work, limits_);
  if (!choice.is_local) {
    const Status ready = runners_.check_cluster();
    choice.is_local = !ready.ok();
    if (!ready.ok()) choice.reason += "; but this machine cannot submit: " + ready.message();
  }
  (choice.is_local ? runners_.here : runners_.cluster)->Place(within_plan, plan);
  plan->runner_reason = choice.reason;
  plan->outlives_driver = plan->is_on_cluster() || within_plan;
}

Result<std::optional<Plan>> AutoRunner::TakeUp(const Plan& planned) {
  kept_job_.clear();
  const Result<std::optional<Plan>> on_cluster = runners_.cluster->TakeUp(planned);
  if (on_cluster.ok() && on_cluster->has_value()) return on_cluster;
  if (!on_cluster.ok() && planned.is_on_cluster()) return on_cluster.status();
  if (!planned.outlives_driver) return std::optional<Plan>();
  ARROW_ASSIGN_OR_RAISE(std::optional<Plan> kept, FindKept(planned));
  if (kept) kept_job_ = kept->job;
  return kept;
}

// Returns the plan of a job that ran on another command's threads, does the same work, and has left its receipts.
Result<std::optional<Plan>> AutoRunner::FindKept(const Plan& planned) const {
  ARROW_ASSIGN_OR_RAISE(const auto jobs, JobsOfVerb(store_, planned.verb));
  for (const std::string& job : jobs) {
    ARROW_ASSIGN_OR_RAISE(const bool is_kept, store_->Exists(ReceiptsPath(job)));
    if (!is_kept) continue;
    ARROW_ASSIGN_OR_RAISE(const bool reported, store_->Exists(ReportPath(job)));
    if (reported) continue;
    const Result<Plan> plan = ReadPlan(store_, job);
    if (!plan.ok() || plan->planned_ms < planned.planned_ms - kMostKeptMs) continue;
    // Its own command lives and goes on with it.
    if (IsOfThisMachine(plan->process) && !IsKnownDead(plan->process)) continue;
    if (IsSameWork(*plan, planned)) return std::optional<Plan>(*plan);
  }
  return std::optional<Plan>();
}

Result<std::vector<TaskReceipt>> AutoRunner::Run(const JobSpec& spec, const JobInputs& inputs,
                                                 const std::function<void(const RunnerProgress&)>& progress) {
  const Plan& plan = *inputs.plan;
  if (plan.is_on_cluster()) return runners_.cluster->Run(spec, inputs, progress);
  if (plan.job == kept_job_) {
    ARROW_ASSIGN_OR_RAISE(const std::string text, store_->ReadWhole(ReceiptsPath(plan.job), kMaxReceiptBytes));
    return ReceiptsIn(text, plan);
  }
  ARROW_ASSIGN_OR_RAISE(auto receipts, runners_.here->Run(spec, inputs, progress));
  // Without them the next command does the job again.
  if (plan.outlives_driver) (void)store_->CreateExclusive(ReceiptsPath(plan.job), TextOf(receipts));
  return receipts;
}

void AutoRunner::Forget(const Plan& plan) {
  if (plan.is_on_cluster()) {
    runners_.cluster->Forget(plan);
  } else if (plan.outlives_driver) {
    (void)store_->RemoveFolder(StreamingFolder(plan.job));  // gc removes the rest
  }
}

}  // namespace trawl
