// The fetches of one URL in the segments that a snapshot knows, newest first: as far as they are still stored. Any
// thread.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/fetch_row.h"
#include "formats/manifest.h"
#include "runtime/store.h"

namespace trawl {

struct PastFetch {
  std::string segment;
  FetchRow row;  // without headers
};

// A segment tells which of its lists had the URL's domain, so of each only that list's files are read. Looks into up to
// `most_segments`, and ends with `most_fetches`.
arrow::Result<std::vector<PastFetch>> ReadFetchHistory(Store* store, const Manifest& snapshot, const std::string& key,
                                                       size_t most_segments, size_t most_fetches);

}  // namespace trawl
