#include "jobs/settle/run_fact.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Json RunToFact(const RunReference& run) {
  return {{"run", run.run},     {"rows", run.rows}, {"removed", run.removed},
          {"bytes", run.bytes}, {"seal", run.seal}, {"digest", run.digest.ToHex()}};
}

Result<RunReference> RunFromFact(const Json& fact) {
  RunReference run;
  ARROW_ASSIGN_OR_RAISE(run.run, GetString(fact, "run"));
  ARROW_ASSIGN_OR_RAISE(run.rows, GetInt(fact, "rows"));
  // A scan looks for tombstones only where the run has some.
  ARROW_ASSIGN_OR_RAISE(run.removed, GetInt(fact, "removed"));
  ARROW_ASSIGN_OR_RAISE(run.bytes, GetInt(fact, "bytes"));
  ARROW_ASSIGN_OR_RAISE(run.seal, GetString(fact, "seal"));
  ARROW_ASSIGN_OR_RAISE(const std::string digest, GetString(fact, "digest"));
  if (!DigestSum::FromHex(digest, &run.digest)) return Status::Invalid("run ", run.run, ": 'digest' is no digest");
  return run;
}

std::vector<RunReference> RunsOf(const JobOutput& output, const char* table) {
  const auto run = output.runs.find(table);
  if (run == output.runs.end()) return {};
  return {run->second};
}

Json RunsToFact(const std::vector<RunReference>& runs) {
  Json fact = Json::array();
  for (const RunReference& run : runs) fact.push_back(RunToFact(run));
  return fact;
}

Result<std::vector<RunReference>> RunsFromFact(const Json& facts, const char* name) {
  ARROW_ASSIGN_OR_RAISE(const Json* array, GetArray(facts, name));
  std::vector<RunReference> runs;
  for (const Json& fact : *array) {
    ARROW_ASSIGN_OR_RAISE(runs.emplace_back(), RunFromFact(fact));
  }
  return runs;
}

}  // namespace trawl
