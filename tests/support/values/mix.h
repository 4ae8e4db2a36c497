// Spreads a number over all 64 bits, also for consecutive numbers: the finaliser of SplitMix64. Pure; any thread.
#pragma once

#include <cstdint>

namespace trawl {

inline uint64_t Mix(uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

}  // namespace trawl
