// Which block of a sidecar can hold a key.
#pragma once

#include <cstdint>

#include "formats/tables/sidecar.h"
#include "formats/url/slot_range.h"

namespace trawl {

// The place of a block's first row. REQUIRES: the first keys are loaded.
RowPlace FirstPlaceOfBlock(const SidecarReader& sidecar, int64_t block);

// The last block at or behind `block` whose first row is not behind `place`: the only one that can hold it. REQUIRES:
// that of `block` is not behind it. Gallops, since keys that are asked for in order lie near one another.
int64_t BlockHolding(const SidecarReader& sidecar, int64_t block, RowPlace place);

}  // namespace trawl
