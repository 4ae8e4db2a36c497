// The memory of the test's own process, as the kernel counts it.
#pragma once

#include <cstdint>

namespace trawl {

// Whether the figures mean anything: a sanitizer's shadow is memory, too.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMemoryIsMeasured = false;
#else
constexpr bool kMemoryIsMeasured = true;
#endif

// Resident now.
int64_t ResidentBytes();
// The most that was resident since the last StartPeak.
int64_t PeakResidentBytes();
void StartPeak();

}  // namespace trawl
