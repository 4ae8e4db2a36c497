#include "runtime/blocks/shares.h"

#include <algorithm>

namespace trawl {

BlockShares BlockSharesOf(int64_t task_bytes, int64_t wanted_block_bytes, size_t map_tasks) {
  // The rest is for what the job itself holds: open files, caches, rows.
  BlockShares shares;
  shares.sort_bytes = task_bytes / 2;
  shares.window_bytes = task_bytes / 4;
  const int64_t fair = shares.window_bytes / (static_cast<int64_t>(map_tasks) + 1);
  shares.block_bytes = std::clamp(std::min(wanted_block_bytes, fair), kLeastBlockBytes, kMostBlockBytes);
  return shares;
}

}  // namespace trawl
