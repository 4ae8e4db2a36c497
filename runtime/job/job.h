// The door of runtime/job: a job from its plan to its report: plan → tasks → receipts → verify → publish → report.
//
// No file of a job is named before the job's snapshot is published, so a job that dies leaves only files that nobody
// names. When another job published first, a job that may be rebased is put on top of the newer snapshot. Any other job
// is done again on the new snapshot under a new id, three times.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/step_record.h"
#include "runtime/job/runner.h"
#include "runtime/process/clock.h"
#include "runtime/terminal/event_log.h"

namespace trawl {

// How often a job that may be rebased is put on top of a newer snapshot; each time costs one small file.
inline constexpr int kTimesRebased = 50;

// Where and how jobs run.
struct JobEnvironment {
  Store* store = nullptr;
  Runner* runner = nullptr;
  const Clock* clock = nullptr;
  StopToken stop;
  TimeMs now_ms = 0;
  std::string version;
  OptionTexts options;
  std::function<void(const std::string& verb, const RunnerProgress&)> progress;  // may be empty
  std::function<void(const TaskId& task, const Json& gauges)> show;              // may be empty
  EventSink log = {};                                                            // may be empty

  void Log(LogLevel level, const std::string& event, const Json& fields) const {
    if (log) log(level, event, fields);
  }
  // Called when the tasks of a job begin; what it returns is let go of when they have ended. May be empty.
  std::function<std::shared_ptr<void>(const Plan& plan)> began;

  // What is left to do when the job in whose plan this one runs is committed. Null outside a plan. RunJob sets it.
  std::vector<std::function<arrow::Status()>>* afterwards = nullptr;

  // Does `work` at once; within the plan of a job whose driver may end before the job does, when that job is committed.
  // Until then a driver that comes back takes up what ran in the plan, and finds what that has written.
  arrow::Status DoAfterwards(std::function<arrow::Status()> work) const {
    if (!does_afterwards()) return work();
    afterwards->push_back(std::move(work));
    return arrow::Status::OK();
  }
  bool does_afterwards() const { return afterwards != nullptr && runner->OutlivesDriver(); }
};

struct JobOutput {
  // The runs that the tasks wrote, by table; runs without rows are left out.
  std::map<std::string, RunReference> runs;
  // For a segment's step: the record of the tasks' files, and the record's seal.
  StepRecord step;
  std::string step_seal;
  std::vector<TaskReceipt> receipts;
  Counters counters;
  Samples samples;
  ShuffleCounts shuffle;
};

// Puts the output into the next manifest. Returns false where it changes nothing; ConflictError where the job's base is
// gone.
using ApplyOutput = std::function<arrow::Result<bool>(const Plan& plan, const JobOutput& output, Manifest* next)>;

// How the output of a job is committed.
enum class Commit {
  kSnapshot,      // by the snapshot that `apply` makes
  kSegmentLists,  // the same; it names the record of the lists that the tasks wrote into the plan's segment (generate)
  kStepRecord,    // by the record of a step of the plan's segment; the snapshot does not change (fetch, parse)
};

struct JobResult;

struct JobRequest {
  JobSpec spec;
  // Decides parts, partitions and facts; may first run another job on the same snapshot. A plan without parts ends the
  // job: there is nothing to do. Counters in the fact "counted" stand in the report, beside those of the tasks.
  std::function<arrow::Status(const JobEnvironment& environment, const Snapshot& base, Plan* plan)> plan;
  Commit commit = Commit::kSnapshot;
  // Not used for a step's record.
  ApplyOutput apply;
  // Only for a step's record: the step.
  std::string step;
  // The snapshot to read; -1 is the present.
  int64_t base_snapshot = -1;
  // Whether `apply` also makes sense on a later snapshot than the planned one.
  bool may_rebase = false;
  // Numbers for the job's report, beside its counters: an object. Called once the job is committed and has changed
  // something; may be empty.
  std::function<arrow::Result<Json>(const JobEnvironment& environment, const Plan& plan, const JobResult& result)>
      details = {};
  // Whether the plan stays when the job has reported. Else it goes: the report has what is worth keeping of it.
  bool keeps_plan = false;
};

struct JobResult {
  std::string job;  // empty where there was nothing to do
  bool changed = false;
  int64_t snapshot = 0;  // the snapshot that the job published, or the one that it read
  double seconds = 0;
  JobOutput output;
  Json details = Json::object();  // see JobRequest
};

arrow::Result<JobResult> RunJob(const JobEnvironment& environment, const JobRequest& request);

// Publishes a change of the manifest alone, without tasks: settings, segments. `change` is called again on a newer
// snapshot after a conflict; where it returns false, nothing is published.
arrow::Result<JobResult> PublishChange(const JobEnvironment& environment, const std::string& verb,
                                       const std::function<arrow::Result<bool>(Manifest* next)>& change);

// The usual `apply`: each run becomes its table's newest.
arrow::Result<bool> AppendRuns(const Plan& plan, const JobOutput& output, Manifest* next);

// The `apply` of a job that computes a table anew: its run takes the place of all runs of the table, and nothing else
// changes. Give the plan a part even if there are no rows; without parts the job does not run. The run stands only on the
// snapshot that it was computed from: where another job publishes first, this one is done again. Publishes nothing where
// the table was empty and stays so.
ApplyOutput ReplaceTable(std::string table);

}  // namespace trawl
