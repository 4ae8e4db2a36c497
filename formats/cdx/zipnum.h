// ZipNum: an index that is sorted lines, compressed in blocks of some thousand lines, with a small index of the blocks
// (cluster.idx). A reader looks the block up and reads one gzip member. One thread.
//
//   cdx-00000.gz   gzip members of `block_lines` lines each
//   cluster.idx    com,example)/a 20261119200000 TAB cdx-00000.gz TAB offset TAB length TAB number
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/status.h"
#include "formats/text/deflate.h"

namespace trawl {

inline constexpr int64_t kZipNumLines = 3000;

// A block of a part: its first line up to the second blank, and where its gzip member is in the part's file.
struct ZipNumBlock {
  std::string first;  // "com,example)/a 20261119200000"
  int64_t offset = 0;
  int64_t length = 0;
  int64_t lines = 0;
};

// Writes one part, cdx-0000i.gz.
class ZipNumWriter {
 public:
  explicit ZipNumWriter(GzipMembers gzip, int64_t block_lines = kZipNumLines)
      : gzip_(std::move(gzip)), block_lines_(block_lines) {}

  // Adds a line, which ends in a line feed. When a block is full, its gzip member is appended to `*out`. Invalid where
  // the line is not after the one before it: readers lose lines of an index that is not sorted, and nobody tells them.
  arrow::Status Add(std::string_view line, std::string* out);
  // Appends the last block. Nothing may be added afterwards. A part without lines has no bytes.
  arrow::Status Finish(std::string* out);

  // The blocks that are full. The caller may take them away.
  std::vector<ZipNumBlock>& blocks() { return blocks_; }
  int64_t lines() const { return lines_; }

 private:
  arrow::Status EndBlock(std::string* out);

  GzipMembers gzip_;
  const int64_t block_lines_;
  std::string block_, first_;
  std::string last_;  // line
  int64_t in_block_ = 0, lines_ = 0, offset_ = 0;
  std::vector<ZipNumBlock> blocks_;
};

// Appends the block's line of cluster.idx. `part` is the file's name; `number` counts the blocks of all parts from 1.
void AppendClusterLine(const ZipNumBlock& block, std::string_view part, int64_t number, std::string* out);

}  // namespace trawl
