#include "jobs/operate/past_jobs.h"

#include <algorithm>
#include <set>

#include "jobs/segment/life.h"
#include "jobs/segment/steps.h"
#include "jobs/stats/round.h"
#include "jobs/verb/live_file.h"
#include "runtime/root/layout.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// "20260101T000000Z": the second in which a job began.
std::string SecondOf(const std::string& id) { return id.substr(0, id.find('-')); }

// What the report of a step said, as far as the document of its round has it.
JobRecord StepOfRound(const Json& round, const std::string& verb) {
  const Json& step = round["steps"][verb];
  JobRecord job{.id = GetString(step, "job").ValueOr(""), .plan = {}, .report = {}, .end = {}, .published = {}};
  job.report = {{"job", job.id}, {"verb", verb}};
  if (const auto began = GetString(step, "began"); began.ok()) {
    if (const auto now_ms = ParseTimestamp(*began); now_ms.ok()) job.report["now_ms"] = *now_ms;
  }
  if (HasMember(step, "seconds") && step["seconds"].is_number()) job.report["seconds"] = step["seconds"];
  for (const char* const name : {"runner", "runner_reason"}) {
    if (HasMember(step, name) && step[name].is_string()) job.report[name] = step[name];
  }
  if (const auto base = GetInt(step, "base"); base.ok()) {
    job.report["changed"] = true;
    job.report["snapshot"] = verb == VerbOf(SegmentStep::kUpdatedb)   ? GetInt(round, "snapshot").ValueOr(*base)
                             : verb == VerbOf(SegmentStep::kGenerate) ? *base + 1
                                                                      : *base;
  }
  if (HasMember(round, "counters") && HasMember(round["counters"], verb.c_str())) {
    job.report["counters"] = round["counters"][verb];
  }
  return job;
}

Status AddJobs(Store* store, const ClosedSegment& segment, std::vector<JobRecord>* jobs) {
  if (segment.round.empty()) return Status::OK();
  // Whoever deletes a document loses its numbers, and no more.
  ARROW_ASSIGN_OR_RAISE(const bool is_there, store->Exists(RoundPath(segment.updatedb)));
  if (!is_there) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const std::optional<Json> round, ReadRound(store, segment));
  if (!round || !HasMember(*round, "steps")) return Status::OK();
  for (const SegmentStep step :
       {SegmentStep::kGenerate, SegmentStep::kFetch, SegmentStep::kParse, SegmentStep::kUpdatedb}) {
    if (!HasMember((*round)["steps"], VerbOf(step))) continue;
    JobRecord job = StepOfRound(*round, VerbOf(step));
    if (IsValidId(job.id)) jobs->push_back(std::move(job));
  }
  return Status::OK();
}

}  // namespace

Result<std::vector<JobRecord>> JobsOfRounds(Store* store, const Manifest& present, size_t rounds) {
  std::vector<JobRecord> jobs;
  size_t read = 0;
  for (auto segment = present.closed_segments.rbegin(); segment != present.closed_segments.rend(); ++segment) {
    if (segment->end != SegmentEnd::kApplied || IsStoreOfBodies(*segment)) continue;
    if (rounds > 0 && read++ == rounds) break;
    ARROW_RETURN_NOT_OK(AddJobs(store, *segment, &jobs));
  }
  return jobs;
}

Result<std::optional<JobRecord>> FindInRounds(Store* store, const Manifest& present, const std::string& id) {
  for (const ClosedSegment& segment : present.closed_segments) {
    // A job of a round began after its generate and before its updatedb.
    if (segment.updatedb.empty() || SecondOf(id) < SecondOf(segment.job) || SecondOf(segment.updatedb) < SecondOf(id)) {
      continue;
    }
    std::vector<JobRecord> jobs;
    ARROW_RETURN_NOT_OK(AddJobs(store, segment, &jobs));
    for (JobRecord& job : jobs) {
      if (job.id == id) return std::optional<JobRecord>(std::move(job));
    }
  }
  return std::optional<JobRecord>();
}

Result<std::optional<JobRecord>> FindJob(Store* store, const Manifest& present, const std::string& id) {
  ARROW_ASSIGN_OR_RAISE(JobRecord job, ReadJob(store, id, present.number));
  if (!job.plan.is_null() || !job.report.is_null()) return job;
  return FindInRounds(store, present, id);
}

Json JobLister::Listed(const JobRecord& job) {
  std::optional<ClusterJob> on_cluster;
  if (job.report.is_null() && job.is_on_cluster() && !is_cluster_away_) {
    // A list does not fail because a cluster does not answer.
    const auto found = FindOnCluster(job, "");
    if (found.ok()) on_cluster = *found;
    is_cluster_away_ = !found.ok();
  }
  return JobJson(job, on_cluster);
}

Result<std::vector<JobRecord>> ReadJobs(Store* store, const Manifest& present, size_t limit) {
  constexpr size_t kJobsOfARound = 4;
  ARROW_ASSIGN_OR_RAISE(const auto ids, NewestJobs(store, limit));
  std::vector<JobRecord> jobs;
  std::set<std::string> reported;
  for (const std::string& id : ids) {
    ARROW_ASSIGN_OR_RAISE(JobRecord job, ReadJob(store, id, present.number));
    // A job with inputs alone was never planned: another one was taken up instead.
    if (job.plan.is_null() && job.report.is_null()) continue;
    reported.insert(id);
    jobs.push_back(std::move(job));
  }
  const size_t rounds = limit == 0 ? 0 : limit / kJobsOfARound + 1;
  ARROW_ASSIGN_OR_RAISE(auto past, JobsOfRounds(store, present, rounds));
  for (JobRecord& job : past) {
    if (!reported.contains(job.id)) jobs.push_back(std::move(job));
  }
  SortByTime(&jobs);
  return jobs;
}

Result<Json> JobStatusJson(Store* store, const JobRecord& job, const std::string& resource_manager,
                           const Clock& clock) {
  std::optional<ClusterJob> on_cluster;
  if (job.is_on_cluster()) {
    const auto found = FindOnCluster(job, resource_manager);
    if (job.report.is_null()) ARROW_RETURN_NOT_OK(found.status());
    if (found.ok()) on_cluster = *found;
  }
  Json json = JobJson(job, on_cluster);
  if (json["state"] == "running" && !job.is_on_cluster()) {
    ARROW_ASSIGN_OR_RAISE(Json live, ReadLiveFile(store, job.id));
    const Result<int64_t> at_ms = GetInt(live, "at_ms");
    if (at_ms.ok()) {
      json["live_age_ms"] = std::max<int64_t>(clock.NowMs() - *at_ms, 0);
      live.erase("seal");
      json["live"] = std::move(live);
    }
  }
  return json;
}

}  // namespace trawl
