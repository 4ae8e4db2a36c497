// What trawl settle decided of a page, as its row has it, for whoever changes the row. Pure; any thread.
#pragma once

#include "formats/rows/url_row.h"
#include "jobs/policy/settle_options.h"

namespace trawl {

// The page stands for itself again, until the next settle. Its fingerprint and the place of its body stay. Replaces no state.
inline void Unsettle(UrlRow* row) {
  row->duplicate_of.clear();
  row->near_duplicate_of.clear();
  row->distance = 0;
}

// The state of a page that answers again with the content by which it was settled.
inline UrlState SettledState(const UrlRow& row, NearPolicy near_policy) {
  const bool is_duplicate =
      !row.duplicate_of.empty() || (!row.near_duplicate_of.empty() && near_policy == NearPolicy::kDuplicate);
  return is_duplicate ? UrlState::kDuplicate : UrlState::kFetched;
}

}  // namespace trawl
