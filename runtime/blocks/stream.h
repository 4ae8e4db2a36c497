// Reads a partition's blocks, which come sorted by their first keys, as groups.
//
// Each block is sorted in itself. Those whose range reaches the current key are open; a heap merges them. The block that
// comes next stands in the heap, too, with its first key: when it reaches the top it is opened. So a record is out once
// its key is not above the first key of the next block:
//
//   next block  com,d …           open: task 0  com,a … com,c, com,e    out: com,a com,b com,b com,c com,d
//                                       task 1  com,b … com,d, com,g    then the next block is opened
//
// When a block that begins with K is opened, what is open reaches beyond K: at most one block of each map task. A key of
// millions of values fills many blocks, which begin with it and come in any order; each of them is read to its end before
// the next one is opened. So the memory is a block for each map task, and one more. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/hadoop/frame.h"
#include "formats/hadoop/record_block.h"
#include "runtime/blocks/ledger.h"
#include "runtime/shuffle/grouping_stream.h"

namespace trawl {

struct BlockStreamOptions {
  size_t map_tasks = 0;
  // For the open blocks of more than one record, before compression. CapacityError where they do not fit.
  int64_t window_bytes = 64 << 20;
};

// Fails at a block that is damaged, of another version, of another partition, out of order, sent twice or missing; the
// message names it. A block that is missing is known at the end.
class BlockGroupStream : public GroupingStream {
 public:
  // The caller owns `source`, which outlives this object.
  static arrow::Result<std::unique_ptr<BlockGroupStream>> Make(ByteSource* source, const BlockStreamOptions& options);
  ~BlockGroupStream() override;

  int64_t blocks() const { return blocks_; }
  // The most memory that open blocks took at once.
  int64_t peak_bytes() const { return peak_bytes_; }
  int64_t peak_open_blocks() const { return peak_open_blocks_; }

 private:
  class OpenBlock;
  // An open block with its current record, or (where `block` is null) the next block with its first key.
  struct Head {
    uint64_t prefix = 0;
    std::string_view key;
    std::unique_ptr<OpenBlock> block;
  };

  BlockGroupStream(ByteSource* source, const BlockStreamOptions& options, std::unique_ptr<RecordBlockDecoder> decoder);
  arrow::Result<bool> NextRecord(std::string_view* key, std::string_view* value) override;
  arrow::Result<bool> Step();
  arrow::Status Advance();
  arrow::Status ReadFrame(std::string_view previous_key);
  arrow::Status CheckFrame(const Frame& frame, std::string_view previous_key);
  arrow::Status OpenNext();
  arrow::Status CheckWindow(const RecordBlockHead& head) const;
  arrow::Status At(const arrow::Status& status) const;

  static bool Less(const Head& a, const Head& b);
  void SiftUp(size_t at);
  void SiftDown();

  FrameReader reader_;
  const BlockStreamOptions options_;
  const std::unique_ptr<RecordBlockDecoder> decoder_;
  BlockLedger ledger_;
  std::string label_;  // of all frames, once there was one
  Frame frame_;        // the next block
  int64_t frame_offset_ = 0;
  bool started_ = false;
  std::vector<Head> heap_;
  bool has_record_ = false;  // the top's record was handed out
  arrow::Status failure_;
  int64_t blocks_ = 0;
  int64_t open_bytes_ = 0;
  int64_t peak_bytes_ = 0;
  int64_t peak_open_blocks_ = 0;
};

}  // namespace trawl
