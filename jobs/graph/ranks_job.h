// The second of the two jobs of trawl graph: ranks the hosts. It has one task, which keeps a few numbers for every host in
// memory, and the edges on local disk.
#pragma once

#include "runtime/job/task.h"

namespace trawl {

// Facts of its plan, by the names of the tables: the runs of host_edges, and of the hosts that are not yet ranked.
JobSpec GraphRanksSpec();

}  // namespace trawl
