#include "jobs/operate/job_record.h"

#include <algorithm>
#include <tuple>

#include "formats/documents/sealed_json.h"
#include "runtime/job/job.h"
#include "runtime/job/plan.h"
#include "runtime/process/own_process.h"
#include "runtime/root/layout.h"
#include "runtime/root/snapshot.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kMaxDocumentBytes = int64_t{256} << 20;

// A document of the job, or null where it has none (yet).
Result<Json> ReadDocument(Store* store, const std::string& path, const std::string& id) {
  const Result<std::string> text = store->ReadWhole(path, kMaxDocumentBytes);
  if (!text.ok() && IsNotFound(text.status())) return Json();
  ARROW_RETURN_NOT_OK(text.status());
  ARROW_ASSIGN_OR_RAISE(Json document, OpenSealedJson(*text, path));
  const Result<std::string> job = GetString(document, "job");
  if (!job.ok() || *job != id) return Status::IOError(path, ": is not of this job but of ", job.ok() ? *job : "none");
  return document;
}

// The snapshot of a job that was killed between publishing and reporting.
Result<std::optional<int64_t>> PublishedBy(Store* store, const Json& plan, const std::string& id, int64_t present) {
  const Result<int64_t> base = GetInt(plan, "snapshot");
  if (!base.ok()) return std::nullopt;
  // Only compact publishes an old plan after other jobs' snapshots.
  const int64_t last = *base + (plan["verb"] == "compact" ? kTimesRebased : 1);
  for (int64_t number = *base + 1; number <= std::min(present, last); ++number) {
    ARROW_ASSIGN_OR_RAISE(const Snapshot snapshot, ReadSnapshot(store, number));
    if (snapshot.manifest.job == id) return number;
  }
  return std::nullopt;
}

// "20260101T000000Z": the second in which a job began.
std::string SecondOf(const std::string& id) { return id.substr(0, id.find('-')); }

// The time of a job, which its id has in seconds.
int64_t TimeOf(const JobRecord& job) { return GetInt(job.plan.is_null() ? job.report : job.plan, "now_ms").ValueOr(0); }

// Orders the jobs of one time: a job that published a snapshot comes before a job that read it.
int64_t OrderOf(const JobRecord& job) {
  // A crawl and a round report at their end, after the last of their jobs.
  const std::string verb = GetString(job.report, "verb").ValueOr("");
  if (job.plan.is_null() && (verb == "crawl" || verb == "round")) return INT64_MAX;
  if (job.published) return 2 * *job.published;
  const bool has_published = HasMember(job.report, "changed") && job.report["changed"] == true;
  const Result<int64_t> published = GetInt(job.report, "snapshot");
  if (has_published && published.ok()) return 2 * *published;
  const Result<int64_t> read = GetInt(job.plan.is_null() ? job.report : job.plan, "snapshot");
  return read.ok() ? 2 * *read + 1 : 0;
}

// Second of the id, time, order within the time, whether it only reported, time of its plan by the machine's clock.
auto PlaceOf(const JobRecord& job) {
  return std::make_tuple(SecondOf(job.id), TimeOf(job), OrderOf(job), job.plan.is_null(),
                         GetInt(job.plan, "planned_ms").ValueOr(0));
}

// The state of a job without a report, by what it noted at its end or by the process that ran it.
std::string StateByProcess(const JobRecord& job) {
  if (!job.end.is_null()) return GetString(job.end, "state").ValueOr("failed");
  const Result<Plan> plan = PlanFromJson(job.plan);
  if (!plan.ok() || !IsOfThisMachine(plan->process)) return "unfinished";
  if (!IsKnownDead(plan->process)) return "running";
  return job.is_on_cluster() ? "unfinished" : "failed";
}

std::string StateOf(const JobRecord& job, const std::optional<ClusterJob>& on_cluster) {
  if (HasMember(job.report, "lost")) return "done again";
  if (!job.report.is_null() || job.published) return "done";
  if (!on_cluster) return StateByProcess(job);
  const YarnApplication& application = on_cluster->application;
  if (!application.is_over()) return "running";
  return application.has_succeeded() ? "to be taken up" : "failed";
}

}  // namespace

std::string JobRecord::PlannedOption(const char* name) const {
  const Json& told = HasMember(plan, "options") ? plan : report;  // the report of a job that is over has its options
  if (!HasMember(told, "options")) return "";
  const Result<std::string> text = GetString(told["options"], name);
  return text.ok() ? *text : "";
}

std::string JobRecord::runner() const {
  for (const Json* document : {&plan, &report}) {
    if (HasMember(*document, "runner")) return GetString(*document, "runner").ValueOr(kLocalRunner);
  }
  return PlannedOption("job.runner") == kStreamingRunner ? kStreamingRunner : kLocalRunner;
}

std::string JobRecord::runner_reason() const {
  for (const Json* document : {&plan, &report}) {
    if (HasMember(*document, "runner_reason")) return GetString(*document, "runner_reason").ValueOr("");
  }
  return "";
}

Result<JobRecord> ReadJob(Store* store, const std::string& id, int64_t present) {
  JobRecord job{.id = id, .plan = {}, .report = {}, .end = {}, .published = {}};
  ARROW_ASSIGN_OR_RAISE(job.plan, ReadDocument(store, PlanPath(id), id));
  ARROW_ASSIGN_OR_RAISE(job.report, ReadDocument(store, ReportPath(id), id));
  if (!job.plan.is_null() && job.report.is_null()) {
    ARROW_ASSIGN_OR_RAISE(job.published, PublishedBy(store, job.plan, id, present));
    ARROW_ASSIGN_OR_RAISE(job.end, ReadDocument(store, JobEndPath(id), id));
  }
  return job;
}

Result<std::vector<std::string>> NewestJobs(Store* store, size_t limit) {
  ARROW_ASSIGN_OR_RAISE(const auto entries, store->List(kJobsFolder, /*recursive=*/false));
  std::vector<std::string> jobs;
  for (const StoreEntry& entry : entries) {
    const std::string job = entry.path.substr(entry.path.rfind('/') + 1);
    if (entry.is_folder && IsValidId(job)) jobs.push_back(job);
  }
  std::sort(jobs.begin(), jobs.end());  // ids begin with their time
  if (limit == 0 || jobs.size() <= limit) return jobs;
  const std::string second = SecondOf(jobs[jobs.size() - limit]);
  const auto is_before = [&second](const std::string& id) { return SecondOf(id) < second; };
  jobs.erase(jobs.begin(), std::partition_point(jobs.begin(), jobs.end(), is_before));
  return jobs;
}

void SortByTime(std::vector<JobRecord>* jobs) {
  std::stable_sort(jobs->begin(), jobs->end(),
                   [](const JobRecord& a, const JobRecord& b) { return PlaceOf(a) < PlaceOf(b); });
}

Result<std::optional<ClusterJob>> FindOnCluster(const JobRecord& job, const std::string& resource_manager) {
  const std::string planned = job.PlannedOption("streaming.resource_manager");
  ARROW_ASSIGN_OR_RAISE(YarnAddresses addresses, FindYarn(resource_manager.empty() ? planned : resource_manager));
  YarnClient yarn(std::move(addresses));
  ARROW_ASSIGN_OR_RAISE(const auto applications, yarn.ApplicationsTagged(job.id));
  if (applications.empty()) return std::optional<ClusterJob>();
  return std::optional<ClusterJob>(ClusterJob{std::move(yarn), applications.front()});
}

Result<std::optional<std::string>> KillOnCluster(const JobRecord& job, const std::string& resource_manager,
                                                 const std::string& why) {
  ARROW_ASSIGN_OR_RAISE(const auto on_cluster, FindOnCluster(job, resource_manager));
  if (!on_cluster || on_cluster->application.is_over()) return std::nullopt;
  ARROW_RETURN_NOT_OK(on_cluster->yarn.Kill(on_cluster->application, why));
  return on_cluster->application.id;
}

Json JobJson(const JobRecord& job, const std::optional<ClusterJob>& on_cluster) {
  Json json = {{"job", job.id}, {"state", StateOf(job, on_cluster)}, {"runner", job.runner()}};
  if (const std::string reason = job.runner_reason(); !reason.empty()) json["runner_reason"] = reason;
  for (const char* name : {"verb", "snapshot", "now_ms"}) {
    if (HasMember(job.plan, name)) json[name] = job.plan[name];
  }
  for (const char* name : {"verb", "now_ms", "changed", "snapshot", "seconds", "counters"}) {
    if (HasMember(job.report, name)) json[name] = job.report[name];
  }
  if (job.published) {
    json["changed"] = true;
    json["snapshot"] = *job.published;
  }
  if (json["state"] == "failed") {
    // A job that could not note its end was killed, by a signal that nobody can catch or with its machine.
    json["reason"] = HasMember(job.end, "reason") ? job.end["reason"] : Json("killed; the same command goes on");
  }
  if (!on_cluster) return json;
  const YarnApplication& application = on_cluster->application;
  json["application"] = application.id;
  json["queue"] = application.queue;
  json["application_state"] = application.is_over() ? application.final_status : application.state;
  json["tracking_url"] = application.tracking_url;
  if (const std::optional<YarnJob> progress = on_cluster->yarn.JobOf(application); progress) {
    json["maps"] = {progress->maps_done, progress->maps};
    json["reduces"] = {progress->reduces_done, progress->reduces};
    json["failed_attempts"] = progress->failed_attempts;
  }
  if (application.is_over() && !application.has_succeeded()) {
    const std::string reason = on_cluster->yarn.FailureOf(application);
    json["reason"] = reason.empty() ? application.diagnostics : reason;
  }
  return json;
}

}  // namespace trawl
