// Divides a task's memory on a cluster between sorting and open blocks: pure arithmetic, the same for the task that
// sends blocks and the one that reads them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace trawl {

constexpr int64_t kLeastBlockBytes = 1 << 10;
constexpr int64_t kMostBlockBytes = 16 << 20;

struct BlockShares {
  int64_t sort_bytes = 0;    // a map task's sort buffers
  int64_t window_bytes = 0;  // the blocks that a reduce task holds open, before compression
  int64_t block_bytes = 0;   // a block: one of each map task, and one more, fit into the window
};

// `task_bytes` is the memory for the data of a task, `wanted_block_bytes` the operator's size of a block.
BlockShares BlockSharesOf(int64_t task_bytes, int64_t wanted_block_bytes, size_t map_tasks);

}  // namespace trawl
