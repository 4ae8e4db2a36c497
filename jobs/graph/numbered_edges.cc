#include "jobs/graph/numbered_edges.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

namespace trawl {

using arrow::Result;
using arrow::Status;

NumberedEdges::NumberedEdges(std::unique_ptr<SpillFile> file, uint32_t hosts)
    : file_(std::move(file)), ranges_((hosts + kTargetsARange - 1) / kTargetsARange), out_(hosts), in_(hosts) {
  // All open blocks together have a limit.
  constexpr size_t kOpenBytes = size_t{64} << 20;
  block_bytes_ = std::clamp(kOpenBytes / std::max<size_t>(ranges_.size(), 1), size_t{4} << 10, size_t{256} << 10);
}

Result<std::unique_ptr<NumberedEdges>> NumberedEdges::Make(const std::string& folder, uint32_t hosts) {
  ARROW_ASSIGN_OR_RAISE(auto file, SpillFile::Make(folder));
  return std::unique_ptr<NumberedEdges>(new NumberedEdges(std::move(file), hosts));
}

uint32_t NumberedEdges::EndOfRange(size_t range) const {
  return static_cast<uint32_t>(std::min<uint64_t>((range + 1) * uint64_t{kTargetsARange}, hosts()));
}

Status NumberedEdges::Add(uint32_t from, uint32_t to) {
  Range& range = ranges_[to / kTargetsARange];
  uint32_t distance = from - range.last;
  range.last = from;
  for (; distance >= 0x80; distance >>= 7) range.open.push_back(static_cast<char>(distance | 0x80));
  range.open.push_back(static_cast<char>(distance));
  const auto target = static_cast<uint16_t>(to % kTargetsARange);
  range.open.append(reinterpret_cast<const char*>(&target), sizeof target);
  ++out_[from];
  ++in_[to];
  ++edges_;
  return range.open.size() < block_bytes_ ? Status::OK() : CloseBlock(&range);
}

Status NumberedEdges::CloseBlock(Range* range) {
  if (range->open.empty()) return Status::OK();
  range->blocks.push_back({file_->size(), range->open.size()});
  ARROW_RETURN_NOT_OK(file_->Append(range->open));
  range->open.clear();
  range->last = 0;
  return Status::OK();
}

Status NumberedEdges::Finish() {
  for (Range& range : ranges_) {
    ARROW_RETURN_NOT_OK(CloseBlock(&range));
    range.open = std::string();
  }
  return Status::OK();
}

Status NumberedEdges::Walk::NextBlock() {
  const Block& block = blocks_[block_++];
  bytes_.resize(block.size);
  ARROW_RETURN_NOT_OK(edges_.file_->ReadAt(block.offset, bytes_.data(), block.size));
  at_ = reinterpret_cast<const uint8_t*>(bytes_.data());
  end_ = at_ + block.size;
  from_ = 0;
  return Status::OK();
}

void WantLargePages(void* memory, size_t bytes) {
  constexpr uintptr_t kLargePage = uintptr_t{2} << 20;
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(memory) + kLargePage - 1) / kLargePage * kLargePage;
  const uintptr_t end = (reinterpret_cast<uintptr_t>(memory) + bytes) / kLargePage * kLargePage;
  // Without them everything works, more slowly.
  if (begin < end) (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

Status OnThreads(int threads, size_t count, const std::function<Status(size_t i)>& work) {
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  Status failure;
  const auto run = [&] {
    for (size_t i = next++; i < count; i = next++) {
      const Status done = work(i);
      if (done.ok()) continue;
      const std::lock_guard<std::mutex> lock(mutex);
      if (failure.ok()) failure = done;
      next = count;
    }
  };
  std::vector<std::jthread> others;
  for (size_t i = 1; i < std::min(count, static_cast<size_t>(std::max(threads, 1))); ++i) others.emplace_back(run);
  run();
  others.clear();
  return failure;
}

}  // namespace trawl
