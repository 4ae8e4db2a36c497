// The door of jobs/reparse: reads stored bodies again, and applies what they tell, without a request.
//
// A reading makes a segment of parse and links, and updatedb applies it (ApplyReadingRequest). No snapshot names the
// segment before: it holds no domain, and open segments do not keep it waiting. Its id follows from the snapshot and from
// what is to be read, so the same command, killed between its two jobs, goes on with the second.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "arrow/result.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/job.h"
#include "runtime/options/options.h"

namespace trawl {

struct ReparseOptions {
  std::string prefix;
  bool all = false;
  bool dry_run = false;
  int32_t pages = 5'000;
};
const OptionGroup<ReparseOptions>& ReparseOptionGroup();

// Runs a job on this thread.
using RunJobHere = std::function<arrow::Result<JobResult>(const JobRequest& request)>;

struct Reading {
  std::string segment;  // empty where there was nothing to read
  bool changed = false;
  int64_t snapshot = 0;
  int64_t pages = 0;
  int64_t failed = 0;
  int64_t links = 0;  // within the scope
  int64_t gone = 0;   // pages whose body is not there any more
  int64_t urls_new = 0;
  int64_t late = 0;  // pages of which a newer body came meanwhile
  // Pages that are still to be read again; nothing where it is not known.
  std::optional<int64_t> left;
  Counters counters;  // of both jobs
};

struct ReadingRequest {
  std::string segment;  // the id that was asked for; empty: one of its own
  std::string prefix;   // of URLs
  bool all = false;
  int64_t most = INT64_MAX;  // pages
  // Whether the documents of the rounds may say that there is nothing to read: then no row is read.
  bool asks_documents = false;
  // Whether the segment is thrown away (TryReading).
  bool is_trial = false;
};

// `options` are those of the verb, which the jobs get, too.
arrow::Result<Reading> ReadAgain(Store* store, const OptionTexts& options, const ReadingRequest& request,
                                 const StopToken& stop, const RunJobHere& run);

// What the first of the two jobs is to do, known once its plan is made.
struct ReadingPlan {
  std::string segment;
  bool was_parsed = false;  // an earlier command has done this job
  bool has_pages = false;
  std::optional<int64_t> left;
  int64_t gone = 0;
};
// The first of the two jobs. It fills in `planned`, which must outlive it.
JobRequest ReparseRequest(const ReadingRequest& request, ReadingPlan* planned);

// Defaults of the options that the tasks read, as a plan has them.
OptionTexts ReparseOptionTexts();

}  // namespace trawl
