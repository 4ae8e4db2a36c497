// What the news of contents means for the fingerprints that are known: the job before the one that compares
// (jobs/settle/near_job.h). Its runs are only for that one.
#pragma once

#include <cstdint>

#include "formats/documents/manifest.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/job.h"

namespace trawl {

JobSpec NearNewsSpec();

// Reads `contents` and the fingerprints of the snapshot, and writes
//   settle_contents   what is decided anew: contents that came, whose fingerprint or sketch changed, or whose
//                     other left; and, gone,
//                     the contents that left. Whatever stood for near ones and is among them does not any more.
//   fingerprints      standings that changed: removed, or with another page
//   settle_verdicts   the pages of contents that are not decided anew
JobRequest NearNewsRequest(int64_t snapshot, const RunReference& contents, const JobOptions& job, int threads);

}  // namespace trawl
