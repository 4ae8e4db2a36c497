// Finds the block of a sidecar that can hold a key.
#pragma once

#include <cstdint>

#include "formats/tables/sidecar.h"
#include "formats/url/slot_range.h"

namespace trawl {

// Returns the place of a block's first row. REQUIRES: the first keys are loaded.
RowPlace FirstPlaceOfBlock(const SidecarReader& sidecar, int64_t block);

// Returns the last block at or after `block` whose first row is not after `place`: the only one that can hold it.
// Gallops, since keys looked up in order lie near one another. REQUIRES: the first row of `block` is not after `place`.
int64_t BlockHolding(const SidecarReader& sidecar, int64_t block, RowPlace place);

}  // namespace trawl
