// The generate job as a value, for the verb and for the crawl's loop.
#pragma once

#include <memory>
#include <string>

#include "arrow/result.h"
#include "jobs/generate/assign.h"
#include "jobs/generate/select_job.h"
#include "jobs/policy/generate_options.h"
#include "runtime/job/job.h"

namespace trawl {

// What a generate came to, beside its JobResult.
struct GenerateOutcome {
  std::string segment;     // the id that was asked for or made; empty where nothing is due
  bool was_there = false;  // the crawl had that segment before: nothing was done
  Selection selection;
  Assignment assignment;
};

// Chooses what to fetch and opens a segment with it, "" for an id of its own. The request's JobResult is without a job
// where nothing is due. `outcome` outlives the request and is filled in when it is run.
JobRequest GenerateRequest(const std::string& segment, int threads, GenerateOutcome* outcome);

// The same without opening a segment.
arrow::Status TryGenerate(const JobEnvironment& environment, int threads, GenerateOutcome* outcome);

// Every option that its plan has, at its default, for those who run it without a command line.
OptionTexts GenerateOptionTexts();

}  // namespace trawl
