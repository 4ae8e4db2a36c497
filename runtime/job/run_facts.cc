#include "runtime/job/run_facts.h"

#include "formats/documents/run_json.h"

namespace trawl {

using arrow::Result;

std::vector<RunReference> RunsOf(const JobOutput& output, const char* table) {
  const auto run = output.runs.find(table);
  if (run == output.runs.end()) return {};
  return {run->second};
}

Json RunsToFact(const std::vector<RunReference>& runs) {
  Json fact = Json::array();
  for (const RunReference& run : runs) fact.push_back(RunToJson(run));
  return fact;
}

Result<std::vector<RunReference>> RunsFromFact(const Json& facts, const char* name) {
  std::vector<RunReference> runs;
  if (!HasMember(facts, name)) return runs;
  ARROW_ASSIGN_OR_RAISE(const Json* array, GetArray(facts, name));
  for (const Json& fact : *array) {
    ARROW_ASSIGN_OR_RAISE(runs.emplace_back(), RunFromJson(fact));
  }
  return runs;
}

}  // namespace trawl
