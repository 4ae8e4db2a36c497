#include "runtime/shuffle/memory.h"

#include <algorithm>
#include <bit>

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kMinBlock = 16 << 10;
// Beyond this size neither compression nor the cost of a system call improves.
constexpr size_t kMaxBlock = 128 << 10;
// A share has room for at least this number of blocks: the fan-in of its merges.
constexpr size_t kBlocksOfShare = 64;
// Records smaller than this must always be possible: a key has up to 64 KiB.
constexpr size_t kMinLargestRecord = 128 << 10;
// Sizes of keys and values are kept in 32 bits.
constexpr size_t kMaxRecord = 1 << 30;
// Small things of each slot: streams, trees, names, a key being grouped.
constexpr size_t kSlotExtra = (64 << 10) + (32 << 10);

// Returns `whole` less `parts`; 0 where it is too small.
size_t Left(size_t whole, size_t parts) { return whole > parts ? whole - parts : 0; }

size_t DecoderBytes(const SpillSegmentFormat& format) { return format.block_bytes + 2 * kBlockHeaderBytes; }

ShuffleMemory Divide(const ShuffleShape& shape, size_t memory_bytes) {
  const size_t map_share = memory_bytes / static_cast<size_t>(shape.map_slots);
  const size_t reduce_share = memory_bytes / 2 / static_cast<size_t>(shape.reduce_slots);
  ShuffleMemory memory;
  memory.total_bytes = memory_bytes;
  memory.format.partitions = shape.partitions;
  memory.format.codec = shape.codec;
  memory.format.block_bytes =
      std::clamp(std::bit_floor(std::min(map_share, reduce_share) / kBlocksOfShare), kMinBlock, kMaxBlock);
  const size_t writing = SpillSegmentWriter::MemoryBytes(memory.format) + kSlotExtra;
  const size_t merging = writing + DecoderBytes(memory.format);
  memory.sort_bytes = Left(map_share, writing);
  memory.slot_merge_bytes = Left(map_share, merging);
  memory.seal_merge_bytes = Left(memory_bytes / 2, merging);
  // Reading two records of the largest size takes two blocks each in addition.
  const size_t reading = std::min(memory.slot_merge_bytes, Left(reduce_share, merging));
  memory.max_record_bytes =
      std::min(kMaxRecord, Left(std::min(reading / 2, memory.sort_bytes), 2 * memory.format.block_bytes + 1024));
  return memory;
}

}  // namespace

size_t ShuffleMemory::ReadingBytes(size_t resident_bytes, int reduce_slots) const {
  return Left(Left(total_bytes, resident_bytes) / static_cast<size_t>(reduce_slots), kSlotExtra + DecoderBytes(format));
}

Result<ShuffleMemory> DivideMemory(const ShuffleShape& shape, int64_t memory_bytes) {
  const auto given = static_cast<size_t>(std::max<int64_t>(memory_bytes, 0));
  const ShuffleMemory memory = Divide(shape, given);
  if (memory.max_record_bytes >= kMinLargestRecord) return memory;
  size_t enough = 1 << 20;
  while (Divide(shape, enough).max_record_bytes < kMinLargestRecord) enough += 1 << 20;
  return Status::Invalid("shuffle memory of ", given, " bytes is too small for ", shape.map_slots, " map and ",
                         shape.reduce_slots, " reduce tasks at once and ", shape.partitions, " partitions: give it ",
                         enough >> 20, " MiB or run fewer tasks at once");
}

}  // namespace trawl
