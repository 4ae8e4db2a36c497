// The second of the two jobs of trawl graph: ranks the hosts. It has one task, which keeps a few numbers for every host in
// memory, and the edges on local disk.
#pragma once

#include <vector>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "runtime/job/job.h"

namespace trawl {

JobSpec GraphRanksSpec();

// The plan's facts: the runs of host_edges and of the hosts that are not yet ranked.
Json GraphRunsFact(const JobOutput& edges);

}  // namespace trawl
