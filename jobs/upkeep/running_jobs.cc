#include "jobs/upkeep/running_jobs.h"

#include "formats/rows/times.h"
#include "runtime/job/read_plan.h"
#include "runtime/process/own_process.h"
#include "runtime/root/layout.h"
#include "runtime/store/path.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The part of a path after `depth` others: "crawldb/urls/<run>/…", "jobs/<id>/…".
std::string PartOf(const std::string& path, int depth) {
  size_t begin = 0;
  for (; depth > 0; --depth) {
    const size_t slash = path.find('/', begin);
    if (slash == std::string::npos) return "";
    begin = slash + 1;
  }
  return path.substr(begin, path.find('/', begin) - begin);
}

}  // namespace

bool MayRun(const Plan& plan, TimeMs real_ms) {
  const bool was_here = IsOfThisMachine(plan.process);
  if (was_here && !IsKnownDead(plan.process)) return true;
  // A cluster goes on without the process that made the plan, and so does the next command.
  if (was_here && !plan.outlives_driver) return false;
  return plan.planned_ms > real_ms - kDayMs;
}

Result<RunningJobs> RunningJobs::Read(Store* store, const std::vector<StoreEntry>& entries, TimeMs real_ms) {
  RunningJobs running;
  running.young_ms_ = real_ms - kDayMs;
  std::set<std::string> old;
  for (const StoreEntry& entry : entries) {
    const auto place = ParsePath(entry.path);
    if (!place) continue;
    if (place->kind == PlaceKind::kReport) running.reported_.insert(place->id);
    if (place->kind != PlaceKind::kPlan) continue;
    running.planned_.insert(place->id);
    if (entry.modified_ms <= running.young_ms_) old.insert(place->id);
  }
  for (const std::string& job : running.planned_) {
    const bool is_over = running.reported_.contains(job);
    // generate makes its plan after its select has reported, and reads the files that select wrote into its segment.
    const bool makes_segment = job.find("-select-") != std::string::npos && !old.contains(job);
    // The process of an archive goes on after its first job has reported, whose plan stays (jobs/archive/bodies_job.h).
    const bool reads_bodies = job.find("-archive_bodies-") != std::string::npos;
    if (is_over && !makes_segment && !reads_bodies) continue;
    const Result<Plan> plan = ReadPlan(store, job);
    if (!plan.ok() && IsNotFound(plan.status())) continue;  // it is gone by now
    ARROW_RETURN_NOT_OK(plan.status());
    if (!MayRun(*plan, real_ms)) continue;
    if (!plan->segment().empty()) running.segments_.insert(plan->segment());
    if (HasMember(plan->facts, "segments")) {
      ARROW_ASSIGN_OR_RAISE(const auto read, GetStrings(plan->facts, "segments"));
      running.read_segments_.insert(read.begin(), read.end());
    }
    if (is_over) continue;
    running.jobs_.insert(job);
    running.snapshots_.insert(plan->snapshot);
  }
  return running;
}

bool RunningJobs::Read(const StoreEntry& file) const {
  return PartOf(file.path, 0) == kSegmentsFolder && read_segments_.contains(PartOf(file.path, 1));
}

bool RunningJobs::Own(const StoreEntry& file) const {
  const std::string folder = PartOf(file.path, 0);
  const std::string id = PartOf(file.path, 1);
  if (folder == kTablesFolder) return jobs_.contains(PartOf(file.path, 2));
  if (folder == kSegmentsFolder) return segments_.contains(id);
  const bool is_young = file.modified_ms > young_ms_;
  // A job's inputs are stored before its plan, and a change of settings has none.
  if (folder == kJobsFolder)
    return jobs_.contains(id) || (is_young && !planned_.contains(id) && !reported_.contains(id));
  return is_young && IsTemporaryPath(file.path);
}

}  // namespace trawl
