// A run that no snapshot names, as a fact of a job's plan. Any thread.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "runtime/job/job.h"

namespace trawl {

Json RunToFact(const RunReference& run);
arrow::Result<RunReference> RunFromFact(const Json& fact);

// The run of the table that a job wrote: none or one.
std::vector<RunReference> RunsOf(const JobOutput& output, const char* table);
// The same as a fact, and back. REQUIRES for the second: `facts` has an array of that name.
Json RunsToFact(const std::vector<RunReference>& runs);
arrow::Result<std::vector<RunReference>> RunsFromFact(const Json& facts, const char* name);

}  // namespace trawl
