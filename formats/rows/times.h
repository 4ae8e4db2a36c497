// Times and durations in rows: int64 milliseconds, times since 1970 in UTC.
#pragma once

#include <cstdint>

namespace trawl {

using TimeMs = int64_t;

// A time that never comes.
inline constexpr TimeMs kNever = INT64_MAX;

inline constexpr int64_t kSecondMs = 1'000;
inline constexpr int64_t kMinuteMs = 60 * kSecondMs;
inline constexpr int64_t kHourMs = 60 * kMinuteMs;
inline constexpr int64_t kDayMs = 24 * kHourMs;

}  // namespace trawl
