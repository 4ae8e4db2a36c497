// Blocks of a spill file: bytes, compressed where that pays, after a header of 16 bytes.
//
//   0  8  XXH3-64 of all that follows, exclusive-or the block's place in the file times a constant
//   8  4  size before compression; the top bit marks the last block of its sequence
//   12 4  size as stored; the same as before compression where the block is not compressed
//   16    the bytes
//
// Integers are in the machine's order: a spill file never leaves the process. The checksum reveals a flipped bit, a
// block read from elsewhere and a sequence cut short. Only segments use this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"

namespace arrow::util {
class Codec;
}

namespace trawl {

class SpillFile;

enum class SpillCodec { kNone, kLz4, kZstd };

constexpr size_t kBlockHeaderBytes = 16;
// The most that compression can add to a block, and the header's size.
constexpr size_t BlockSlack(size_t block_bytes) { return kBlockHeaderBytes + 512 + block_bytes / 128; }

// Writes sequences of blocks of at most `block_bytes` each.
class BlockWriter {
 public:
  static arrow::Result<std::unique_ptr<BlockWriter>> Make(SpillCodec codec, size_t block_bytes);
  ~BlockWriter();

  // Adds a record to the current sequence: to the current block where it fits, otherwise to a fresh one and as many
  // more as it needs. A block is written when the next record does not fit.
  arrow::Status Add(std::string_view record, SpillFile* file);
  // Ends the sequence. A sequence without records takes no bytes.
  arrow::Status EndSequence(SpillFile* file);
  // Forgets the bytes that were not yet written.
  void Reset() { filled_ = 0; }

 private:
  BlockWriter(std::unique_ptr<arrow::util::Codec> codec, size_t block_bytes);
  arrow::Status Flush(bool is_last, SpillFile* file);

  const std::unique_ptr<arrow::util::Codec> codec_;  // null: no compression
  const size_t block_bytes_;
  std::vector<char> block_;       // room for the header, then the bytes
  std::vector<char> compressed_;  // the same
  size_t filled_ = 0;
};

// Reads the blocks of one sequence.
class BlockReader {
 public:
  // The state that the readers of one merge share.
  class Decoder {
   public:
    static arrow::Result<std::unique_ptr<Decoder>> Make(SpillCodec codec, size_t block_bytes);
    ~Decoder();

   private:
    friend class BlockReader;
    Decoder(std::unique_ptr<arrow::util::Codec> codec, size_t block_bytes);
    const std::unique_ptr<arrow::util::Codec> codec_;  // null: no compression
    std::vector<char> stored_;
  };

  // Starts at the sequence's first block. The caller owns the file and the decoder, which outlive the reader.
  BlockReader(const SpillFile* file, Decoder* decoder, int64_t offset, size_t block_bytes);

  bool at_end() const { return at_end_; }
  // Reads the next block to `out`, which has room for block_bytes, and returns its size.
  // REQUIRES: not at the end.
  arrow::Result<size_t> Read(char* out);

 private:
  arrow::Status LoadStored(size_t stored_size, bool is_last, uint64_t checksum);
  arrow::Status Decode(size_t stored_size, size_t raw_size, char* out) const;
  arrow::Status Damage() const;

  const SpillFile* const file_;
  Decoder* const decoder_;
  const size_t block_bytes_;
  int64_t offset_;
  char header_[kBlockHeaderBytes] = {};
  bool has_header_ = false;
  bool at_end_ = false;
};

}  // namespace trawl
