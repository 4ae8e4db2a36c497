// How a job reads the runs that another job wrote and that no snapshot names: the facts of its plan name them. Any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "runtime/job/job.h"
#include "runtime/job/task.h"
#include "runtime/tables/table.h"

namespace trawl {

// The run of the table that a job wrote: none or one.
std::vector<RunReference> RunsOf(const JobOutput& output, const char* table);
// Runs as a fact, and back; none where the facts lack it.
Json RunsToFact(const std::vector<RunReference>& runs);
arrow::Result<std::vector<RunReference>> RunsFromFact(const Json& facts, const char* name);

// Opens the runs that the plan's fact `name` has.
template <typename Row>
arrow::Result<std::shared_ptr<const Table>> OpenRunsOfFact(const TaskContext& context, const char* name) {
  ARROW_ASSIGN_OR_RAISE(const auto runs, RunsFromFact(context.plan().facts, name));
  return Table::OpenRuns<Row>(context.store(), runs);
}

}  // namespace trawl
