#include "jobs/operate/crawl_lists.h"

#include <algorithm>
#include <set>
#include <string>

#include "jobs/operate/past_jobs.h"
#include "jobs/verb/live_file.h"

namespace trawl {

using arrow::Result;

Json ListedJob(const JobRecord& job) {
  std::optional<ClusterJob> on_cluster;
  if (job.report.is_null() && job.is_on_cluster()) {
    // A list does not fail because a cluster does not answer.
    const auto found = FindOnCluster(job, "");
    if (found.ok()) on_cluster = *found;
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
    ARROW_ASSIGN_OR_RAISE(on_cluster, FindOnCluster(job, resource_manager));
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
