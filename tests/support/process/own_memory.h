// The memory of the test's own process, as the kernel counts it.
#pragma once

#include <cstdint>

#include "tests/support/process/sanitized.h"

namespace trawl {

// Whether the figures mean anything: a sanitizer's shadow is memory, too.
constexpr bool kMemoryIsMeasured = !kSanitized;

// Resident now.
int64_t ResidentBytes();
// The most that was resident since the last StartPeak.
int64_t PeakResidentBytes();
void StartPeak();

}  // namespace trawl
