// --metrics_file: the metrics of the crawl that a verb works on, in a file for node_exporter's textfile collector.
//
// The file is replaced as a whole: at the beginning, every 15 seconds, and at the end. It has no metrics of the process:
// node_exporter has metrics of those names itself.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "arrow/result.h"
#include "arrow/status.h"
#include "jobs/metrics/metrics.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

struct MetricsFileOptions {
  std::string file;
  std::string libhdfs;
  MetricsOptions metrics;
};

class MetricsFile {
 public:
  // UsageError where the file lies in the root, or cannot be written. `clock` must outlive it.
  static arrow::Result<std::unique_ptr<MetricsFile>> Start(const MetricsFileOptions& options, const Clock& clock);
  ~MetricsFile();
  MetricsFile(const MetricsFile&) = delete;
  MetricsFile& operator=(const MetricsFile&) = delete;

  // Writes the file for the last time; fails where the last time that it was written failed.
  arrow::Status Finish();

 private:
  MetricsFile(const MetricsFileOptions& options, const Clock& clock) : options_(options), clock_(clock) {}
  void Run();
  arrow::Status Write(bool is_last);
  std::string Text(bool is_last);

  const MetricsFileOptions options_;
  const Clock& clock_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<LiveReader> live_;
  std::unique_ptr<CrawlMetrics> metrics_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace trawl
