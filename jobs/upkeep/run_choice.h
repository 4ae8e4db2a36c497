// Which runs of a table to merge into one. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "formats/documents/manifest.h"

namespace trawl {

// Adjacent runs [first, first + count); count 0: none.
struct RunChoice {
  size_t first = 0;
  size_t count = 0;
};

// All of them, unless that would change nothing.
RunChoice ChooseAllRuns(const std::vector<RunReference>& runs);

// What is worth merging now, so that reads stay cheap and every row is rewritten only a few times:
//  1. everything, once the runs behind the first (the base) hold more than a third of its bytes, and are more than a
//     MiB or at least four;
//  2. else the newest runs behind the base that are of similar size, once they are four;
//  3. else all runs behind the base, once there are more than twelve.
RunChoice ChooseRunsByPolicy(const std::vector<RunReference>& runs);

}  // namespace trawl
