// Memory for reading whole rows, shared by all requests of a server: whoever needs more than is free waits for some seconds. Any
// thread.
//
// A reader of a file has buffers of more than half a MiB for each stream of a column, however few rows the file has, and a
// scan holds a file of each run of its table open.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <vector>

#include "arrow/result.h"
#include "runtime/process/stop.h"
#include "runtime/tables/table.h"

namespace trawl {

class ScanMemory {
 public:
  static constexpr int64_t kPatienceMs = 5'000;

  explicit ScanMemory(int64_t most_bytes, int64_t patience_ms = kPatienceMs)
      : most_bytes_(most_bytes), patience_ms_(patience_ms), free_bytes_(most_bytes) {}

  // What one reader has taken; its end gives it back. The memory outlives it. One thread.
  class Share {
   public:
    Share(Share&& other) noexcept : memory_(other.memory_), bytes_(other.bytes_) { other.memory_ = nullptr; }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    ~Share() {
      if (memory_ != nullptr) memory_->GiveBack(bytes_);
    }

   private:
    friend class ScanMemory;
    Share(ScanMemory* memory, int64_t bytes) : memory_(memory), bytes_(bytes) {}
    ScanMemory* memory_;
    int64_t bytes_;
  };

  // A reader that needs more than there is takes all of it, and may use this times as much: better than no answer.
  static constexpr int64_t kAloneTimes = 2;

  // Whoever comes first gets it first. A problem of status 503 where it is not free in time, and at once where even a reader
  // alone would use too much. `stop` ends the wait. REQUIRES: the thread holds no other share.
  arrow::Result<Share> Take(int64_t bytes, const StopToken& stop);
  // How many wait.
  size_t waiting() const;

 private:
  void GiveBack(int64_t bytes);

  const int64_t most_bytes_;
  const int64_t patience_ms_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  int64_t free_bytes_;
  int64_t next_ = 0;
  std::set<int64_t> waiting_;  // the numbers of those that wait, and of no others
};

// What a scan of these columns takes; no flags: of all columns.
int64_t BytesOfScan(const Table& table, const std::vector<bool>& wanted);
// All columns in groups, so that a scan of each takes no more than `most_bytes`. Each has the key. The last has `together`, even
// where these take more.
std::vector<std::vector<bool>> ColumnGroups(const Table& table, const std::vector<bool>& together, int64_t most_bytes);
// What it takes to look up a row, or one after another: one file at a time is open.
int64_t BytesOfLookup(const Table& table, const std::vector<bool>& wanted = {});

}  // namespace trawl
