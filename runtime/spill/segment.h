// A segment: sorted records of every partition in a spill file, partition after partition, each a sequence of blocks;
// then the segment's index, an entry of 16 bytes a partition (where its first block lies, and a check of that).
//
// The index stays in the file, so that thousands of segments of thousands of partitions cost the memory of a few words
// each.
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
  int64_t begin = 0;         // of its blocks in the file
  int64_t index_offset = 0;  // where they end and its index begins
  int64_t end = 0;
  size_t largest_record = 0;

  int64_t bytes() const { return end - begin; }
};

struct SpillSegmentFormat {
  int partitions = 0;
  SpillCodec codec = SpillCodec::kLz4;
  size_t block_bytes = 0;
};

// Writes segments one after the other; its buffers serve them all.
class SpillSegmentWriter {
 public:
  static arrow::Result<std::unique_ptr<SpillSegmentWriter>> Make(const SpillSegmentFormat& format);
  // The memory of one.
  static size_t MemoryBytes(const SpillSegmentFormat& format);

  void Begin(SpillFile* file);
  // Partitions come in ascending order, and the records of each sorted.
  arrow::Status Add(int partition, const PackedRecord& record);
  // The segment is then readable.
  arrow::Result<SpillSegment> Finish();

 private:
  struct IndexEntry {
    int64_t offset;  // of the first block; -1 where the partition has no records
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
  // The memory of one, at most.
  static size_t MemoryBytes(const SpillSegment& segment, size_t block_bytes);

  arrow::Result<bool> Next(PackedRecord* record) override;

 private:
  SpillSegmentReader(const SpillFile* file, int64_t offset, size_t block_bytes, BlockReader::Decoder* decoder);
  arrow::Status LoadBlock();
  arrow::Status LoadRest(PackedRecord* record);

  const SpillFile* const file_;
  const int64_t offset_;  // of the first block; negative where there is none
  const size_t block_bytes_;
  BlockReader blocks_;
  std::vector<char> buffer_;
  size_t at_ = 0;
  size_t filled_ = 0;
};

}  // namespace trawl
