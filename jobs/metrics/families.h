// The metrics of a crawl, made of values. docs/metrics.md lists them in this order. Pure; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "formats/metrics/exposition.h"
#include "jobs/live/live.h"
#include "jobs/metrics/counts.h"
#include "jobs/sums/ever.h"

namespace trawl {

// What is not known stays empty, and its metrics are missing.
struct MetricsInput {
  std::string crawl;
  TimeMs now_ms = 0;
  const Manifest* manifest = nullptr;
  const LiveCrawl* live = nullptr;
  const EverSums* ever = nullptr;
  const Json* round = nullptr;  // the newest round's document
  const MetricCounts* counts = nullptr;
  std::map<std::pair<std::string, std::string>, int64_t> jobs = {};  // by verb and result
  double filter_rate = 0;
  std::optional<int64_t> free_bytes = {};
};

std::vector<MetricFamily> CrawlFamilies(const MetricsInput& input);

// Totals of the manifest, with the parts of open segments: pages, bytes, wire bytes.
std::vector<MetricFamily> FetchedFamilies(const MetricsInput& input);
// Counters by outcome and code, the times of answers, duplicates.
std::vector<MetricFamily> RequestFamilies(const MetricsInput& input);

// trawl_build_info: the version and the commit that this program was made of.
MetricFamily BuildFamily();

// The share of their time that tasks of a round's fetch were at work, as trawl crawl counts it; nothing where it is not
// known.
std::optional<double> UtilisationOf(const Json& round);
std::optional<double> UtilisationOf(const LiveCrawl& live);

}  // namespace trawl
