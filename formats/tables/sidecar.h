// The sidecar of a data file, `_….idx`: facts about its rows that are known without decoding them.
//
// Rows lie in blocks of 256. Layout, little-endian:
//   header   64 bytes: magic "TRAWLIDX", version (4), rows per block (4), rows (8), Bloom filter bytes (8), first keys'
//            bytes (8), 0…
//   Bloom    a split-block filter (blocks of 8 words of 32 bits) over Hash64 of the keys
//   blocks   a block of n rows: n key hashes (8 each), n states (1, bit 7: plain), n depths (1), n inlinks (2)
//   keys     for each block the end of its first key (4), then those keys' bytes one after the other
// The data file's receipt seals it. If a key's hash is found in the one block that can hold the key, that row counts as
// the key's row.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/io/type_fwd.h"
#include "arrow/result.h"
#include "arrow/status.h"

namespace trawl {

inline constexpr int64_t kSidecarBlockRows = 256;

// The facts about one row. `state` 0 is a tombstone. The table decides what its other values, below 128, mean, and what
// `plain` means; `plain` is the uppermost bit of the stored state.
struct SidecarEntry {
  uint8_t state = 0;
  uint8_t depth = 0;
  uint16_t inlinks = 0;
  bool plain = false;
  bool operator==(const SidecarEntry&) const = default;
};

// Collects the rows of one file, in their order. Takes 12 bytes per row and a key per block.
class SidecarBuilder {
 public:
  // `bloom_false_positives` within (0, 0.5]; 0 leaves the filter out.
  explicit SidecarBuilder(double bloom_false_positives = 0.01) : bloom_false_positives_(bloom_false_positives) {}

  void Add(std::string_view key, SidecarEntry entry);
  // The content of the sidecar. The builder is then empty.
  std::string Finish();

 private:
  double bloom_false_positives_;
  std::vector<uint64_t> hashes_;
  std::vector<SidecarEntry> entries_;
  std::vector<uint32_t> key_ends_;
  std::string keys_;
};

// The rows of one block.
struct SidecarBlock {
  int64_t first_row = 0;
  int64_t rows = 0;
  std::array<uint64_t, kSidecarBlockRows> hashes;
  std::array<SidecarEntry, kSidecarBlockRows> entries;

  // The place within the block of the row with that key hash, or -1.
  int64_t Find(uint64_t key_hash) const;
};

// Reads a sidecar piece by piece. One thread at a time. Errors name the file.
class SidecarReader {
 public:
  static arrow::Result<std::unique_ptr<SidecarReader>> Open(std::shared_ptr<arrow::io::RandomAccessFile> file,
                                                            std::string name);

  int64_t rows() const { return rows_; }
  int64_t blocks() const { return (rows_ + kSidecarBlockRows - 1) / kSidecarBlockRows; }
  int64_t bloom_bytes() const { return bloom_bytes_; }

  // False where the filter says that no row has that key hash. Reads 32 bytes.
  arrow::Result<bool> MayContain(uint64_t key_hash);

  // Loads the first keys; the first call reads all of them. REQUIRES: block < blocks().
  arrow::Status LoadFirstKeys();
  std::string_view FirstKey(int64_t block) const;

  arrow::Status ReadBlock(int64_t block, SidecarBlock* out);

 private:
  SidecarReader() = default;
  arrow::Status ReadAt(int64_t offset, int64_t size, void* out) const;

  std::shared_ptr<arrow::io::RandomAccessFile> file_;
  std::string name_;
  int64_t rows_ = 0;
  int64_t bloom_bytes_ = 0;
  int64_t keys_bytes_ = 0;
  std::string first_keys_;  // as stored: ends, then bytes
};

}  // namespace trawl
