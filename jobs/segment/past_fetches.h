// The fetches of one URL in the segments that a snapshot names, newest first, as far as they are still stored. Any
// thread.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "formats/rows/fetch_row.h"
#include "runtime/store/store.h"

namespace trawl {

struct PastFetch {
  std::string segment;
  bool is_applied = false;  // updatedb has taken it into the tables
  FetchRow row;             // without headers
};

// A segment tells which of its lists had the URL's domain, so only the files of that list are read. A URL of a list
// that the fetch did not reach is a row with the outcome not_reached and the time at which that fetch began. Looks into
// no more than `most_segments` segments, and ends once it has `most_fetches`.
arrow::Result<std::vector<PastFetch>> ReadFetchHistory(Store* store, const Manifest& snapshot, const std::string& key,
                                                       size_t most_segments, size_t most_fetches);

}  // namespace trawl
