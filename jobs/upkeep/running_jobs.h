// Jobs that may be under way: gc removes nothing of theirs, however little it is told to keep. One thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "runtime/job/plan.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

// Whether a job that has not reported may still do something: its process lives on this machine; or it ran, or its
// tasks run, elsewhere, and was planned less than a day before `real_ms`, the time of the machine's clock.
bool MayRun(const Plan& plan, TimeMs real_ms);

class RunningJobs {
 public:
  // `entries` are all that lies below the folder of jobs. What a job wrote before they were listed is found to be its
  // own, and what they say of a job that has reported since is named by a snapshot that was published before.
  static arrow::Result<RunningJobs> Read(Store* store, const std::vector<StoreEntry>& entries, TimeMs real_ms);

  // What they read must stay readable.
  const std::set<int64_t>& snapshots() const { return snapshots_; }
  // Whether the file lies in the run, the segment or the folder of one of them, or is half of a manifest.
  bool Own(const StoreEntry& file) const;

 private:
  TimeMs young_ms_ = 0;
  std::set<std::string> planned_;  // jobs with a plan
  std::set<std::string> jobs_;
  std::set<std::string> segments_;
  std::set<int64_t> snapshots_;
};

}  // namespace trawl
