// What a settlement does to a row of urls. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/settle_rows.h"
#include "formats/rows/url_row.h"
#include "jobs/policy/settle_options.h"

namespace trawl {

// The verdicts on one page, together.
struct Settlement {
  bool is_exact = false;  // somebody decided of exact likeness
  std::string duplicate_of;
  bool is_near = false;  // the same of near likeness
  std::string near_duplicate_of;
  int32_t distance = 0;
  // Every pointer that no verdict confirms goes.
  bool clears = false;
  // The place of the body of the page that stands for it; empty: it keeps its own.
  std::string body_segment, body_file;
  int64_t body_row = 0;

  void Clear() { *this = Settlement(); }
  void Add(const VerdictRow& verdict);
};

// Puts pointers, state and due time right; not the place of the body. Rules:
//  1. A page that takes part in settling has one pointer at most: a near one before one to an equal page, for that one is
//     near, too; else nobody could say which page counts. Where near ones are only marked, a duplicate has no near pointer.
//  2. A page that takes no part has none, and is no duplicate.
//  3. A page with a pointer to an equal page is a duplicate; with a near one, where settle.near is `duplicate`. A page that
//     fails keeps its state.
//  4. A duplicate is looked at again after twice its interval, from the time when it becomes one; what the operator has
//     set stays.
void ApplySettlement(const Settlement& settlement, NearPolicy near_policy, UrlRow* row);

}  // namespace trawl
