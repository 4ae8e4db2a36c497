// Memory that the process has freed but still holds. Any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace trawl {

// Gives it back to the system. This costs milliseconds; it is meant for the time between two jobs of one process, whose
// peaks would otherwise add up.
void GiveBackFreeMemory();

// Sets how the process keeps freed memory; main calls it once. Blocks of ORC's writers and of its compression are kept
// and used again: mapped anew for each block, they took a third of parse's CPU time in the kernel. Larger blocks, such
// as bodies, go back at once, so that they leave no holes among small ones.
void KeepFreedBlocks();

// While it lives, freed blocks of writers go back to the system, too: for a job with many tasks at once, each of which
// would keep its own. One at a time.
class ReturnFreedBlocks {
 public:
  ReturnFreedBlocks();
  ~ReturnFreedBlocks();
  ReturnFreedBlocks(const ReturnFreedBlocks&) = delete;
  ReturnFreedBlocks& operator=(const ReturnFreedBlocks&) = delete;
};

// While it lives, a thread looks now and then whether the process has grown by `grown_bytes`, and then gives free memory back.
// For a server: each answer needs much for a moment, and what the threads have freed would stay and add up.
class ReturnFreeMemory {
 public:
  explicit ReturnFreeMemory(int64_t grown_bytes = int64_t{32} << 20, int64_t every_ms = 500);

 private:
  void Run(const std::stop_token& stop, int64_t grown_bytes, int64_t every_ms);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;  // the last member: it uses the others
};

}  // namespace trawl
