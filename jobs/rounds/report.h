// What trawl crawl says at its end: the summary that a person reads, and the object that programs and report.json have.
#pragma once

#include <cstdint>
#include <string>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "jobs/rounds/loop.h"
#include "runtime/process/stop.h"

namespace trawl {

// `seconds` is how long the loop took. Reads the urls table once, to count it.
arrow::Result<Json> CrawlReport(Store* store, const Manifest& present, const CrawlTotals& totals, double seconds,
                                TimeMs now_ms, int threads, const StopToken& stop);

std::string ReadableCrawlReport(const Json& report);

}  // namespace trawl
