// The documents of a job: the plan that it was given and the report that it left. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "runtime/store/store.h"

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
  bool is_on_cluster() const { return PlannedOption("job.runner") == "streaming"; }
};

// `present` is the number of the newest snapshot.
arrow::Result<JobRecord> ReadJob(Store* store, const std::string& id, int64_t present);

// The ids of the newest `limit` jobs (0: of all) and of those that began in the same second as the oldest of them.
arrow::Result<std::vector<std::string>> NewestJobs(Store* store, size_t limit);

// Sorts jobs by the time at which they began; a change without a plan has one time. Of one millisecond (--now sets the
// time of many jobs) a job that published a snapshot comes before a job that read it, and a crawl after its jobs.
void SortByTime(std::vector<JobRecord>* jobs);

}  // namespace trawl
