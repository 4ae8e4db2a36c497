// How a job of trawl settle reads the runs that another one wrote: the plan's facts name them, and no snapshot does.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "runtime/job/job.h"
#include "runtime/tables/table.h"

namespace trawl {

inline Json FactOfRun(const RunReference& run) {
  return {{"run", run.run}, {"rows", run.rows}, {"digest", run.digest.ToHex()}, {"seal", run.seal}};
}
// Null where the job wrote no row of the table.
inline Json FactOfRun(const JobOutput& output, const char* table) {
  const auto run = output.runs.find(table);
  return run == output.runs.end() ? Json() : FactOfRun(run->second);
}

inline arrow::Result<RunReference> RunOfFact(const Json& fact) {
  RunReference run;
  ARROW_ASSIGN_OR_RAISE(run.run, GetString(fact, "run"));
  ARROW_ASSIGN_OR_RAISE(run.rows, GetInt(fact, "rows"));
  ARROW_ASSIGN_OR_RAISE(run.seal, GetString(fact, "seal"));
  ARROW_ASSIGN_OR_RAISE(const std::string digest, GetString(fact, "digest"));
  if (!DigestSum::FromHex(digest, &run.digest)) return arrow::Status::Invalid("'digest' is no digest");
  return run;
}

// Opens the run that the plan's fact `name` says; a table without rows where it is null or missing.
template <typename Row>
arrow::Result<std::shared_ptr<const Table>> OpenRunFact(const TaskContext& context, const char* name) {
  std::vector<RunReference> runs;
  const Json& facts = context.plan().facts;
  if (HasMember(facts, name) && !facts[name].is_null()) {
    ARROW_ASSIGN_OR_RAISE(runs.emplace_back(), RunOfFact(facts[name]));
  }
  return Table::OpenRuns<Row>(context.store(), runs);
}

}  // namespace trawl
