// Finds the pages whose stored bodies are to be read again: those that an older parser, or this one under other rules of
// links, read last (jobs/policy/read_policy.h). Any thread.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/policy/read_policy.h"
#include "runtime/options/options.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"
#include "runtime/tables/merge_scan.h"

namespace trawl {

struct ReadChoice {
  ReadPolicy policy;
  bool all = false;              // every stored body, however it was read
  std::optional<KeyRange> keys;  // only these; within one slot
  std::string until;             // no key after this one, by the order of the table; empty: to the end

  // REQUIRES: the row has the columns of kToReadColumns.
  bool Takes(const UrlRow& row) const;
  bool IsAfterEnd(std::string_view key) const;
  // All rows that may be taken.
  ScanOptions Scan(const std::vector<bool>& wanted) const;
};

// For plans.
Json ToJson(const ReadChoice& choice);
arrow::Result<ReadChoice> ReadChoiceFromJson(const Json& json);

inline constexpr auto kToReadColumns =
    Columns<UrlRow>({"key", "state", "outcome", "depth", "body_segment", "body_file", "parser", "read_policy"});

struct ToRead {
  int64_t pages = 0;   // to be read now: the first ones in the order of the table
  int64_t left = 0;    // those after them
  int64_t gone = 0;    // whose body gc has removed
  bool is_all = true;  // false: the scan ended with the last page to be read now, so `left` is not known
  std::string last;    // key of the last page to be read now
};

// The first `most` pages. `counts_left`: goes on to the end of the table. Reads narrow columns alone, and lists the
// folders of the segments that have bodies to read.
arrow::Result<ToRead> FindToRead(Store* store, const Manifest& snapshot, const ReadChoice& choice, int64_t most,
                                 bool counts_left, const StopToken& stop);

// The rules of URLs (urls.*) that the settings of a snapshot give.
OptionTexts RulesOfSettings(const Manifest& snapshot);
// How many stored pages are to be read again under the settings of the snapshot.
arrow::Result<int64_t> CountToRead(Store* store, const Manifest& snapshot, const StopToken& stop);

}  // namespace trawl
