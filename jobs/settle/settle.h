// The door of jobs/settle: finds the pages that are equal or nearly equal to others, and says in their rows which page
// stands for them. For the verb, for the loop of a crawl, and for tests that let its store fail.
//
// It runs three jobs: exact_job.h, near_job.h and verdicts_job.h. The third one publishes the output of all at once; what the
// first two tell the third is no part of any snapshot, and is removed in the end. What changed since the last settle
// decides the cost: runs of urls that settle has seen are marked (RunReference::is_settled). Where another job publishes
// meanwhile, it is done again on the new snapshot.
//
// Order of segments, cut of tasks, runner and threads do not change a row that is exactly equal to others. Near ones are decided against
// those that stand for others by then; SettleWish::all decides all of them anew, in one total order.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "jobs/policy/settle_options.h"
#include "runtime/job/job.h"
#include "runtime/options/options.h"
#include "runtime/store/store.h"

namespace trawl {

struct SettleWish {
  bool all = false;  // decide everything anew
};

struct Settled {
  std::string job;  // empty where nothing had changed
  bool changed = false;
  int64_t snapshot = 0;
  double seconds = 0;
  bool all = false;     // all was decided anew: wished, or the options of near ones changed
  int64_t pages = 0;    // that came, changed or went
  int64_t exact = 0;    // rows that have another pointer than before, to an equal page
  int64_t near = 0;     // the same to a near one
  int64_t cleared = 0;  // rows that had a pointer and have none now
  int64_t bytes_saved = 0;
  Counters counters;  // of all three jobs
};

// Runs a job on this thread.
using RunJobHere = std::function<arrow::Result<JobResult>(const JobRequest& request)>;

// `options` are those of the verb, which the jobs get, too.
arrow::Result<Settled> Settle(Store* store, const OptionTexts& options, const SettleWish& wish, const StopToken& stop,
                              const RunJobHere& run);

// Whether there is anything to settle: rows of urls that settle has not seen, or other options than the last time.
bool HasToSettle(const Manifest& present, const SettleOptions& options);

// Manifest::read_to has the base of the last settle by this name, and what identifies its options by the second.
inline constexpr char kSettleMark[] = "settle";
inline constexpr char kSettlePolicyMark[] = "settle.policy";

// Defaults of the options that the tasks read, as a plan has them.
OptionTexts SettleOptionTexts();

}  // namespace trawl
