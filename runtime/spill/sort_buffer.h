// The memory in which a map slot collects and sorts records: one region of fixed size; records grow from its front,
// their index from its back. So nothing is allocated per record, and the region never exceeds its given size.
//
// One thread at a time. The untouched part of the region costs no memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "arrow/result.h"
#include "runtime/spill/key_sort.h"

namespace trawl {

class SortBuffer {
 public:
  static arrow::Result<std::unique_ptr<SortBuffer>> Make(size_t capacity_bytes);
  ~SortBuffer();
  SortBuffer(const SortBuffer&) = delete;
  SortBuffer& operator=(const SortBuffer&) = delete;

  // Returns false, and changes nothing, where the record does not fit.
  bool Append(int partition, std::string_view key, std::string_view value);

  // A point in the order of appending.
  struct Mark {
    size_t bytes = 0;
    size_t records = 0;
  };
  Mark mark() const { return {static_cast<size_t>(data_end_ - region_), records()}; }
  // Forgets the records appended after `mark`.
  void RollBack(const Mark& mark);
  // Forgets everything.
  void Clear() { RollBack(Mark()); }
  // Gives unused memory back to the system. Its next use costs page faults.
  void ReleaseUnused();

  size_t records() const { return static_cast<size_t>(entries_end_ - entries_); }
  // Bytes taken by records and index.
  size_t used_bytes() const { return capacity_ - free_bytes(); }

  // Sorts the records appended from number `first` up to number `last`, and returns them; valid until something is
  // forgotten.
  std::span<const SortEntry> Sort(size_t first, size_t last);

 private:
  SortBuffer(char* region, size_t capacity);
  size_t free_bytes() const { return static_cast<size_t>(reinterpret_cast<const char*>(entries_) - data_end_); }

  char* const region_;
  const size_t capacity_;
  char* data_end_;
  SortEntry* const entries_end_;
  SortEntry* entries_;  // the newest entry
};

}  // namespace trawl
