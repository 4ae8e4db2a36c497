// The second of the three jobs of trawl settle: which contents are near which.
#pragma once

#include <cstdint>

#include "formats/documents/manifest.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/job.h"

namespace trawl {

JobSpec NearJobSpec();

// Reads `contents` (SettledContentRow, which no snapshot names) and the fingerprints of the snapshot; where `all`, these
// are left out, and every content is in `contents`. Publishes nothing: the runs of FingerprintRow and VerdictRow are in its
// result, a run without rows is left out. Where `all`, its run takes the place of all runs of fingerprints; otherwise it is
// the table's newest.
// A verdict is on the page that represents the content, with is_near; without near_duplicate_of it is near none. Every
// content of `contents` that is not gone has one, also where nothing changed for it, and so has every other content for
// which something did. Unless settle.near is duplicate, a page that represented its content until now has one, too.
// REQUIRES: settle.near is not none. Both specs (this and that of jobs/near/news.h) are in the list of jobs.
JobRequest NearJobRequest(int64_t snapshot, const RunReference& contents, bool all, const JobOptions& job, int threads);

}  // namespace trawl
