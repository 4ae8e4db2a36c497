// The door of jobs/graph: the graph of the links that are there now, as a value, for the verb, for the crawl's loop, and
// for tests that let its store fail.
#pragma once

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "jobs/graph/options.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/job.h"
#include "runtime/store/store.h"

namespace trawl {

// Manifest::read_to has the snapshot that the graph was made of under this name.
inline constexpr char kGraphJob[] = "graph";

// The options that its tasks read.
OptionTexts GraphOptionTexts();

// Makes the graph anew: it takes the place of inlinks, host_edges, domain_edges and ranks. It may be published on a newer
// snapshot than it was made of, unless that one has a newer graph. It publishes nothing where the graph is as it was and no
// page was stored since. `numbers`: if given, gets those of the job's report in any case; it outlives the job. RescoreRequest
// (rescore.h) comes after it.
JobRequest GraphRequest(const JobOptions& job, int threads, Json* numbers = nullptr);

// Whether a round should make it: so many rounds are over since the last one, so much has changed, and there are enough
// hosts. Reads one small document.
arrow::Result<bool> IsGraphDue(Store* store, const Manifest& present, const GraphOptions& options);

}  // namespace trawl
