// The door of jobs/near: finds fingerprints near one another, within a number of differing bits, with none missed. Pure; an
// index belongs to one thread while fingerprints are added.
//
// THE METHOD. The 64 bits are cut into four quarters. Two fingerprints within d bits differ little in some quarter: if each
// quarter i differed in more than r(i) bits, they would differ in at least the sum of r(i) + 1. So it is enough to look,
// for each quarter, at the fingerprints that differ in at most r(i) of its bits, where the sum of r(i) + 1 is d + 1. A
// quarter has 65,536 values, and 1, 17 or 137 of them are within 0, 1 or 2 bits of one.
//
//   d   reach of the quarters   values looked at   of 10 M random fingerprints compared
//   0   0 - - -                   1                    153
//   3   0 0 0 0                   4                    610
//   4   1 0 0 0                  20                  3,100
//   6   1 1 1 0                  52                  7,900
//   7   1 1 1 1                  68                 10,400
//   8   2 1 1 1                 188                 28,700
//   10  2 2 2 1                 428                 65,300
//
// Where all fingerprints are fewer than what so many places cost, all are compared: a place costs about as much as comparing
// kPlaceCost of them one after the other.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace trawl {

inline constexpr int kQuarters = 4;
inline constexpr int kMostDistance = 11;
// The number of contents with one and the same fingerprint that a second look may tell apart. After them a content is near
// the first one of these: else the cost would grow with the square of their number.
inline constexpr int32_t kMostToldApart = 4096;

constexpr uint16_t QuarterOf(uint64_t fingerprint, int quarter) {
  return static_cast<uint16_t>(fingerprint >> (48 - 16 * quarter));
}
// The other 48 bits in order.
constexpr uint64_t RestOf(uint64_t fingerprint, int quarter) {
  const int below = 48 - 16 * quarter;
  const uint64_t low = fingerprint & ((uint64_t{1} << below) - 1);
  return quarter == 0 ? low : (fingerprint >> (below + 16)) << below | low;
}
constexpr uint64_t JoinQuarter(int quarter, uint16_t value, uint64_t rest) {
  const int below = 48 - 16 * quarter;
  const uint64_t low = rest & ((uint64_t{1} << below) - 1);
  const uint64_t high = quarter == 0 ? 0 : rest >> below << (below + 16);
  return high | uint64_t{value} << below | low;
}

// The bits in which a quarter may differ; -1: it is not looked at. REQUIRES: 0 <= distance <= kMostDistance.
constexpr int ReachOf(int distance, int quarter) { return (distance + 4 - quarter) / 4 - 1; }
// What to exclusive-or a quarter with, to get all values within so many bits: none, 1, 17 or 137 of them.
std::span<const uint16_t> FlipsWithin(int bits);
// The values looked at for one fingerprint, of all quarters together.
int64_t ValuesLookedAt(int distance);
// Whether that quarter is the first one through which these two are found, so that a pair is taken once. REQUIRES: they are
// found through it.
bool IsFirstQuarter(uint64_t a, uint64_t b, int quarter, int distance);

// Fingerprints in memory, numbered in the order in which they are added. Takes 8 bytes for each; with many, 56 and up to
// twice as much while it grows.
class FingerprintIndex {
 public:
  explicit FingerprintIndex(int distance);

  void Add(uint64_t fingerprint);
  int64_t size() const { return static_cast<int64_t>(all_.size()); }
  uint64_t at(uint32_t number) const { return all_[number]; }

  // Calls `visit(number, distance)` for each fingerprint within the distance, once, in no promised order.
  template <typename Visit>
  void ForEachNear(uint64_t fingerprint, Visit&& visit) const {
    if (buckets_.empty()) {
      for (size_t i = 0; i < all_.size(); ++i) {
        const int bits = std::popcount(all_[i] ^ fingerprint);
        if (bits <= distance_) visit(static_cast<uint32_t>(i), bits);
      }
      return;
    }
    for (int quarter = 0; quarter < kQuarters; ++quarter) {
      const uint16_t value = QuarterOf(fingerprint, quarter);
      for (const uint16_t flips : FlipsWithin(ReachOf(distance_, quarter))) {
        for (const Entry& entry : buckets_[BucketOf(quarter, value ^ flips)]) {
          const uint64_t other = uint64_t{entry.high} << 32 | entry.low;
          const int bits = std::popcount(other ^ fingerprint);
          if (bits <= distance_ && IsFirstQuarter(other, fingerprint, quarter, distance_)) visit(entry.number, bits);
        }
      }
    }
  }

 private:
  struct Entry {
    uint32_t high, low, number;
  };
  static constexpr int64_t kPlaceCost = 200;

  static size_t BucketOf(int quarter, int value) { return static_cast<size_t>(quarter << 16 | value); }
  void AddToBuckets(uint32_t number);

  const int distance_;
  const int64_t compares_all_to_;  // up to this number there are no buckets
  std::vector<uint64_t> all_;
  std::vector<std::vector<Entry>> buckets_;
};

}  // namespace trawl
