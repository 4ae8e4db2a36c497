// The door of jobs/metrics: the numbers of a crawl for Prometheus and for dashboards. docs/metrics.md lists them.
//
// Nothing here is counted while somebody waits: numbers come from the manifest, from the newest round document, from what
// runs now (jobs/live), and from counts of tables that a thread makes once per snapshot. A server keeps one CrawlMetrics
// per crawl. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "formats/metrics/exposition.h"
#include "jobs/live/live.h"
#include "jobs/metrics/served.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"
#include "runtime/root/snapshot.h"
#include "runtime/store/store.h"

namespace trawl {

struct MetricsOptions {
  std::string crawl;       // the value of the label "crawl"
  std::string root;        // --root; of a local one the free space of its disk is told
  int threads = 1;         // that may count tables
  double filter_rate = 0;  // --job.bloom_false_positives; 0: not known
};
// The last part of a root's path, without what could be a secret: "crawl" of s3://key:secret@bucket/crawl?….
std::string NameOfRoot(const std::string& root);

class CrawlMetrics {
 public:
  // `store`, `clock` and `live` must outlive it.
  CrawlMetrics(Store* store, const Clock& clock, LiveReader* live, MetricsOptions options);
  // Ends the thread that counts.
  ~CrawlMetrics();
  CrawlMetrics(const CrawlMetrics&) = delete;
  CrawlMetrics& operator=(const CrawlMetrics&) = delete;

  // The families of the crawl. Those that need counts tell of the last snapshot that was counted; before the first count
  // they are missing.
  arrow::Result<std::vector<MetricFamily>> Families(const Manifest& present, const StopToken& stop);
  // The 13 values of a dashboard (DashboardNumbers), as of now.
  arrow::Result<Json> Dashboard(const Manifest& present, const StopToken& stop);
  // Waits until the tables of that snapshot, or of a newer one, are counted, `most_ms` at most. False where they are not.
  bool WaitForCounts(const Manifest& present, int64_t most_ms);
  // The value of the label "crawl".
  const std::string& name() const;

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

struct MetricsSource {
  CrawlMetrics& crawl;
  const arrow::Result<Snapshot>& present;  // where it failed, trawl_ready is 0 and the crawl's numbers are missing
  const ServedRequests* served = nullptr;  // of trawl serve
};

// trawl_ready: whether the crawl's present could be read.
MetricFamily ReadyFamily(const std::string& crawl, bool is_ready);

// The answer of /metrics: the crawl, what was served, this process.
std::string MetricsText(const MetricsSource& source, MetricsFormat format, const StopToken& stop);

// The history of a crawl for promtool's backfill, in OpenMetrics: a sample per round, with the time at which it was
// applied. Reads the documents of the newest `rounds` rounds (0: of all).
arrow::Result<std::string> MetricsHistory(Store* store, const Manifest& manifest, const std::string& crawl,
                                          size_t rounds, const StopToken& stop);

}  // namespace trawl
