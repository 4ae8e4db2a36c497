// The limits on the cost of a tree, by the length of its page: work in units of the arena's meter, which are about a
// nanosecond, and memory in bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace trawl {

// gumbo's positions have 32 bits.
inline constexpr size_t kMostHtmlBytes = size_t{1} << 30;

// gumbo needs up to thirty times the length of a page made of short tags, and six times the length of a page of
// ordinary text. A page of ordinary text is read up to 16 MiB.
constexpr size_t MostHtmlMemory(size_t bytes) {
  constexpr size_t kArenaBytesPerByte = 10;
  constexpr size_t kArenaBytes = 40 << 20;
  constexpr size_t kMostArenaBytes = 96 << 20;
  return std::min(kArenaBytes + kArenaBytesPerByte * bytes, kMostArenaBytes);
}

// The work that a page may cost beyond gumbo's linear rate.
constexpr uint64_t MostHtmlWork(size_t bytes) {
  constexpr uint64_t kWorkPerByte = 8;
  constexpr uint64_t kWork = 60'000'000;
  return kWork + kWorkPerByte * bytes;
}

}  // namespace trawl
