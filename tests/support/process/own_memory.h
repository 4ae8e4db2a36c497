// The memory of the test's own process, as the kernel counts it.
#pragma once

#include <cstdint>

#include "tests/support/process/sanitized.h"

namespace trawl {

// Whether the figures mean anything: a sanitizer's shadow memory counts, too.
constexpr bool kMemoryIsMeasured = !kSanitized;

// The memory that is resident now.
int64_t ResidentBytes();
// The largest resident memory since the last StartPeak.
int64_t PeakResidentBytes();
void StartPeak();

}  // namespace trawl
