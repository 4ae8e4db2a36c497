// The documents of a job: the plan that it was given and the report that it left; and what YARN says of it. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "runtime/job/plan.h"
#include "runtime/store/store.h"
#include "runtime/streaming/yarn.h"

namespace trawl {

struct JobRecord {
  std::string id;
  Json plan;    // null where the job was never planned
  Json report;  // null where it has not reported
  Json end;     // why it ended without a report; null where nobody noted it
  // The snapshot that a job without a report has published all the same: it was killed between the two.
  std::optional<int64_t> published;

  // An option of the plan as text; empty where the plan does not have it.
  std::string PlannedOption(const char* name) const;
  // "local" or "streaming": where its tasks run or ran. Documents of older versions have it as an option alone; a change
  // without tasks is made by the command itself.
  std::string runner() const;
  // Why it runs there; empty where the documents do not have it.
  std::string runner_reason() const;
  bool is_on_cluster() const { return runner() == kStreamingRunner; }
};

// `present` is the number of the newest snapshot.
arrow::Result<JobRecord> ReadJob(Store* store, const std::string& id, int64_t present);

// The ids of the newest `limit` jobs (0: of all) and of those that began in the same second as the oldest of them.
arrow::Result<std::vector<std::string>> NewestJobs(Store* store, size_t limit);

// Sorts jobs by the time at which they began; a change without a plan has one time. Of one millisecond (--now sets the
// time of many jobs) a job that published a snapshot comes before a job that read it, and a crawl after its jobs.
void SortByTime(std::vector<JobRecord>* jobs);

// A job as YARN knows it.
struct ClusterJob {
  YarnClient yarn;
  YarnApplication application;
};
// Nothing where YARN does not know the job. `resource_manager`: empty for that of the job's plan.
arrow::Result<std::optional<ClusterJob>> FindOnCluster(const JobRecord& job, const std::string& resource_manager);
// Ends a job that runs on a cluster. Its application; nothing where it was not running. REQUIRES: job.is_on_cluster().
arrow::Result<std::optional<std::string>> KillOnCluster(const JobRecord& job, const std::string& resource_manager,
                                                        const std::string& why);

// "job", "state", "verb", "now_ms", and what is known of "changed", "snapshot", "seconds", "counters", "reason",
// "application", …
Json JobJson(const JobRecord& job, const std::optional<ClusterJob>& on_cluster);

}  // namespace trawl
