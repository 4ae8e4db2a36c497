// What a row of patterns says of its pages, as generate and trawl settle read it. Pure; any thread.
#pragma once

#include <cstdint>

#include "formats/rows/settle_rows.h"

namespace trawl {

// The pages after which a pattern is judged by itself (jobs/yields/yield.h), and after which it may be doubted.
inline constexpr int64_t kJudgedPages = 20;
inline constexpr int64_t kDoubtedPages = 8;
// With as many it is known what the first good ones have led to.
inline constexpr int64_t kGrownPages = 40;
// Texts of a pattern with that spread (tenths of bits) at most are about the same text.
inline constexpr int32_t kAlikeSpread = 80;

inline int64_t WorthlessOf(const PatternRow& row) { return row.duplicates + row.near_duplicates + row.soft_errors; }

inline bool IsJudged(const PatternRow& row) { return row.budget >= 0 || row.fetched >= kJudgedPages * 1000; }

inline bool SaysAboutTheSame(const PatternRow& row) { return row.spread > 0 && row.spread <= kAlikeSpread; }

// Whether one in three of its pages or more is nearly another or like others of it, or more than half are worthless, or
// all say about the same: it may be a trap of which too little is known.
inline bool IsDoubtful(const PatternRow& row) {
  if (row.fetched < kDoubtedPages * 1000) return false;
  return SaysAboutTheSame(row) || (row.near_duplicates + row.likes) * 3 >= row.fetched ||
         (WorthlessOf(row) + row.likes) * 2 > row.fetched;
}

// Whether it may still be a trap, though nothing says so.
inline bool IsYoung(const PatternRow& row) { return row.fetched_ever > 0 && row.fetched_ever < kGrownPages; }

}  // namespace trawl
