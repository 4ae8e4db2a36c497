// The rows of urls that changed since the last settle, each with the row before. One thread.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/manifest.h"
#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "formats/url/slot_range.h"
#include "runtime/job/task.h"

namespace trawl {

// The runs of urls that settle has seen, and those after them.
struct SettledRuns {
  std::vector<RunReference> settled, news;
};
SettledRuns SettledRunsOf(const Manifest& snapshot);

struct ChangedUrl {
  const UrlRow& now;  // `removed`: it went
  bool was_known = false;
  // The row before, where it may have taken part (representative.h); else null.
  const UrlRow* before = nullptr;
};

// The columns that rows have here: what the order, the verdicts and the yields need.
inline constexpr auto kSettledColumns = Columns<UrlRow>(
    {"key",         "removed",      "kind",   "state",         "status",         "truncated",         "discovered_ms",
     "via",         "fetched_ms",   "bytes",  "body_digest",   "content_digest", "body_segment",      "body_file",
     "body_row",    "canonical_to", "parser", "parse_segment", "duplicate_of",   "near_duplicate_of", "simhash",
     "shares_body", "text_sketch"});

arrow::Status ForEachChangedUrl(const TaskContext& context, const SettledRuns& runs, const SlotRange& slots,
                                const std::function<arrow::Status(const ChangedUrl& url)>& visit);

}  // namespace trawl
