// A door of jobs/operate, with job_record.h: any job by its id, and the jobs of applied rounds whose own reports are gone, as
// the documents of their rounds tell of them. Any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "jobs/operate/job_record.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

// The four jobs of the newest `rounds` rounds (0: of all), also those that still have their report.
arrow::Result<std::vector<JobRecord>> JobsOfRounds(Store* store, const Manifest& present, size_t rounds);

// The job of that id; nothing where no round had one.
arrow::Result<std::optional<JobRecord>> FindInRounds(Store* store, const Manifest& present, const std::string& id);

// The job of that id, by its own documents or as the document of its round tells of it; nothing where there was none.
arrow::Result<std::optional<JobRecord>> FindJob(Store* store, const Manifest& present, const std::string& id);

// The newest jobs in the order of time: at least `limit` of them (0: all), where there are so many.
arrow::Result<std::vector<JobRecord>> ReadJobs(Store* store, const Manifest& present, size_t limit);

// Jobs as a list shows them, with what YARN says of those that have not reported. One thread.
class JobLister {
 public:
  // A cluster that does not answer is left out, and not asked again: a list must not wait for it once per job.
  Json Listed(const JobRecord& job);

 private:
  bool is_cluster_away_ = false;
};

// The job with all that is known of it; the numbers of one that runs on this machine are "live", "live_age_ms" old.
// `resource_manager`: empty for that of the job's plan. A cluster that does not answer is a failure where the job has not
// reported; only then.
arrow::Result<Json> JobStatusJson(Store* store, const JobRecord& job, const std::string& resource_manager,
                                  const Clock& clock);

}  // namespace trawl
