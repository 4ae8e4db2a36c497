// Points in time as text: RFC 3339 in UTC to the millisecond, `2026-03-01T12:00:00.250Z`. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "arrow/result.h"
#include "runtime/process/clock.h"

namespace trawl {

// Takes RFC 3339 section 5.6 with `Z` or a numeric offset, and also `t`, `z` and a space in place of `T` (5.6, notes).
// Digits after the millisecond are cut off; a leap second counts as the second before it. A whole number is
// milliseconds since 1970.
arrow::Result<TimeMs> ParseTimestamp(std::string_view text);

// Prints milliseconds only where they are not zero. Takes years 0 to 9999; other times are printed as the bare number
// of milliseconds.
std::string FormatTimestamp(TimeMs time);

}  // namespace trawl
