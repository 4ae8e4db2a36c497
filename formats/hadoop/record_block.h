// Blocks: sorted records of a map task, compressed, checked, and carried as the value of one frame (frame.h).
//
// The frame's key is `label(2) key`, where the key is that of the block's first record. Hadoop therefore sorts blocks by
// their first keys. The frame's value is:
//
//   0   4  54 42 4C 02: "TBL" and the version of this form
//   4   4  number of the map task
//   8   4  its attempt
//   12  4  number of the block among those of this attempt for this partition, from 0
//   16  4  number of records; the top bit marks the last of these blocks
//   20  4  size of the records before compression
//   24  8  checksum: XXH3-64 of the 24 bytes before it, XXH3-64 of the frame's key, and XXH3-64 of the bytes from 32 on
//   32     the records, compressed as a zstd frame; as they are where they have the size that stands at 20
//
// Integers are little-endian. This layer does not look into the records.
//
// Pure; each encoder and decoder belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"

namespace arrow::util {
class Codec;
}

namespace trawl {

constexpr size_t kRecordBlockHeadBytes = 32;
// The largest size of a block's records before compression.
constexpr size_t kMaxRecordBlockBytes = 64 << 20;

struct RecordBlockHead {
  uint32_t map_task = 0;
  uint32_t attempt = 0;
  uint32_t number = 0;
  uint32_t records = 0;  // below 2^31
  bool is_last = false;
  uint32_t size_bytes = 0;  // of the records before compression

  // "block 2 of map task 7, attempt 0".
  std::string Name() const;
};

class RecordBlockEncoder {
 public:
  static arrow::Result<std::unique_ptr<RecordBlockEncoder>> Make();
  ~RecordBlockEncoder();

  // Returns the frame's value, valid until the next call. `head.size_bytes` is taken from `records`.
  // REQUIRES: records.size() <= kMaxRecordBlockBytes.
  arrow::Result<std::string_view> Encode(RecordBlockHead head, std::string_view frame_key, std::string_view records);

 private:
  explicit RecordBlockEncoder(std::unique_ptr<arrow::util::Codec> codec);

  const std::unique_ptr<arrow::util::Codec> codec_;
  std::vector<char> value_;
};

class RecordBlockDecoder {
 public:
  static arrow::Result<std::unique_ptr<RecordBlockDecoder>> Make();
  ~RecordBlockDecoder();

  // Checks the whole value against its checksum and returns its head. Invalid for bytes that are not a block: the
  // message says whether they are of another version, and names the block as far as it is known.
  static arrow::Result<RecordBlockHead> Check(std::string_view frame_key, std::string_view value);
  // Writes the `size_bytes` bytes of its records to `out`. REQUIRES: Check accepted the value and returned `head`.
  arrow::Status Unpack(const RecordBlockHead& head, std::string_view value, char* out) const;

 private:
  explicit RecordBlockDecoder(std::unique_ptr<arrow::util::Codec> codec);

  const std::unique_ptr<arrow::util::Codec> codec_;
};

}  // namespace trawl
