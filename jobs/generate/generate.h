// The door of jobs/generate: generate as a value, for the verb and for the crawl's loop.
#pragma once

#include <functional>
#include <string>

#include "arrow/result.h"
#include "jobs/policy/generate_options.h"
#include "jobs/select/assign.h"
#include "jobs/select/select_job.h"
#include "runtime/job/job.h"

namespace trawl {

struct GenerateOutcome {
  JobResult job;           // without an id where nothing is due
  std::string segment;     // the id that was asked for, or one of its own; empty where nothing is due
  bool was_there = false;  // the crawl had that segment before: nothing was done
  Selection selection;
  Assignment assignment;
};

// Chooses what to fetch and opens a segment with it. An empty `segment` gets an id of its own. `run` runs the job, on
// this thread.
arrow::Result<GenerateOutcome> GenerateSegment(
    const std::string& segment, int threads,
    const std::function<arrow::Result<JobResult>(const JobRequest& request)>& run);
arrow::Result<GenerateOutcome> GenerateSegment(const JobEnvironment& environment, const std::string& segment,
                                               int threads);

// The same without opening a segment.
arrow::Result<GenerateOutcome> TryGenerate(const JobEnvironment& environment, int threads);

// Defaults of the options that generate's tasks read, as a plan has them.
OptionTexts GenerateOptionTexts();

}  // namespace trawl
