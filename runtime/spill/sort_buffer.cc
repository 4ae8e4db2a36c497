#include "runtime/spill/sort_buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kHugePagesFrom = 32 << 20;

}  // namespace

Result<std::unique_ptr<SortBuffer>> SortBuffer::Make(size_t capacity_bytes) {
  const size_t capacity = capacity_bytes / sizeof(SortEntry) * sizeof(SortEntry);
  void* region = mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (region == MAP_FAILED) {
    return Status::OutOfMemory("a sort buffer of ", capacity, " bytes: ", std::strerror(errno));
  }
  // Reading sorted records jumps all over the region: with small pages most of that time goes into finding the page. A
  // small buffer would suffer from memory that comes in large pieces.
  if (capacity >= kHugePagesFrom) madvise(region, capacity, MADV_HUGEPAGE);
  return std::unique_ptr<SortBuffer>(new SortBuffer(static_cast<char*>(region), capacity));
}

SortBuffer::SortBuffer(char* region, size_t capacity)
    : region_(region),
      capacity_(capacity),
      data_end_(region),
      entries_end_(reinterpret_cast<SortEntry*>(region + capacity)),
      entries_(entries_end_) {}

SortBuffer::~SortBuffer() { munmap(region_, capacity_); }

bool SortBuffer::Append(int partition, std::string_view key, std::string_view value) {
  const size_t packed = PackedSize(key, value);
  if (packed + sizeof(SortEntry) > free_bytes()) return false;
  *--entries_ = {SortPrefix(partition, key), data_end_};
  data_end_ = PackRecord(key, value, data_end_);
  return true;
}

void SortBuffer::RollBack(const Mark& mark) {
  data_end_ = region_ + mark.bytes;
  entries_ = entries_end_ - mark.records;
}

void SortBuffer::ReleaseUnused() {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t first = (static_cast<size_t>(data_end_ - region_) + page - 1) / page * page;
  const size_t last = static_cast<size_t>(reinterpret_cast<char*>(entries_) - region_) / page * page;
  if (last > first) madvise(region_ + first, last - first, MADV_DONTNEED);
}

std::span<const SortEntry> SortBuffer::Sort(size_t first, size_t last) {
  SortEntries(entries_end_ - last, entries_end_ - first);
  return {entries_end_ - last, entries_end_ - first};
}

}  // namespace trawl
