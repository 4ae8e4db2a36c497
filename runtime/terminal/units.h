// Sizes and durations as people write them: `64MiB`, `1.5GiB`, `300KB`; `30s`, `250ms`, `1h30m`, `7d`.
//
// A bare number is refused (but for 0): what it counts must be said by a unit or, for options, by the option's name.
// Format… is exact: what it prints parses back to the same number. Readable… rounds, for lines that people look at.
// Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "arrow/result.h"

namespace trawl {

// Bytes. B, KB, MB, GB, TB count in thousands; KiB, MiB, GiB, TiB in 1,024s; case does not matter. A fraction of a byte
// is cut off. Invalid for anything else, for negative numbers and from 2^63 bytes on.
arrow::Result<int64_t> ParseSize(std::string_view text);

// The unit that needs the smallest number and loses nothing: 1610612736 is "1536MiB", 300000 is "300KB". REQUIRES:
// bytes >= 0.
std::string FormatSize(int64_t bytes);

// Milliseconds. d, h, m, s, ms, each at most once and in this order; the number before a unit may have a fraction.
// Invalid for anything else, and where it is no whole number of milliseconds: a delay must not become 0 in silence.
arrow::Result<int64_t> ParseDuration(std::string_view text);

// Exact: 5400000 is "1h30m", 1500 is "1s500ms". REQUIRES: ms >= 0.
std::string FormatDuration(int64_t ms);

// A decimal number without sign or exponent in units of 10^-digits, exactly: ("0.25", 6) is 250000. Invalid where it
// has more decimals than that, or does not fit.
arrow::Result<int64_t> ParseDecimal(std::string_view text, int digits);

// The exact inverse for any sign: (250000, 6) is "0.25".
std::string FormatDecimal(int64_t value, int digits);

// "1.4 GiB", "812 B".
std::string ReadableSize(int64_t bytes);
// "950 ms", "12 s", "3 min 20 s", "2 h 5 min", "3 d 4 h".
std::string ReadableDuration(int64_t ms);
// "1,234,567".
std::string ReadableCount(int64_t count);
// "1 page", "1,234 pages": `noun` in the singular, one that takes an s.
std::string ReadableCount(int64_t count, std::string_view noun);

}  // namespace trawl
