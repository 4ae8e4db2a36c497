#include "runtime/tables/sidecar_search.h"

#include <algorithm>

#include "formats/url/key.h"

namespace trawl {

RowPlace FirstPlaceOfBlock(const SidecarReader& sidecar, int64_t block) {
  const std::string_view key = sidecar.FirstKey(block);
  return {SlotOfKey(key), key};
}

int64_t BlockHolding(const SidecarReader& sidecar, int64_t block, RowPlace place) {
  int64_t low = block;
  int64_t step = 1;
  while (low + step < sidecar.blocks() && !(place < FirstPlaceOfBlock(sidecar, low + step))) {
    low += step;
    step *= 2;
  }
  int64_t high = std::min(low + step, sidecar.blocks());
  while (low + 1 < high) {
    const int64_t middle = (low + high) / 2;
    if (place < FirstPlaceOfBlock(sidecar, middle)) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return low;
}

}  // namespace trawl
