// The door of runtime/blocks: records that map and reduce tasks exchange over a cluster, in sorted, compressed blocks.
//
// A map task gives its records to a BlockSink, which sorts them in memory and on the task's own disk, combines them where
// the job says how, and then writes them as blocks (formats/hadoop/record_block.h), each in a frame under the key of its first record. Whoever carries the
// frames sorts them by their keys; a BlockGroupStream (runtime/blocks/stream.h) reads them and gives a reducer its
// groups. In a block a record is: varint(size of the key) varint(size of the value) key value.
//
// One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/hadoop/frame.h"
#include "formats/hadoop/record_block.h"
#include "runtime/shuffle/combiner.h"
#include "runtime/shuffle/record_stream.h"
#include "runtime/shuffle/shuffle.h"

namespace trawl {

struct BlockSinkOptions {
  int partitions = 1;  // at most kMaxLabelledPartitions
  uint32_t map_task = 0;
  uint32_t attempt = 0;
  int64_t block_bytes = 256 << 10;
  int64_t sort_bytes = 64 << 20;
  // The folder for what does not fit into `sort_bytes`. It must exist by then.
  std::string temp_folder = "/tmp";
  // Combines the records of each key before they are sent; empty: all are sent.
  MakeCombiner combiner = {};
};

class BlockSink : public RecordSink {
 public:
  // The caller owns `sink`, which outlives this object.
  static arrow::Result<std::unique_ptr<BlockSink>> Make(ByteSink* sink, const BlockSinkOptions& options);

  // CapacityError for a record that is too large for the memory, or that no block can hold.
  arrow::Status Emit(int partition, std::string_view key, std::string_view value) override;
  // Sorts the records and writes all blocks, partition after partition. Nothing may be emitted afterwards.
  arrow::Status Finish();

  int64_t spills() const { return shuffle_->stats().spills; }

 private:
  BlockSink(ByteSink* sink, const BlockSinkOptions& options, std::unique_ptr<RecordBlockEncoder> encoder);
  arrow::Status SendPartition(int partition, GroupStream* groups);
  arrow::Status Add(std::string_view key, std::string_view value);
  arrow::Status SendBlock(bool is_last);

  const BlockSinkOptions options_;
  FrameWriter frames_;
  const std::unique_ptr<RecordBlockEncoder> encoder_;
  std::unique_ptr<Shuffle> shuffle_;
  std::unique_ptr<ShuffleMapOutput> records_;

  // The block that is being filled.
  RecordBlockHead head_;
  std::string frame_key_;  // begins with the partition's label
  std::string block_;
};

}  // namespace trawl
