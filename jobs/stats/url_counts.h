// Counts the URLs of the crawl by state, and its hosts, by reading the table.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_set>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/rows/directives.h"
#include "formats/rows/url_row.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"
#include "runtime/tables/table.h"

namespace trawl {

struct UrlCounts {
  int64_t urls = 0;
  int64_t hosts = 0;
  int64_t due = 0;
  int64_t frontier_hosts = 0;    // with a URL that was never fetched
  int64_t frontier_domains = 0;  // registrable domains of these hosts
  int64_t bodies = 0;            // rows that name a stored body
  int64_t next_due_ms = kNever;  // when the first URL that is not due now will be
  std::array<int64_t, 128> by_state{};
  std::array<int64_t, 128> by_kind{};
  std::array<int64_t, std::size(kSignalNames)> by_signal{};

  int64_t OfState(UrlState state) const { return by_state[static_cast<size_t>(state)]; }
  void Add(UrlCounts&& other);

  // Hashes of the frontier's domains: those of a domain may lie in several slots.
  std::unordered_set<uint64_t> domains;
};

// Counts the rows of the urls table on several threads.
arrow::Result<UrlCounts> CountUrls(const std::shared_ptr<const Table>& urls, TimeMs now_ms, int threads,
                                   const StopToken& stop);

// {"unfetched": 3, …}, without the states that have no URL.
Json StatesJson(const UrlCounts& counts);
Json KindsJson(const UrlCounts& counts);
// {"noarchive": 3, …}: a page counts for each of its signals.
Json SignalsJson(const UrlCounts& counts);

// The Bloom filters of a table's files, and how often they let a key through that no row has: measured, not computed.
struct FilterMeasure {
  int64_t files = 0;
  int64_t bytes = 0;
  int64_t probes = 0;
  int64_t false_positives = 0;
};
arrow::Result<FilterMeasure> MeasureFilters(const Table& table);
// The same of at most 64 files, the newest: a job must not open every file of a large table.
arrow::Result<FilterMeasure> MeasureSomeFilters(const Table& table);
// {"files", "bytes", "false_positive_rate"}; no rate where no file has a filter.
Json ToJson(const FilterMeasure& measure);

}  // namespace trawl
