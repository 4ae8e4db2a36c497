// Chooses which runs of a table to merge into one. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "formats/documents/manifest.h"

namespace trawl {

// Adjacent runs [first, first + count). A count of 0 means that there is nothing to merge.
struct RunChoice {
  size_t first = 0;
  size_t count = 0;
};

// Settled and unsettled runs (RunReference::is_settled) are never merged with each other: by the settled ones trawl settle
// knows what it has seen. So each of the two below chooses among the settled runs alone and among the others alone, and
// of the two choices takes the one of more runs.

// Chooses all runs, unless merging them would change nothing.
RunChoice ChooseAllRuns(const std::vector<RunReference>& runs);

// Chooses the runs that are worth merging now, so that reads stay cheap and every row is rewritten only a few times:
//  1. all runs, once those after the first (the base) hold more than a third of its bytes, and more than a MiB or at
//     least three runs;
//  2. else the newest runs after the base that are of similar size, once they are four, or three that are below a MiB;
//  3. else all runs after the base, once there are more than twelve.
// Of unsettled runs after settled ones the base is the first of them.
RunChoice ChooseRunsByPolicy(const std::vector<RunReference>& runs);

using TableRuns = std::map<std::string, std::vector<RunReference>>;
// The same for all tables. Of merges of a few MiB only the two of most runs are chosen, so that no round writes the runs
// of all tables twice; the others come after the next rounds, or once they are of more than twelve runs.
std::map<std::string, RunChoice> ChooseTablesByPolicy(const TableRuns& tables);

}  // namespace trawl
