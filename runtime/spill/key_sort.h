// The sort of the shuffle: orders records by partition, then by key as unsigned bytes, through an index of fixed-size
// entries.
//
// An entry carries the first bytes of its sort key, so that most comparisons touch only the index. Entries that tie are
// loaded with the next eight bytes of their keys and sorted again among themselves. Long common beginnings, as the URLs
// of one host have, therefore cost one reading of the keys per eight bytes, not one per comparison. For any keys the
// time is O(n log n) and one reading of the keys; no memory is allocated. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/spill/packed_record.h"

namespace trawl {

struct SortEntry {
  uint64_t prefix;     // SortPrefix of the record
  const char* record;  // packed
};

// Number of key bytes in a prefix; the partition takes the two bytes above them.
constexpr size_t kPrefixKeyBytes = 6;
constexpr int kMaxPartitions = 1 << 16;

inline uint64_t SortPrefix(int partition, std::string_view key) {
  return static_cast<uint64_t>(partition) << 48 | KeyBytes(key, 0) >> 16;
}
inline int PartitionOf(const SortEntry& entry) { return static_cast<int>(entry.prefix >> 48); }

// Sorted entries point all over memory: a loop over them prefetches the records that come soon.
inline void PrefetchRecord(std::span<const SortEntry> entries, size_t at) {
  constexpr size_t kAhead = 16;
  if (at + kAhead >= entries.size()) return;
  const char* record = entries[at + kAhead].record;
  __builtin_prefetch(record);
  __builtin_prefetch(record + 64);
}

// Sorts [begin, end). Prefixes are the same afterwards as before.
void SortEntries(SortEntry* begin, SortEntry* end);

}  // namespace trawl
