// What a row of patterns says of its pages, as generate and trawl settle read it. Pure; any thread.
#pragma once

#include <cstdint>

#include "formats/rows/settle_rows.h"

namespace trawl {

// The pages after which a pattern is judged by itself (jobs/yields/yield.h), and after which it may be doubted.
inline constexpr int64_t kJudgedPages = 20;
inline constexpr int64_t kDoubtedPages = 8;
// Texts of a pattern with that spread (tenths of bits) at most are about the same text.
inline constexpr int32_t kAlikeSpread = 80;

inline int64_t WorthlessOf(const PatternRow& row) { return row.duplicates + row.near_duplicates + row.soft_errors; }

inline bool IsJudged(const PatternRow& row) { return row.budget >= 0 || row.fetched >= kJudgedPages * 1000; }

// Whether one in three of its pages or more is nearly another or like others of it, or more than half are worthless: it
// may be a trap of which too little is known.
inline bool IsDoubtful(const PatternRow& row) {
  if (row.fetched < kDoubtedPages * 1000) return false;
  return (row.near_duplicates + row.likes) * 3 >= row.fetched || (WorthlessOf(row) + row.likes) * 2 > row.fetched;
}

}  // namespace trawl
