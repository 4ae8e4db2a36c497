// Times in milliseconds that documents of others name. Readers add and subtract them without looking at their limits.
#pragma once

#include <cstdint>

namespace trawl {

// From 1970 to the end of the year 9999.
inline constexpr int64_t kLastDocumentMs = 253'402'300'799'999;

constexpr bool IsDocumentTime(int64_t ms) { return ms >= 0 && ms <= kLastDocumentMs; }

}  // namespace trawl
