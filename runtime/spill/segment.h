// A segment of a spill file: sorted records of every partition, partition after partition, each a sequence of blocks.
// The segment's index follows: one entry of 16 bytes per partition (the offset of its first block, and a check of
// that).
//
// The index stays in the file, so that each of thousands of segments of thousands of partitions costs only a few words
// of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/spill/block.h"
#include "runtime/spill/packed_record.h"
#include "runtime/spill/record_source.h"

namespace trawl {

class SpillFile;

struct SpillSegment {
  SpillFile* file = nullptr;
  int64_t begin = 0;         // offset of its first block in the file
  int64_t index_offset = 0;  // where the blocks end and the index begins
  int64_t end = 0;
  size_t largest_record = 0;

  int64_t bytes() const { return end - begin; }
};

struct SpillSegmentFormat {
  int partitions = 0;
  SpillCodec codec = SpillCodec::kLz4;
  size_t block_bytes = 0;
};

// Writes segments one after the other, and uses its buffers for all of them.
class SpillSegmentWriter {
 public:
  static arrow::Result<std::unique_ptr<SpillSegmentWriter>> Make(const SpillSegmentFormat& format);
  // The memory of one writer.
  static size_t MemoryBytes(const SpillSegmentFormat& format);

  void Begin(SpillFile* file);
  // Partitions come in ascending order; the records of each partition come sorted.
  arrow::Status Add(int partition, const PackedRecord& record);
  // Ends the segment, which can then be read.
  arrow::Result<SpillSegment> Finish();

 private:
  struct IndexEntry {
    int64_t offset;  // offset of the first block; -1 where the partition has no records
    uint64_t check;
  };
  friend class SpillSegmentReader;
  static uint64_t CheckOf(int64_t offset, int partition, int64_t index_offset);

  SpillSegmentWriter(std::unique_ptr<BlockWriter> blocks, int partitions);

  const std::unique_ptr<BlockWriter> blocks_;
  std::vector<IndexEntry> index_;
  SpillSegment segment_;
  int partition_ = -1;
};

// The records of one partition of a segment.
class SpillSegmentReader : public RecordSource {
 public:
  static arrow::Result<std::unique_ptr<SpillSegmentReader>> Open(const SpillSegment& segment, int partition,
                                                                 size_t block_bytes, BlockReader::Decoder* decoder);
  // The memory of one reader, at most.
  static size_t MemoryBytes(const SpillSegment& segment, size_t block_bytes);

  arrow::Result<bool> Next(PackedRecord* record) override;

 private:
  SpillSegmentReader(const SpillFile* file, int64_t offset, size_t block_bytes, BlockReader::Decoder* decoder);
  arrow::Status LoadBlock();
  arrow::Status LoadRest(PackedRecord* record);

  const SpillFile* const file_;
  const int64_t offset_;  // offset of the first block; negative where there is no block
  const size_t block_bytes_;
  BlockReader blocks_;
  std::vector<char> buffer_;
  size_t at_ = 0;
  size_t filled_ = 0;
};

}  // namespace trawl
