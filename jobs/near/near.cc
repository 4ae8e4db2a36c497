#include "jobs/near/near.h"

namespace trawl {

namespace {

constexpr int kFlips[] = {1, 17, 137};  // values within 0, 1, 2 bits

// By the number of bits set.
constexpr std::array<uint16_t, 137> MakeFlips() {
  std::array<uint16_t, 137> flips{};
  size_t count = 0;
  for (int bits = 0; bits <= 2; ++bits) {
    for (uint32_t value = 0; value < 65'536; value = value == 0 ? 1 : value * 2) {
      if (bits == 0 && value == 0) flips[count++] = 0;
      if (bits == 1 && value != 0) flips[count++] = static_cast<uint16_t>(value);
      for (uint32_t other = 1; bits == 2 && other < value; other *= 2) {
        flips[count++] = static_cast<uint16_t>(value | other);
      }
    }
  }
  return flips;
}
constexpr std::array<uint16_t, 137> kAllFlips = MakeFlips();

}  // namespace

std::span<const uint16_t> FlipsWithin(int bits) {
  return bits < 0 ? std::span<const uint16_t>() : std::span(kAllFlips).first(static_cast<size_t>(kFlips[bits]));
}

int64_t ValuesLookedAt(int distance) {
  int64_t values = 0;
  for (int quarter = 0; quarter < kQuarters; ++quarter) {
    values += static_cast<int64_t>(FlipsWithin(ReachOf(distance, quarter)).size());
  }
  return values;
}

bool IsFirstQuarter(uint64_t a, uint64_t b, int quarter, int distance) {
  for (int before = 0; before < quarter; ++before) {
    if (std::popcount(QuarterOf(a ^ b, before)) <= ReachOf(distance, before)) return false;
  }
  return true;
}

FingerprintIndex::FingerprintIndex(int distance)
    : distance_(distance), compares_all_to_(ValuesLookedAt(distance) * kPlaceCost) {}

void FingerprintIndex::Add(uint64_t fingerprint) {
  all_.push_back(fingerprint);
  if (!buckets_.empty()) {
    AddToBuckets(static_cast<uint32_t>(all_.size() - 1));
  } else if (size() > compares_all_to_) {
    buckets_.resize(size_t{kQuarters} << 16);
    for (uint32_t number = 0; number < all_.size(); ++number) AddToBuckets(number);
  }
}

void FingerprintIndex::AddToBuckets(uint32_t number) {
  const uint64_t fingerprint = all_[number];
  const Entry entry = {static_cast<uint32_t>(fingerprint >> 32), static_cast<uint32_t>(fingerprint), number};
  for (int quarter = 0; quarter < kQuarters; ++quarter) {
    if (ReachOf(distance_, quarter) >= 0) buckets_[BucketOf(quarter, QuarterOf(fingerprint, quarter))].push_back(entry);
  }
}

}  // namespace trawl
