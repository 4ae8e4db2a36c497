// trawl compact: merges runs of the tables, so that reading stays cheap.
//
//   reads        adjacent runs of each table, by ranges of slots
//   shuffles by  nothing
//   writes       one run per table, replacing them
//   counters     <table>.rows_out
#include "jobs/upkeep/compact.h"

#include <algorithm>
#include <map>
#include <memory>
#include <type_traits>

#include "formats/rows/catalog.h"
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
                                      "merge only where it pays now, as trawl crawl does between rounds")
                                .AllMain();
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

// What to merge of the tables that this program knows.
std::map<std::string, RunChoice> ChooseRuns(const Manifest& manifest, bool by_policy) {
  TableRuns tables;
  ForEachTable([&](const auto& table) {
    const auto found = manifest.tables.find(table.name);
    if (found != manifest.tables.end()) tables.insert(*found);
  });
  if (by_policy) return ChooseTablesByPolicy(tables);
  std::map<std::string, RunChoice> chosen;
  for (const auto& [table, runs] : tables) {
    const RunChoice choice = ChooseAllRuns(runs);
    if (choice.count > 0) chosen[table] = choice;
  }
  return chosen;
}

// Merge rules:
//  1. A key's row of the newest run stays.
//  2. A tombstone stays, unless the oldest run of the table takes part: then there is no row left that it could hide.
template <typename Row>
Status CompactTable(TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const RunChoice choice, ChoiceFor(context.plan().facts, Row::kTable));
  if (choice.count == 0) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  const std::vector<RunReference> runs = ChosenRuns(context.snapshot(), Row::kTable, choice);
  ARROW_ASSIGN_OR_RAISE(auto table, Table::OpenRuns<Row>(context.store(), runs));
  RowFileOptions files = FileOptions(job);
  ScanOptions options = {.slots = context.slots(), .include_removed = choice.first > 0};
  if constexpr (requires { Row::kBatchRows; }) files.batch_rows = options.batch_rows = Row::kBatchRows;
  RunWriter<Row>* const run = context.OpenRun<Row>(files);
  int64_t rows = 0;
  ARROW_RETURN_NOT_OK(ForEachRow<Row>(std::move(table), options, [&](const Row& row) -> Status {
    if (++rows % 4096 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    return run->Append(row);
  }));
  context.counters()[std::string(Row::kTable) + ".rows_out"] += rows;
  return Status::OK();
}

// A table that this program does not know keeps its runs.
Status MapSlots(TaskContext& context, const Json&, RowSink&) {
  Status merged;
  ForEachTable([&](const auto& table) {
    using Row = typename std::decay_t<decltype(table)>::Row;
    if (merged.ok()) merged = CompactTable<Row>(context);
  });
  return merged;
}

// Replaces the inputs by the merged run of each table. They must still be adjacent.
Result<bool> ReplaceRuns(const Manifest& planned, const Plan& plan, const JobOutput& output, Manifest* next) {
  for (const auto& [table, choice_json] : plan.facts.items()) {
    ARROW_ASSIGN_OR_RAISE(const RunChoice choice, ChoiceFor(plan.facts, table.c_str()));
    const std::vector<RunReference> inputs = ChosenRuns(planned, table, choice);
    std::vector<RunReference>& runs = next->tables[table];
    const auto at = std::search(runs.begin(), runs.end(), inputs.begin(), inputs.end());
    if (at == runs.end())
      return ConflictError("the runs of ", table,
                           " that were merged have been replaced by another job; run the command again");
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
  // The runs that the plan was made on, for finding them again in a newer snapshot.
  const auto planned = std::make_shared<Manifest>();
  JobRequest request;
  request.spec = CompactSpec();
  request.may_rebase = true;
  request.plan = [planned, by_policy, threads](const JobEnvironment&, const Snapshot& base, Plan* plan) {
    *planned = base.manifest;
    int64_t rows = 0;
    for (const auto& [table, choice] : ChooseRuns(base.manifest, by_policy)) {
      plan->facts[table] = {{"first", choice.first}, {"count", choice.count}};
      for (const RunReference& run : ChosenRuns(base.manifest, table, choice)) rows += run.rows;
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
  ARROW_RETURN_NOT_OK(context.Conclude(SummaryOf(result), Readable(result), ""));
  return kExitDone;
}

}  // namespace

Verb CompactVerb() {
  return {.name = "compact",
          .summary = "merge the files of the crawl's tables",
          .purpose = VerbPurpose::kShrink,
          .description =
              "Every job adds a run of files, and reading merges the runs. Compacting replaces several runs by one, "
              "and drops rows that are out of date. The old runs stay until gc finds that no kept snapshot needs them.",
          .examples = {{"Merge all runs into one per table", "trawl compact"},
                       {"Only where it pays", "trawl compact --by_policy"}},
          .groups = {&CompactOptionGroup(), &JobOptionGroup()},
          .run = RunCompact};
}

}  // namespace trawl
