// trawl compact: merges runs of the tables, so that reading stays cheap.
//
//   reads        adjacent runs of each table, by ranges of slots
//   shuffles by  nothing
//   writes       one run a table in their place
//   counters     <table>.rows_out
#include "jobs/upkeep/compact.h"

#include <algorithm>
#include <memory>

#include "formats/rows/host_row.h"
#include "formats/rows/robots_row.h"
#include "formats/rows/seed_host_row.h"
#include "jobs/upkeep/run_choice.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/slot_parts.h"
#include "runtime/process/status_detail.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

struct CompactOptions {
  bool by_policy = false;
};

const OptionGroup<CompactOptions>& CompactOptionGroup() {
  static const auto group = OptionGroup<CompactOptions>("compact", "What is merged")
                                .Bool("by_policy", &CompactOptions::by_policy,
                                      "only what is worth it now, as trawl crawl does between rounds");
  return group;
}

// The plan's facts name the runs of each table by their first and their number: {"urls": {"first": 0, "count": 3}}.
Result<RunChoice> ChoiceFor(const Json& facts, const char* table) {
  if (!HasMember(facts, table)) return RunChoice{};
  ARROW_ASSIGN_OR_RAISE(const Json* choice, GetObject(facts, table));
  ARROW_ASSIGN_OR_RAISE(const int64_t first, GetInt(*choice, "first"));
  ARROW_ASSIGN_OR_RAISE(const int64_t count, GetInt(*choice, "count"));
  return RunChoice{static_cast<size_t>(first), static_cast<size_t>(count)};
}

std::vector<RunReference> ChosenRuns(const Manifest& manifest, const std::string& table, const RunChoice& choice) {
  const auto found = manifest.tables.find(table);
  if (found == manifest.tables.end() || choice.first + choice.count > found->second.size()) return {};
  const auto begin = found->second.begin() + static_cast<std::ptrdiff_t>(choice.first);
  return {begin, begin + static_cast<std::ptrdiff_t>(choice.count)};
}

// Merge rules:
//  1. A key's row of the newest run stays.
//  2. A tombstone stays, unless the oldest run of the table takes part: then there is nothing left that it hides.
template <typename Row>
Status CompactTable(TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const RunChoice choice, ChoiceFor(context.plan().facts, Row::kTable));
  if (choice.count == 0) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  const std::vector<RunReference> runs = ChosenRuns(context.snapshot(), Row::kTable, choice);
  ARROW_ASSIGN_OR_RAISE(auto table, Table::OpenRuns<Row>(context.store(), runs));
  RunWriter<Row>* const run = context.OpenRun<Row>(FileOptions(job));
  ScanOptions options = {.slots = context.slots(), .include_removed = choice.first > 0};
  int64_t rows = 0;
  ARROW_RETURN_NOT_OK(ForEachRow<Row>(std::move(table), options, [&](const Row& row) -> Status {
    if (++rows % 4096 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    return run->Append(row);
  }));
  context.counters()[std::string(Row::kTable) + ".rows_out"] += rows;
  return Status::OK();
}

// Every table that is merged. One that is not listed here keeps its runs.
struct MergedTable {
  const char* name;
  Status (*merge)(TaskContext& context);
};
constexpr MergedTable kMergedTables[] = {
    {UrlRow::kTable, CompactTable<UrlRow>},
    {HostRow::kTable, CompactTable<HostRow>},
    {RobotsRow::kTable, CompactTable<RobotsRow>},
    {SeedHostRow::kTable, CompactTable<SeedHostRow>},
};

Status MapSlots(TaskContext& context, const Json&, RowSink&) {
  for (const MergedTable& table : kMergedTables) ARROW_RETURN_NOT_OK(table.merge(context));
  return Status::OK();
}

// Puts the merged run of each table where its inputs were; they must still stand side by side.
Result<bool> ReplaceRuns(const Manifest& planned, const Plan& plan, const JobOutput& output, Manifest* next) {
  for (const auto& [table, choice_json] : plan.facts.items()) {
    ARROW_ASSIGN_OR_RAISE(const RunChoice choice, ChoiceFor(plan.facts, table.c_str()));
    const std::vector<RunReference> inputs = ChosenRuns(planned, table, choice);
    std::vector<RunReference>& runs = next->tables[table];
    const auto at = std::search(runs.begin(), runs.end(), inputs.begin(), inputs.end());
    if (at == runs.end()) return ConflictError("the runs of ", table, " that were merged are not there any more");
    const auto behind = runs.erase(at, at + static_cast<std::ptrdiff_t>(inputs.size()));
    const auto merged = output.runs.find(table);
    if (merged != output.runs.end()) runs.insert(behind, merged->second);
    if (runs.empty()) next->tables.erase(table);
  }
  return true;
}

std::string Readable(const JobResult& result) {
  if (!result.changed) return "nothing to merge\n";
  std::string text;
  for (const auto& [table, run] : result.output.runs) {
    text += table + ": one run of " + ReadableCount(run.rows, "row") + ", " + ReadableSize(run.bytes) + "\n";
  }
  return text + "snapshot " + std::to_string(result.snapshot) + "\n";
}

}  // namespace

JobSpec CompactSpec() { return {.name = "compact", .map = MapSlots}; }

JobRequest CompactRequest(bool by_policy, int threads) {
  // What the plan was made on, for finding its runs again in a newer snapshot.
  const auto planned = std::make_shared<Manifest>();
  JobRequest request;
  request.spec = CompactSpec();
  request.may_rebase = true;
  request.plan = [planned, by_policy, threads](const JobEnvironment&, const Snapshot& base, Plan* plan) {
    *planned = base.manifest;
    int64_t rows = 0;
    for (const MergedTable& table : kMergedTables) {
      const auto found = base.manifest.tables.find(table.name);
      if (found == base.manifest.tables.end()) continue;
      const RunChoice choice = by_policy ? ChooseRunsByPolicy(found->second) : ChooseAllRuns(found->second);
      if (choice.count == 0) continue;
      plan->facts[table.name] = {{"first", choice.first}, {"count", choice.count}};
      for (const RunReference& run : ChosenRuns(base.manifest, table.name, choice)) rows += run.rows;
    }
    if (!plan->facts.empty()) plan->parts = SlotParts(rows, threads);
    return Status::OK();
  };
  request.apply = [planned](const Plan& plan, const JobOutput& output, Manifest* next) {
    return ReplaceRuns(*planned, plan, output, next);
  };
  return request;
}

namespace {

Result<int> RunCompact(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const CompactOptions options, context.Read(CompactOptionGroup()));
  ARROW_ASSIGN_OR_RAISE(const JobResult result,
                        crawl->Run(context, CompactRequest(options.by_policy, context.global.threads)));
  ARROW_RETURN_NOT_OK(context.Summarize(SummaryOf(result), Readable(result)));
  return kExitDone;
}

}  // namespace

Verb CompactVerb() {
  return {.name = "compact",
          .summary = "merge the runs of the crawldb's tables",
          .description =
              "Every job adds runs; reads merge them. Compacting writes one run in the place of several and drops "
              "what nobody can see any more. The old runs stay until gc finds that no kept snapshot names them.",
          .examples = {{"All runs into one", "trawl compact"}, {"Only where it pays", "trawl compact --by_policy"}},
          .groups = {&CompactOptionGroup(), &JobOptionGroup()},
          .run = RunCompact};
}

}  // namespace trawl
