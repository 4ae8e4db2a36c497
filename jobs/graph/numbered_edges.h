// The edges between numbered hosts, on local disk: what PageRank and centrality go through again and again, while only
// their vectors lie in memory.
//
// Edges lie in ranges of 65,536 targets, within a range by source: so whoever walks a range writes to a small part of a
// vector, and reads the other one forwards. An edge takes some three bytes: the distance to the source of the edge before
// (seven bits in a byte, low bits first), and the target's number within the range (2). One thread adds; then any number
// of threads read.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/spill/file.h"

namespace trawl {

class NumberedEdges {
  struct Block {
    int64_t offset = 0;
    size_t size = 0;
  };

 public:
  static constexpr uint32_t kTargetsARange = 1 << 16;

  // Keeps its bytes in a nameless file in `folder`.
  static arrow::Result<std::unique_ptr<NumberedEdges>> Make(const std::string& folder, uint32_t hosts);

  // REQUIRES: sources ascend; no edge comes twice, and none leads from a host to itself.
  arrow::Status Add(uint32_t from, uint32_t to);
  // Call it after the last edge.
  arrow::Status Finish();

  uint32_t hosts() const { return static_cast<uint32_t>(out_.size()); }
  int64_t edges() const { return edges_; }
  // By host: to how many others it links, and how many link to it.
  const std::vector<uint32_t>& out() const { return out_; }
  const std::vector<uint32_t>& in() const { return in_; }

  size_t ranges() const { return ranges_.size(); }
  uint32_t BeginOfRange(size_t range) const { return static_cast<uint32_t>(range) * kTargetsARange; }
  uint32_t EndOfRange(size_t range) const;
  int64_t bytes() const { return file_->size(); }

  // Goes through the edges to a range's hosts, ascending by `from`.
  class Walk {
   public:
    Walk(const NumberedEdges& edges, size_t range)
        : edges_(edges), blocks_(edges.ranges_[range].blocks), begin_(edges.BeginOfRange(range)) {}

    // Calls `visit(from, to)` for the next edges, as long as `from` is below the limit.
    template <typename Visit>
    arrow::Status UpTo(uint32_t limit, Visit&& visit) {
      while (true) {
        while (at_ < end_) {
          const uint8_t* next = at_;
          uint32_t distance = *next & 0x7F;
          for (int shift = 7; *next++ >= 0x80; shift += 7) distance |= uint32_t{*next & 0x7Fu} << shift;
          if (from_ + distance >= limit) return arrow::Status::OK();
          from_ += distance;
          uint16_t to;
          std::memcpy(&to, next, sizeof to);
          at_ = next + sizeof to;
          visit(from_, begin_ + to);
        }
        if (block_ == blocks_.size()) return arrow::Status::OK();
        ARROW_RETURN_NOT_OK(NextBlock());
      }
    }

   private:
    arrow::Status NextBlock();

    const NumberedEdges& edges_;
    const std::vector<Block>& blocks_;
    const uint32_t begin_;
    size_t block_ = 0;
    std::string bytes_;
    const uint8_t* at_ = nullptr;
    const uint8_t* end_ = nullptr;
    uint32_t from_ = 0;
  };
  // Calls `visit(from, to)` for all edges to this range's hosts.
  template <typename Visit>
  arrow::Status ForEach(size_t range, Visit&& visit) const {
    return Walk(*this, range).UpTo(UINT32_MAX, std::forward<Visit>(visit));
  }

 private:
  struct Range {
    std::string open;   // the block that grows
    uint32_t last = 0;  // the source of its last edge
    std::vector<Block> blocks;
  };

  NumberedEdges(std::unique_ptr<SpillFile> file, uint32_t hosts);
  arrow::Status CloseBlock(Range* range);

  const std::unique_ptr<SpillFile> file_;
  size_t block_bytes_ = 0;
  std::vector<Range> ranges_;
  std::vector<uint32_t> out_, in_;
  int64_t edges_ = 0;
};

// Asks for large pages of memory, where the system has them. REQUIRES: the memory was not touched yet.
void WantLargePages(void* memory, size_t bytes);

// A vector that is read here and there all over: with small pages, finding a page would cost as much as reading it.
template <typename T>
std::vector<T> LargeVector(size_t size) {
  std::vector<T> vector;
  vector.reserve(size);
  WantLargePages(vector.data(), size * sizeof(T));
  vector.resize(size);
  return vector;
}

// Calls work(i) for 0 … count - 1 on so many threads, and returns a failure if there was one.
arrow::Status OnThreads(int threads, size_t count, const std::function<arrow::Status(size_t i)>& work);

}  // namespace trawl
