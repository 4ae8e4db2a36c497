#include "jobs/views/scan_memory.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "jobs/views/failure.h"
#include "runtime/terminal/units.h"

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
  if (bytes > kAloneTimes * most_bytes_) {
    return StoreAway("the tables have so many runs that reading them at once takes " + ReadableSize(bytes) +
                     " of memory, and there are " + ReadableSize(kAloneTimes * most_bytes_) +
                     "; trawl compact makes one run of them");
  }
  const int64_t taken = std::min(bytes, most_bytes_);
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience_ms_);
  std::unique_lock<std::mutex> lock(mutex_);
  const int64_t number = next_++;
  waiting_.insert(number);
  Status status;
  const auto may_take = [&] { return *waiting_.begin() == number && free_bytes_ >= taken; };
  while (status.ok() && !may_take()) {
    changed_.wait_for(lock, std::chrono::milliseconds(50));
    status = stop.Check();
    if (status.ok() && !may_take() && std::chrono::steady_clock::now() >= until) {
      status = StoreAway("other requests use the memory for reading rows, " + ReadableSize(most_bytes_) +
                         "; send this one again");
    }
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

std::vector<std::vector<bool>> ColumnGroups(const Table& table, const std::vector<bool>& together, int64_t most_bytes) {
  std::vector<bool> key(table.columns().size());
  key[static_cast<size_t>(table.ColumnNumber("key"))] = true;
  std::vector<std::vector<bool>> groups = {together};
  groups.back()[static_cast<size_t>(table.ColumnNumber("key"))] = true;
  for (size_t i = 0; i < table.columns().size(); ++i) {
    if (groups.front()[i]) continue;
    std::vector<bool> wider = groups.back();
    wider[i] = true;
    if (BytesOfScan(table, wider) > most_bytes) {
      wider = key;
      wider[i] = true;
      groups.push_back(std::move(wider));
    } else {
      groups.back() = std::move(wider);
    }
  }
  std::swap(groups.front(), groups.back());
  return groups;
}

int64_t BytesOfLookup(const Table& table, const std::vector<bool>& wanted) {
  return StreamsOf(table, wanted) * kStreamBytes;
}

}  // namespace trawl
