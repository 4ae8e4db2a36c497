// Numbers of a crawl that only a scan can tell, made on a thread of its own: once per snapshot, and again now and then,
// because what is due depends on the time. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "jobs/stats/holds.h"
#include "jobs/stats/url_counts.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

struct MetricCounts {
  int64_t snapshot = 0;
  TimeMs counted_ms = 0;
  int64_t took_ms = 0;
  UrlCounts urls;
  HostHolds holds;
  int64_t robots_unreachable = 0;  // hosts whose last request for robots.txt failed
  FilterMeasure filters;           // of the table urls
  int64_t segment_bytes = 0;
};

arrow::Result<MetricCounts> CountForMetrics(Store* store, const Manifest& manifest, TimeMs now_ms, int threads,
                                            const StopToken& stop);

// How the jobs of a crawl ended, by verb and result: "done", "done_again" (another job overtook it), "stopped", "failed".
// Reports never change, so each is read once; a job that gc has forgotten still counts.
class JobResults {
 public:
  // At most kMostNew reports; false where there are more. One thread at a time.
  arrow::Result<bool> Update(Store* store, const StopToken& stop);
  static constexpr int kMostNew = 1'000;

  std::map<std::pair<std::string, std::string>, int64_t> Results() const;

 private:
  std::set<std::string> known_;
  std::map<std::pair<std::string, std::string>, int64_t> done_;
  // Jobs that ended without a report. The same command may still take them up.
  std::map<std::string, std::pair<std::string, std::string>> ended_;
};

// Counts on its thread, and keeps what it counted last.
class CountKeeper {
 public:
  // Both must outlive it.
  CountKeeper(Store* store, const Clock& clock, int threads);
  // Stops the thread.
  ~CountKeeper();
  CountKeeper(const CountKeeper&) = delete;
  CountKeeper& operator=(const CountKeeper&) = delete;

  // What is known, null where nothing is. Has the thread count that snapshot if it is new, or the counts are old.
  std::shared_ptr<const MetricCounts> Get(const Manifest& present);
  std::map<std::pair<std::string, std::string>, int64_t> Jobs();
  // Waits until that snapshot, or a newer one, is counted, and what had ended of its jobs; `most_ms` at most. False where
  // that is not so, or counting failed.
  bool Wait(const Manifest& present, int64_t most_ms);

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

}  // namespace trawl
