// The door of jobs/report: a report of a crawl's rounds as a value, and as one HTML file without scripts and requests.
//
// The value is made of round documents (jobs/stats/round.h) and of counts of one snapshot; nothing is told that they do not
// say. The same snapshot and the same "now" give the same bytes. Any thread.
#pragma once

#include <cstdint>
#include <string>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"
#include "runtime/root/snapshot.h"
#include "runtime/store/store.h"

namespace trawl {

// All that it refers to must outlive it.
struct ReportSource {
  Store* store = nullptr;
  const Snapshot& snapshot;
  std::string crawl;    // its name
  std::string segment;  // the round that is told in full; empty: the newest one
  int64_t last = 20;    // rounds up to that one, for what is compared
  TimeMs now_ms = 0;
  int threads = 1;  // that may count tables
  StopToken stop;
};

// {"crawl", "snapshot", "published", "now", "round": the document of the round or null, "rounds": the numbers of the last
// ones (rounds.h), "present": counts of the snapshot (present.h), "dashboard": DashboardNumbers of the newest round}.
// UsageError where no round of that segment was applied.
arrow::Result<Json> MakeReport(const ReportSource& source);

// The page. Everything that was crawled is text in it.
std::string ReportHtml(const Json& report);

}  // namespace trawl
