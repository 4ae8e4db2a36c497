// trawl doctor: checks that a crawl has everything it needs, on the machines where its tasks run.
//
//   reads        its plan
//   shuffles by  nothing
//   writes       nothing that stays
//   counters     checks, ill
//
// It is a job of a few tasks, each of which makes every check. It needs no crawl at the root and leaves none.
#include <algorithm>

#include "formats/documents/sealed_json.h"
#include "jobs/doctor/checks.h"
#include "jobs/doctor/hadoop_checks.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "jobs/verb/job_runner.h"
#include "jobs/verb/version.h"
#include "runtime/process/own_process.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

struct DoctorOptions {
  int32_t tasks = 2;
  std::string url;
};

const OptionGroup<DoctorOptions>& DoctorOptionGroup() {
  static const auto group =
      OptionGroup<DoctorOptions>("doctor", "What is checked")
          .Int("tasks", &DoctorOptions::tasks,
               "number of tasks that run the checks; on a cluster, YARN chooses their nodes", Between(1, 1000))
          .String("url", &DoctorOptions::url,
                  "every task fetches this URL once, which checks DNS, outgoing connections and certificates", "URL")
          .AllMain();
  return group;
}

Status MapChecks(TaskContext& context, const Json&, RowSink&) {
  ARROW_ASSIGN_OR_RAISE(const DoctorOptions options, context.Read(DoctorOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const GlobalOptions global, context.Read(GlobalOptionGroup()));
  const Plan& plan = context.plan();
  const TimeMs here_ms = context.clock().NowMs();
  const std::vector<DoctorFinding> findings = {
      CheckProgram(),
      CheckStoreCreates(context.store(), JobInputPath(plan.job, context.id().number)),
      CheckClock(here_ms, plan.planned_ms, here_ms),  // the driver can tell whether it is ahead
      CheckMemory(global.memory_bytes),
      CheckTempFolder(global.temp_dir),
      CheckEgress(options.url)};
  Json list = Json::array();
  for (const DoctorFinding& finding : findings) list.push_back(ToJson(finding));
  context.facts() = {{"findings", list}, {"now_ms", here_ms}};
  return Status::OK();
}

}  // namespace

JobSpec DoctorSpec() { return {.name = "doctor", .map = MapChecks}; }

namespace {

Plan MakePlan(const VerbContext& context, const DoctorOptions& options) {
  Plan plan;
  plan.job = NewJobId("doctor", context.global.now_ms);
  plan.verb = "doctor";
  plan.version = kVersion;
  plan.snapshot = -1;
  plan.now_ms = context.global.now_ms;
  plan.planned_ms = context.process.clock.NowMs();
  plan.process = OwnProcess();
  plan.options = context.options.texts();
  for (int task = 0; task < options.tasks; ++task) plan.parts.push_back({{"task", task}});
  return plan;
}

// Runs the checks and removes the files of the job.
Result<std::vector<TaskReceipt>> RunChecks(VerbContext& context, Store* store, Runner* runner, const Plan& plan) {
  ARROW_RETURN_NOT_OK(store->CreateExclusive(PlanPath(plan.job), SealJson(ToJson(plan))).status());
  const Manifest nothing;
  const JobInputs inputs = {.store = store,
                            .plan = &plan,
                            .snapshot = &nothing,
                            .stop = context.process.stop,
                            .clock = &context.process.clock};
  auto receipts = runner->Run(DoctorSpec(), inputs, [](const RunnerProgress&) {});
  runner->Forget(plan);
  if (receipts.ok()) ARROW_RETURN_NOT_OK(store->RemoveFolder(JobFolder(plan.job)));
  return receipts;
}

Result<std::vector<DoctorFinding>> FindingsOf(const TaskReceipt& receipt, TimeMs planned_ms, TimeMs now_ms) {
  ARROW_ASSIGN_OR_RAISE(const Json* list, GetArray(receipt.facts, "findings"));
  ARROW_ASSIGN_OR_RAISE(const int64_t there_ms, GetInt(receipt.facts, "now_ms"));
  std::vector<DoctorFinding> findings;
  for (const Json& element : *list) {
    ARROW_ASSIGN_OR_RAISE(DoctorFinding finding, DoctorFindingFromJson(element));
    if (finding.check == "clock") finding = CheckClock(there_ms, planned_ms, now_ms);
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::string LineOf(const std::string& task, const DoctorFinding& finding) {
  const std::string line =
      std::string(finding.is_well ? "well  " : "ILL   ") + task + "  " + finding.check + ": " + finding.found;
  return line + (finding.fix.empty() ? "" : "\n      → " + finding.fix) + "\n";
}

Result<int> RunDoctor(VerbContext& context) {
  ARROW_RETURN_NOT_OK(ResolveRunner(context));
  ARROW_ASSIGN_OR_RAISE(const DoctorOptions options, context.Read(DoctorOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  int ill = 0;
  const auto answer = [&](const std::string& task, const DoctorFinding& finding) {
    ill += finding.is_well ? 0 : 1;
    Json json = ToJson(finding);
    json["task"] = task;
    return context.Answer(json, LineOf(task, finding));
  };
  // First, because without them the root may not open.
  for (const DoctorFinding& finding : CheckHadoop(context.global.root)) {
    ARROW_RETURN_NOT_OK(answer("driver", finding));
  }
  ARROW_ASSIGN_OR_RAISE(const auto store, OpenRoot(context));
  ARROW_ASSIGN_OR_RAISE(const auto runner, MakeRunner(context, job, store.get()));
  const Plan plan = MakePlan(context, options);
  ARROW_ASSIGN_OR_RAISE(const auto receipts, RunChecks(context, store.get(), runner.get(), plan));
  if (job.runner == RunnerKind::kAuto) {
    ARROW_ASSIGN_OR_RAISE(const StreamingOptions streaming, context.Read(StreamingOptionGroup()));
    ARROW_RETURN_NOT_OK(answer("driver", CheckCluster(streaming)));
  }
  for (const TaskReceipt& receipt : receipts) {
    ARROW_ASSIGN_OR_RAISE(const auto findings, FindingsOf(receipt, plan.planned_ms, context.process.clock.NowMs()));
    for (const DoctorFinding& finding : findings) {
      ARROW_RETURN_NOT_OK(answer(receipt.id.Name(), finding));
    }
  }
  return ill == 0 ? kExitDone : kExitFailed;
}

}  // namespace

Verb DoctorVerb() {
  return {
      .name = "doctor",
      .summary = "check that everything a crawl needs is there",
      .purpose = VerbPurpose::kDiagnose,
      .description =
          "Checks that the program runs, that the store creates a name only once, that clocks agree, and that there is "
          "enough memory and disk; with --url also DNS and outgoing connections; of a root on HDFS its NameNodes and "
          "the "
          "Kerberos ticket. With --runner streaming the checks "
          "run in a small job on the cluster; with auto they run here, and YARN is asked, too. Each line with a "
          "problem says how to solve it; the exit code is 3 then.",
      .examples = {{"This machine", "trawl doctor --url https://www.example.com/"},
                   {"A cluster", "trawl doctor --runner streaming --root hdfs://nameservice/crawl --tasks 20"}},
      .groups = {&DoctorOptionGroup(), &JobOptionGroup()},
      .run = RunDoctor};
}

}  // namespace trawl
