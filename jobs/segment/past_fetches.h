// The fetches of one URL in the segments that a snapshot names, newest first, as far as they are still stored. Any
// thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "formats/documents/step_record.h"
#include "formats/rows/fetch_row.h"
#include "runtime/store/store.h"

namespace trawl {

struct PastFetch {
  std::string segment;
  bool is_applied = false;  // updatedb has taken it into the tables
  FetchRow row;             // without headers
  FileReceipt file;         // where the row lies in the fetch dataset; no name where it was not reached
  int64_t number = 0;
};

// A segment tells which of its lists had the URL's domain, so only the files of that list are read. A URL of a list
// that the fetch did not reach is a row with the outcome not_reached and the time at which that fetch began. Looks into
// no more than `most_segments` segments, and ends once it has `most_fetches`.
arrow::Result<std::vector<PastFetch>> ReadFetchHistory(Store* store, const Manifest& snapshot, const std::string& key,
                                                       size_t most_segments, size_t most_fetches);

// The last fetches of pages of a host for which it was asked, newest first. `host_part` is that of the keys.
arrow::Result<std::vector<PastFetch>> ReadHostFetches(Store* store, const Manifest& snapshot,
                                                      const std::string& host_part, size_t most_segments,
                                                      size_t most_fetches);

// The fetch of the URL that ended at that time; nothing where it is not stored any more. Looks into the segments in the
// order in which they are likely to have it.
arrow::Result<std::optional<PastFetch>> FindFetchAt(Store* store, const Manifest& snapshot, const std::string& key,
                                                    int64_t fetched_ms, size_t most_segments);

// The fetch whose body lies in that row of a file of content; nothing where the fetch rows are gone.
arrow::Result<std::optional<PastFetch>> FindFetchOfBody(Store* store, const Manifest& snapshot,
                                                        const StepRecord& fetched, const std::string& content_file,
                                                        int64_t content_row);

// The whole row, with headers.
arrow::Result<FetchRow> ReadWholeFetch(Store* store, const PastFetch& fetch);

}  // namespace trawl
