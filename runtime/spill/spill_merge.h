// Merges many segments into fewer, so that a merge stays within its memory however often a task spilled.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "arrow/result.h"
#include "runtime/spill/record_source.h"
#include "runtime/spill/segment.h"

namespace trawl {

// The memory needed to read one partition of all these segments at once.
size_t ReadingBytes(const std::vector<SpillSegment>& segments, const SpillSegmentFormat& format);

// Makes sorted records of one partition of others.
using WrapRecords = std::function<std::unique_ptr<RecordSource>(std::unique_ptr<RecordSource>)>;

struct SpillMerge {
  SpillSegmentFormat format;
  size_t memory_bytes = 0;  // for reading; enough for at least two segments
  SpillFile* file = nullptr;
  SpillSegmentWriter* writer = nullptr;
  const std::atomic<bool>* stop = nullptr;  // once it is set, merging is Cancelled; may be null
  WrapRecords wrap;                         // what is written of the merged records of a partition; empty: all of them
};

// Merges segments, the smallest first, until reading all of them takes at most `target_bytes`, and gives the space of
// the merged ones back. Returns the number of merges. After a failure `*segments` is still complete.
arrow::Result<int> ShrinkSegments(const SpillMerge& merge, size_t target_bytes, std::vector<SpillSegment>* segments);

}  // namespace trawl
