// The rows of trawl jobs, trawl segments list and trawl snapshot list, for others that list the same. Any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "formats/documents/step_record.h"
#include "jobs/operate/job_record.h"
#include "jobs/segment/known_segments.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

// `lists` is the record of its fetch lists, where gc has not removed it.
Json SegmentJson(const KnownSegment& segment, const std::optional<StepRecord>& lists);
Json SnapshotJson(const Manifest& manifest);

// The newest jobs in the order of time: at least `limit` of them (0: all), where there are so many.
arrow::Result<std::vector<JobRecord>> ReadJobs(Store* store, const Manifest& present, size_t limit);
// The job, with what YARN says of it where it has not reported. A cluster that does not answer is left out.
Json ListedJob(const JobRecord& job);
// The job with all that is known of it; the numbers of one that runs on this machine are "live", "live_age_ms" old.
// `resource_manager`: empty for that of the job's plan. A cluster that does not answer is a failure.
arrow::Result<Json> JobStatusJson(Store* store, const JobRecord& job, const std::string& resource_manager,
                                  const Clock& clock);

}  // namespace trawl
