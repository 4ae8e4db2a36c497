// The lists of jobs, shared by all who ask: what was read less than a second ago is given again, and while one reads, others that
// want the same list wait for it. A list takes a document or more per job, and for a job on a cluster an answer of YARN. Any
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "jobs/views/views.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"

namespace trawl {

class JobLists {
 public:
  static constexpr int64_t kFreshMs = 1'000;

  // `clock` must outlive it.
  explicit JobLists(const Clock& clock) : clock_(clock) {}

  // The newest `limit` jobs of the snapshot, the newest first.
  arrow::Result<std::shared_ptr<const Json>> Read(const View& view, int64_t limit, const StopToken& stop);
  // A write has changed something: what was read before is given no more.
  void Forget();

 private:
  struct List {
    std::timed_mutex reading;  // guards what follows
    std::shared_ptr<const Json> jobs;
    int64_t snapshot = -1;
    int64_t writes = 0;
    int64_t read_ms = 0;
  };
  std::shared_ptr<List> OfLimit(int64_t limit);

  const Clock& clock_;
  std::mutex mutex_;  // guards what follows
  std::map<int64_t, std::shared_ptr<List>> lists_;
  int64_t writes_ = 0;
};

}  // namespace trawl
