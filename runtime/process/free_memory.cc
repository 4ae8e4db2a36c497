#include "runtime/process/free_memory.h"

#include <malloc.h>

#include <algorithm>
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

}  // namespace trawl
