// Jobs that may still be running. gc removes none of their files, however little it is told to keep. One thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "runtime/job/plan.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

// Whether a job that has not reported may still do something: its process lives on this machine; or the job or its
// tasks run elsewhere and it was planned less than a day before `real_ms`, the time of the machine's clock.
bool MayRun(const Plan& plan, TimeMs real_ms);

class RunningJobs {
 public:
  // `entries` are all files below the folder of jobs. Files written before this listing are attributed to their job. A
  // job that has reported since then published first, so its files are named by a snapshot.
  static arrow::Result<RunningJobs> Read(Store* store, const std::vector<StoreEntry>& entries, TimeMs real_ms);

  // The snapshots that these jobs read. They must stay readable.
  const std::set<int64_t>& snapshots() const { return snapshots_; }
  // Jobs of that listing that are over: they have a report.
  const std::set<std::string>& reported() const { return reported_; }
  // Whether the file lies in the run, the segment or the folder of one of these jobs, or is an unfinished manifest.
  bool Own(const StoreEntry& file) const;
  // Whether the file lies in a segment whose bodies one of these jobs reads (trawl archive).
  bool Read(const StoreEntry& file) const;

 private:
  TimeMs young_ms_ = 0;
  std::set<std::string> planned_;  // jobs with a plan
  std::set<std::string> reported_;
  std::set<std::string> jobs_;
  std::set<std::string> segments_;
  std::set<std::string> read_segments_;
  std::set<int64_t> snapshots_;
};

}  // namespace trawl
