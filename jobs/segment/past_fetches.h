// The fetches of one URL in the segments that a snapshot knows, newest first: as far as they are still stored. Any
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

// A segment tells which of its lists had the URL's domain, so of each only that list's files are read. A URL of a list
// that the fetch did not come to is a row with the outcome not_reached, at the time at which that fetch was begun.
// Looks into up to `most_segments`, and ends with `most_fetches`.
arrow::Result<std::vector<PastFetch>> ReadFetchHistory(Store* store, const Manifest& snapshot, const std::string& key,
                                                       size_t most_segments, size_t most_fetches);

}  // namespace trawl
