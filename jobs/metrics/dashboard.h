// The 13 values of a crawler's dashboard, under the names that dashboards know. Pure; any thread.
//
// /metrics, the API and the report all take them from here, so they cannot disagree.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "jobs/live/live.h"

namespace trawl {

// What is not known stays empty, and its value is null.
struct DashboardSource {
  // Documents of the rounds that are told about (jobs/stats/round.h): the newest one, or those of one trawl crawl.
  std::vector<const Json*> rounds;
  const Manifest* manifest = nullptr;
  const LiveCrawl* live = nullptr;          // of now; for an older snapshot null
  std::optional<int64_t> frontier_domains;  // UrlCounts
  std::optional<int64_t> segment_bytes;     // StoredBytes
  std::optional<int64_t> filter_bytes;      // FilterMeasure
};

// {"pagesPerSecond", "bytesPerSecond", "frontierSize", "uniqueDomainsInFrontier", "successRate", "errorsByType",
// "averageResponseTime" (ms), "activeWorkers", "workerUtilization", "totalPagesStored", "storageUsedGB" (10^9 bytes),
// "bloomFilterSize" (bytes), "duplicateRate"}. The two rates are those of the running fetch, where there is one, else those
// of the rounds.
Json DashboardNumbers(const DashboardSource& source);

}  // namespace trawl
