#include "jobs/views/scan_memory.h"

#include <algorithm>
#include <chrono>

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// As measured: two buffers of a compressed block, and the state of the decompressor.
constexpr int64_t kStreamBytes = int64_t{680} << 10;

int64_t StreamsOf(const Table& table, const std::vector<bool>& wanted) {
  int64_t streams = 0;
  for (size_t i = 0; i < table.columns().size(); ++i) {
    if (!wanted.empty() && !wanted[i]) continue;
    streams += WidthOf(table.columns()[i].type) == 0 ? 2 : 1;  // texts, and their lengths
  }
  return streams;
}

}  // namespace

Result<ScanMemory::Share> ScanMemory::Take(int64_t bytes, const StopToken& stop) {
  const int64_t taken = std::min(bytes, most_bytes_);
  std::unique_lock<std::mutex> lock(mutex_);
  const int64_t number = next_++;
  waiting_.insert(number);
  Status status;
  while (status.ok() && (*waiting_.begin() != number || free_bytes_ < taken)) {
    changed_.wait_for(lock, std::chrono::milliseconds(50));
    status = stop.Check();
  }
  waiting_.erase(number);
  changed_.notify_all();
  ARROW_RETURN_NOT_OK(status);
  free_bytes_ -= taken;
  return Share(this, taken);
}

size_t ScanMemory::waiting() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return waiting_.size();
}

void ScanMemory::GiveBack(int64_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  free_bytes_ += bytes;
  changed_.notify_all();
}

int64_t BytesOfScan(const Table& table, const std::vector<bool>& wanted) {
  return static_cast<int64_t>(table.runs().size()) * StreamsOf(table, wanted) * kStreamBytes;
}

int64_t BytesOfLookup(const Table& table) { return StreamsOf(table, {}) * kStreamBytes; }

}  // namespace trawl
