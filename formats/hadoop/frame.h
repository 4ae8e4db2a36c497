// The door of formats/hadoop: frames, the records on the wire between Trawl and Hadoop Streaming ("rawbytes" of its I/O
// specification).
//
//   0    4  size of the key, big-endian
//   4    k  the key
//   4+k  4  size of the value, big-endian
//   8+k  v  the value
//
// A key on the wire is `label(2) key`. The label steers Hadoop's BinaryPartitioner (offsets 0 … 1) to the wanted
// partition. It is the same for all records of a partition, so it does not disturb their order:
//
//   partition 3 of 7, slot 4660, host "com", value "x":   00 00 00 07 · 00 01 · 12 34 · 63 6F 6D · 00 00 00 01 · 78
//
// Pure; each reader and writer belongs to one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"

namespace trawl {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Reads from 1 to `size` bytes, as many as are available; 0 at the end. REQUIRES: size > 0.
  virtual arrow::Result<size_t> Read(char* out, size_t size) = 0;
};

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  // Writes all of `bytes` or fails.
  virtual arrow::Status Write(std::string_view bytes) = 0;
};

struct Frame {
  std::string_view key;
  std::string_view value;
};

struct FrameLimits {
  size_t key_bytes = (64 << 10) + 16;
  size_t value_bytes = 64 << 20;
};

class FrameReader {
 public:
  // `source` belongs to the caller and outlives the reader.
  explicit FrameReader(ByteSource* source, const FrameLimits& limits = FrameLimits());

  // The next frame, valid until the next call; false where the source ends after a whole frame. Sizes over the limits
  // and an end within a frame are Invalid; the message tells where the frame begins. Memory follows the bytes that
  // came, not the sizes that they claim.
  arrow::Result<bool> Next(Frame* frame);

  // The offset at which the next frame begins.
  int64_t offset() const { return offset_; }

 private:
  arrow::Result<bool> Have(size_t bytes);
  arrow::Result<size_t> SizeAt(size_t at, size_t limit, const char* what);
  arrow::Status CutOff() const;
  void MakeRoom(size_t bytes);

  ByteSource* const source_;
  const FrameLimits limits_;
  std::vector<char> buffer_;
  size_t begin_ = 0;  // the next frame's beginning in the buffer
  size_t end_ = 0;    // the end of the bytes that were read
  int64_t offset_ = 0;
};

class FrameWriter {
 public:
  // `sink` belongs to the caller and outlives the writer.
  explicit FrameWriter(ByteSink* sink);

  // Adds a frame whose key is `key_head` followed by `key_tail`. Frames are written when the buffer is full or by
  // Flush.
  arrow::Status Write(std::string_view key_head, std::string_view key_tail, std::string_view value);
  arrow::Status Flush();

 private:
  arrow::Status Put(std::string_view bytes);
  arrow::Status PutSize(size_t size);

  ByteSink* const sink_;
  std::vector<char> buffer_;
  size_t filled_ = 0;
};

// The largest number of partitions that labels can tell apart.
constexpr int kMaxLabelledPartitions = 4065;

using PartitionLabel = std::array<char, 2>;

// The label that BinaryPartitioner sends to `partition`. Its hash of two bytes a, b < 128 is 961 + 31 a + b, so some
// pair reaches every remainder. REQUIRES: 0 <= partition < partitions <= kMaxLabelledPartitions.
PartitionLabel LabelOf(int partition, int partitions);

}  // namespace trawl
