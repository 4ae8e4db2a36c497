// Divides the shuffle's memory: pure arithmetic, decided once before the first record.
//
// During map, the memory is divided into one share per map slot: the slot's sort buffer and the buffers it spills
// through. While a slot merges its own spills, its sort buffer is empty and the share serves for the merge. During
// reduce, the records still in memory have at most half where anything was spilled, and the rest is divided into one
// share per reduce slot.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arrow/result.h"
#include "runtime/spill/segment.h"

namespace trawl {

struct ShuffleMemory {
  SpillSegmentFormat format;
  size_t total_bytes = 0;
  size_t sort_bytes = 0;        // a slot's sort buffer
  size_t slot_merge_bytes = 0;  // for reading segments while the sort buffer is empty
  size_t seal_merge_bytes = 0;  // the same once all slots are done, with half of everything still in sort buffers
  size_t max_record_bytes = 0;  // packed: two of them can always be merged

  // Memory for reading segments, in each of `reduce_slots` at once, with `resident_bytes` still in sort buffers.
  size_t ReadingBytes(size_t resident_bytes, int reduce_slots) const;
};

struct ShuffleShape {
  int partitions = 1;
  int map_slots = 1;     // map attempts at once
  int reduce_slots = 1;  // open partitions at once
  SpillCodec codec = SpillCodec::kLz4;
};

// Invalid where the memory is too small for the shape; the message says how much is needed.
arrow::Result<ShuffleMemory> DivideMemory(const ShuffleShape& shape, int64_t memory_bytes);

}  // namespace trawl
