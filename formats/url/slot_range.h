// A range of slots, [begin, end) within [0, 65536), and the order of rows in a table: by slot, then by key bytes.
#pragma once

#include <cstdint>
#include <string_view>

namespace trawl {

inline constexpr uint32_t kSlots = 1 << 16;

struct SlotRange {
  uint32_t begin = 0;
  uint32_t end = kSlots;
  bool Contains(uint32_t slot) const { return begin <= slot && slot < end; }
  bool operator==(const SlotRange&) const = default;
};

// Cuts all slots into `partitions` ranges of even size. A slot's partition is the number of the range that holds it.
inline SlotRange RangeOfPartition(int partition, int partitions) {
  const auto bound = [partitions](int n) {
    return static_cast<uint32_t>((uint64_t{kSlots} * static_cast<uint64_t>(n) + static_cast<uint64_t>(partitions) - 1) /
                                 static_cast<uint64_t>(partitions));
  };
  return {bound(partition), bound(partition + 1)};
}
inline int PartitionOfSlot(uint32_t slot, int partitions) {
  return static_cast<int>(uint64_t{slot} * static_cast<uint64_t>(partitions) >> 16);
}

// A row's place in the order of a table.
struct RowPlace {
  uint32_t slot = 0;
  std::string_view key;
  friend bool operator<(const RowPlace& a, const RowPlace& b) {
    return a.slot != b.slot ? a.slot < b.slot : a.key < b.key;
  }
  friend bool operator==(const RowPlace&, const RowPlace&) = default;
};

}  // namespace trawl
