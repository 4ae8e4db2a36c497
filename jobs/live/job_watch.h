// The jobs that have a plan and no report: those that run, as far as anybody can tell. One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/manifest.h"
#include "jobs/live/live.h"
#include "runtime/job/plan.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

class JobWatch {
 public:
  // Looks for new jobs, which lists one folder, and at those that ran the last time. Of a crawl's many old jobs it reads
  // the newest kFirst only.
  arrow::Status Update(Store* store, const Clock& clock, const StopToken& stop);
  static constexpr size_t kFirst = 200;

  // The newest last. `active` are the jobs of which an attempt was seen at work.
  std::vector<LiveJob> Running(const Manifest& manifest, const std::set<std::string>& active, TimeMs now_ms) const;
  // The machine's time is that of the job's entries plus this; 0 where its plan is gone.
  int64_t OffsetOf(Store* store, const std::string& job);
  // Plans that cannot be read, by their job: what is wrong, which begins with the path.
  const std::map<std::string, std::string>& faults() const { return faults_; }

 private:
  struct Watched {
    Plan plan;
    bool is_on_cluster = false;
    Json numbers;  // of its live file
    TimeMs numbers_ms = 0;
    int looks = 0;  // without a plan
  };

  arrow::Status FindNew(Store* store, const Clock& clock);
  // False where the job is over.
  arrow::Result<bool> Look(Store* store, const std::string& id, Watched* job);

  std::set<std::string> known_;  // jobs that need no look any more
  std::map<std::string, Watched> watched_;
  std::map<std::string, int64_t> offsets_;
  std::map<std::string, std::string> faults_;
  int64_t list_again_ms_ = INT64_MIN;  // by the monotonic clock
};

}  // namespace trawl
