// The door of jobs/generate: generate as a value, for the verb and for the crawl's loop.
#pragma once

#include <memory>
#include <string>

#include "arrow/result.h"
#include "jobs/generate/assign.h"
#include "jobs/generate/select_job.h"
#include "jobs/policy/generate_options.h"
#include "runtime/job/job.h"

namespace trawl {

// The outcome of a generate, beside its JobResult.
struct GenerateOutcome {
  std::string segment;     // the id that was asked for, or one of its own; empty where nothing is due
  bool was_there = false;  // the crawl had that segment before: nothing was done
  Selection selection;
  Assignment assignment;
};

// Chooses what to fetch and opens a segment with it. An empty `segment` gets an id of its own. The JobResult has no job
// where nothing is due. `outcome` outlives the request, which fills it in when it is run.
JobRequest GenerateRequest(const std::string& segment, int threads, GenerateOutcome* outcome);

// The same without opening a segment.
arrow::Status TryGenerate(const JobEnvironment& environment, int threads, GenerateOutcome* outcome);

// Defaults of the options that generate's tasks read, as a plan has them.
OptionTexts GenerateOptionTexts();

}  // namespace trawl
