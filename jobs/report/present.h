// What a report counts in the tables of one snapshot: each is read once, by several threads, and memory does not grow with
// the rows. Any thread.
#pragma once

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"
#include "runtime/root/snapshot.h"
#include "runtime/store/store.h"

namespace trawl {

inline constexpr int kDueHours = 7 * 24;

// {"urls", "states", "due", "next_due_ms" (null: never), "due_by_hour": {"from_ms", "counts": of 168 hours, "later"}, "ages":
// pages by the time since they were fetched, [{"le" (ms, null: more), "count"}], "frontier": {"urls", "hosts", "domains"},
// "hosts": {"count", "holds", "pages": [[pages, hosts], …]}, "storage": {"tables", "segments"}, "filters", "duplicates"}.
// URLs that are due now are none of the hours'.
arrow::Result<Json> CountPresent(Store* store, const Manifest& manifest, TimeMs now_ms, int threads,
                                 const StopToken& stop);

}  // namespace trawl
