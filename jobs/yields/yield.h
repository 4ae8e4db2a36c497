// The door of jobs/yields: what the pages of one pattern (formats/url/pattern.h) yield, and how many of them a round may take.
// Pure; any thread.
//
// A fetched page yields if its content stands for itself: new, changed or as before. It yields nothing if another page has
// the same content, or nearly the same, or if it is what the host answers to a path that cannot exist. A new page whose
// text is like others of the pattern (likeness.h) yields little: menus and dates that follow the URL. So a page that is
// asked for again and has not changed is no waste, and an archive that is done needs no new pages to stay as it is.
// New links are counted and shown, but they save no pattern: the pages of a trap bring more of them than any others.
// Pages that list others have texts of their own, so they yield.
//
//  1. Counts are of the latest pages: before new ones are added, older ones are scaled down to kMemory pages.
//  2. Pages yield little if fewer than one in kOneOf yields; or if most of those that yield are like others, and fewer than
//     one in kOneOfLikes yields and is not.
//  3. A pattern of which at least kJudgedPages count, and which yields little, gets a budget: half of the pages that were
//     fetched of it since the last settle, at most kFirstBudget. So does one of which as many were fetched since the last
//     settle, and these yield little: what it was good for may be all fetched.
//  4. Each settle that has pages of it, which yield little, halves the budget, down to 1: one page per round is a probe.
//  5. If they yield more, the budget is doubled. Over kLastBudget it ends, and the pattern is judged by what came since:
//     its counts begin with these pages.
#pragma once

#include <cstdint>

#include "formats/rows/settle_rows.h"
#include "jobs/select/pattern_worth.h"

namespace trawl {

inline constexpr int64_t kOneOf = 5;
inline constexpr int64_t kOneOfLikes = 3;
// A pattern that turns bad is seen after some 160 pages, however many good ones it had.
inline constexpr int64_t kMemory = 40;
inline constexpr int32_t kFirstBudget = 8;
inline constexpr int32_t kLastBudget = 32;

// What a page of a pattern is; the first that holds, in this order.
enum class PageWorth : int8_t { kSoftError, kDuplicate, kNear, kLike, kFresh, kAsBefore };

// Pages that were fetched since the last settle, each counted under one kind, and the URLs that entered by their links.
struct YieldNews {
  int64_t fetched = 0;
  int64_t fresh = 0;
  int64_t likes = 0;  // of the fresh ones
  int64_t duplicates = 0;
  int64_t near_duplicates = 0;
  int64_t soft_errors = 0;
  int64_t links = 0;
  int64_t latest_ms = 0;  // when the latest was fetched

  void Add(PageWorth worth, int64_t fetched_ms);
  void Add(const YieldNews& other);
  bool operator==(const YieldNews&) const = default;
};

// The row of the pattern from now on.
void AddYield(const YieldNews& news, PatternRow* row);

// Whether it has been judged, and yields too little.
bool YieldsLittle(const PatternRow& row);

}  // namespace trawl
