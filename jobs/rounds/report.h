// The report of trawl crawl at its end: a summary for people, and an object for programs and for report.json.
#pragma once

#include <cstdint>
#include <string>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "jobs/rounds/loop.h"
#include "runtime/process/stop.h"

namespace trawl {

// The end of a crawl's loop. All that it refers to must outlive it.
struct CrawlEnd {
  Store* store = nullptr;
  const Manifest& present;
  const CrawlTotals& totals;
  double seconds = 0;  // that the loop took
  TimeMs now_ms = 0;
  int threads = 1;  // that may count URLs
};

// Reads the urls table once, to count it.
arrow::Result<Json> CrawlReport(const CrawlEnd& end, const StopToken& stop);

std::string ReadableCrawlReport(const Json& report);

}  // namespace trawl
