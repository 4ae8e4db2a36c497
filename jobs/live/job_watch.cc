#include "jobs/live/job_watch.h"

#include <algorithm>
#include <utility>

#include "formats/documents/document_time.h"
#include "jobs/verb/live_file.h"
#include "runtime/job/read_plan.h"
#include "runtime/process/own_process.h"
#include "runtime/root/layout.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kMostPlanBytes = int64_t{64} << 20;
// The folder of the jobs is listed at most so often, and less often where that takes long.
constexpr int64_t kListEveryMs = 2'000;
constexpr int64_t kListShare = 20;
// A job of another machine gives a sign every few seconds; later than this it is taken for dead.
constexpr int64_t kFreshMs = 30'000;
// On a cluster nobody signs for a job. Within this time after its plan it is taken for running.
constexpr int64_t kMostUnsureMs = int64_t{24} * 3'600'000;
constexpr size_t kMostOffsets = 1'000;
// A folder in which no plan appears belongs to no job.
constexpr int kMostLooks = 30;
constexpr size_t kMostFaults = 20;

std::string JobOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

Result<Plan> ReadPlan(const std::string& text, const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(Plan plan, PlanFromText(text, path));
  if (!IsDocumentTime(plan.planned_ms) || !IsDocumentTime(plan.now_ms))
    return Status::IOError(path, ": its time makes no sense");
  return plan;
}

bool LivesHere(const ProcessIdentity& process) { return IsOfThisMachine(process) && !IsKnownDead(process); }

bool IsStepOfSegment(const std::string& verb) { return verb == "fetch" || verb == "parse"; }

}  // namespace

Status JobWatch::FindNew(Store* store, const Clock& clock) {
  const int64_t began_ms = clock.MonotonicMs();
  if (began_ms < list_again_ms_) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const auto entries, store->List(kJobsFolder, /*recursive=*/false));
  std::vector<std::string> found;
  for (const StoreEntry& entry : entries) {
    std::string job = JobOf(entry.path);
    if (entry.is_folder && IsValidId(job) && !known_.contains(job) && !watched_.contains(job)) {
      found.push_back(std::move(job));
    }
  }
  std::sort(found.begin(), found.end());  // ids begin with their time
  const size_t old = known_.empty() && found.size() > kFirst ? found.size() - kFirst : 0;
  known_.insert(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(old));
  for (size_t i = old; i < found.size(); ++i) watched_[found[i]];
  list_again_ms_ = began_ms + std::max(kListEveryMs, kListShare * (clock.MonotonicMs() - began_ms));
  return Status::OK();
}

Result<bool> JobWatch::Look(Store* store, const std::string& id, Watched* job) {
  for (const std::string& end : {ReportPath(id), JobEndPath(id)}) {
    ARROW_ASSIGN_OR_RAISE(const bool is_over, store->Exists(end));
    if (is_over) return false;
  }
  if (job->plan.job.empty()) {
    const Result<std::string> text = store->ReadWhole(PlanPath(id), kMostPlanBytes);
    // A change of the settings has no plan; a job whose folder is new may not have its plan yet.
    if (!text.ok() && IsNotFound(text.status())) return ++job->looks < kMostLooks;
    ARROW_RETURN_NOT_OK(text.status());
    Result<Plan> plan = ReadPlan(*text, PlanPath(id));
    if (!plan.ok()) {
      // One damaged plan must not hide what the others tell.
      if (faults_.size() < kMostFaults) faults_[id] = plan.status().message();
      return ++job->looks < kMostLooks;
    }
    faults_.erase(id);
    job->plan = *std::move(plan);
    // Nobody needs the parts, and there may be many.
    job->plan.parts.clear();
    job->is_on_cluster = job->plan.is_on_cluster();
  }
  if (IsKnownDead(job->plan.process)) return job->is_on_cluster;
  if (job->is_on_cluster) return true;
  ARROW_ASSIGN_OR_RAISE(Json live, ReadLiveFile(store, id));
  const Result<int64_t> at_ms = GetInt(live, "at_ms");
  if (at_ms.ok() && IsDocumentTime(*at_ms)) {
    job->numbers_ms = *at_ms;
    job->numbers = std::move(live);
  }
  return true;
}

Status JobWatch::Update(Store* store, const Clock& clock, const StopToken& stop) {
  ARROW_RETURN_NOT_OK(FindNew(store, clock));
  for (auto job = watched_.begin(); job != watched_.end();) {
    ARROW_RETURN_NOT_OK(stop.Check());
    const Result<bool> runs = Look(store, job->first, &job->second);
    // A document that cannot be read tells of no job that runs; trawl jobs shows the fault.
    bool stays = runs.ok() && *runs;
    if (!runs.ok() && !IsNotFound(runs.status()) && job->second.plan.job.empty()) ARROW_RETURN_NOT_OK(runs.status());
    const TimeMs planned_ms = job->second.plan.planned_ms;
    const int64_t silent_ms = clock.NowMs() - std::max(planned_ms, job->second.numbers_ms);
    if (planned_ms > 0 && silent_ms > kMostUnsureMs && !LivesHere(job->second.plan.process)) stays = false;
    if (!stays) known_.insert(job->first);
    job = stays ? std::next(job) : watched_.erase(job);
  }
  return Status::OK();
}

std::vector<LiveJob> JobWatch::Running(const Manifest& manifest, const std::set<std::string>& active,
                                       TimeMs now_ms) const {
  std::vector<LiveJob> running;
  for (const auto& [id, job] : watched_) {
    const Plan& plan = job.plan;
    if (plan.job.empty()) continue;
    LiveJob live = {.id = id,
                    .verb = plan.verb,
                    .segment = plan.segment(),
                    .machine = plan.process.machine,
                    .pid = plan.process.pid,
                    .is_on_cluster = job.is_on_cluster,
                    .began_ms = plan.planned_ms,
                    .numbers = job.numbers,
                    .age_ms = job.numbers_ms == 0 ? 0 : std::max<int64_t>(now_ms - job.numbers_ms, 0)};
    const bool is_fresh = job.numbers_ms > 0 && live.age_ms <= kFreshMs;
    live.is_sure = LivesHere(plan.process) || is_fresh || active.contains(id);
    // Another job has overtaken it, or it is over and could not say so.
    const bool is_overtaken = manifest.number > plan.snapshot && !IsStepOfSegment(plan.verb);
    const bool just_began = now_ms - plan.planned_ms < kFreshMs;
    if (!live.is_sure && (is_overtaken || (!job.is_on_cluster && !just_began))) continue;
    running.push_back(std::move(live));
  }
  std::stable_sort(running.begin(), running.end(),
                   [](const LiveJob& a, const LiveJob& b) { return a.began_ms < b.began_ms; });
  return running;
}

int64_t JobWatch::OffsetOf(Store* store, const std::string& job) {
  const auto known = offsets_.find(job);
  if (known != offsets_.end()) return known->second;
  if (offsets_.size() >= kMostOffsets) offsets_.clear();
  const Result<std::string> text = store->ReadWhole(PlanPath(job), kMostPlanBytes);
  const Result<Plan> plan = text.ok() ? ReadPlan(*text, PlanPath(job)) : text.status();
  const int64_t offset_ms = plan.ok() ? plan->planned_ms - plan->now_ms : 0;
  // A store that fails is asked again; a plan that is gone stays gone.
  if (plan.ok() || IsNotFound(text.status())) offsets_[job] = offset_ms;
  return offset_ms;
}

}  // namespace trawl
