// The door of runtime/terminal: sizes and durations as people write them: `64MiB`, `1.5GiB`, `300KB`; `30s`, `250ms`,
// `1h30m`, `7d`.
//
// A bare number (but 0) is refused: a unit or, for options, the option's name must say what it counts. Format… is
// exact: its text parses back to the same number. Readable… rounds, for lines that people look at. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "arrow/result.h"

namespace trawl {

// Returns bytes. B, KB, MB, GB, TB count in thousands; KiB, MiB, GiB, TiB in 1,024s; case does not matter. A fraction
// of a byte is cut off. Invalid for anything else, for negative numbers and from 2^63 bytes on.
arrow::Result<int64_t> ParseSize(std::string_view text);

// Uses the unit that gives the smallest exact number: 1610612736 is "1536MiB", 300000 is "300KB". REQUIRES: bytes >= 0.
std::string FormatSize(int64_t bytes);

// Returns milliseconds. d, h, m, s, ms, each at most once and in this order; the number before a unit may have a
// fraction. Invalid for anything else, and for a fraction of a millisecond: a delay must not silently become 0.
arrow::Result<int64_t> ParseDuration(std::string_view text);

// Exact: 5400000 is "1h30m", 1500 is "1s500ms". REQUIRES: ms >= 0.
std::string FormatDuration(int64_t ms);

// Reads a decimal number without sign or exponent as an exact number of units of 10^-digits: ("0.25", 6) is 250000.
// Invalid where it has more decimals than that, or does not fit.
arrow::Result<int64_t> ParseDecimal(std::string_view text, int digits);

// The exact inverse, for numbers of any sign: (250000, 6) is "0.25".
std::string FormatDecimal(int64_t value, int digits);

// "1.4 GiB", "812 B".
std::string ReadableSize(int64_t bytes);
// "950 ms", "12 s", "3 min 20 s", "2 h 5 min", "3 d 4 h".
std::string ReadableDuration(int64_t ms);
// "1,234,567".
std::string ReadableCount(int64_t count);
// "1 page", "1,234 pages": `noun` is in the singular and takes an s in the plural.
std::string ReadableCount(int64_t count, std::string_view noun);

}  // namespace trawl
