#include "runtime/process/free_memory.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>

#include "arrow/memory_pool.h"

namespace trawl {

namespace {

// A block from this size on is mapped by itself. ORC's blocks have 256 KiB and a little more when compressed. glibc
// begins with 128 KiB and raises it to the largest block that was freed, up to 32 MiB: a fixed value ends that.
constexpr int kLargeBlockBytes = 384 << 10;
constexpr int kWriterBlockBytes = 256 << 10;
// The free end of a heap that is kept.
constexpr int kKeptBytes = 2 << 20;

// 0 where it is not known.
int64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  int64_t all_pages = 0, resident_pages = 0;
  statm >> all_pages >> resident_pages;
  return resident_pages * sysconf(_SC_PAGESIZE);
}

}  // namespace

void KeepFreedBlocks() {
  mallopt(M_MMAP_THRESHOLD, kLargeBlockBytes);
  mallopt(M_TRIM_THRESHOLD, kKeptBytes);
  // A heap per core: glibc makes eight, and each keeps what its threads have freed.
  mallopt(M_ARENA_MAX, static_cast<int>(std::max(2u, std::thread::hardware_concurrency())));
}

ReturnFreedBlocks::ReturnFreedBlocks() { mallopt(M_MMAP_THRESHOLD, kWriterBlockBytes); }
ReturnFreedBlocks::~ReturnFreedBlocks() { mallopt(M_MMAP_THRESHOLD, kLargeBlockBytes); }

void GiveBackFreeMemory() {
  arrow::default_memory_pool()->ReleaseUnused();
  malloc_trim(0);
}

ReturnFreeMemory::ReturnFreeMemory(int64_t grown_bytes, int64_t every_ms)
    : thread_([this, grown_bytes, every_ms](const std::stop_token& stop) { Run(stop, grown_bytes, every_ms); }) {}

void ReturnFreeMemory::Run(const std::stop_token& stop, int64_t grown_bytes, int64_t every_ms) {
  int64_t least_bytes = ResidentBytes();
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stop.stop_requested()) {
    changed_.wait_for(lock, stop, std::chrono::milliseconds(every_ms), [] { return false; });
    const int64_t bytes = ResidentBytes();
    if (bytes - least_bytes > grown_bytes) {
      GiveBackFreeMemory();
      least_bytes = ResidentBytes();
    }
    least_bytes = std::min(least_bytes, bytes);
  }
}

}  // namespace trawl
