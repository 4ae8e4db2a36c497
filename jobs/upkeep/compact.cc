// trawl compact: merges runs of the tables, so that reading stays cheap. With --bodies it rewrites content files instead
// (jobs/upkeep/move_bodies.h).
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
#include "formats/rows/times.h"
#include "jobs/upkeep/move_bodies.h"
#include "jobs/upkeep/run_choice.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "jobs/verb/row_json.h"
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
  bool bodies = false;
  int64_t bodies_after_ms = 7 * kDayMs;
  bool dry_run = false;
};

const OptionGroup<CompactOptions>& CompactOptionGroup() {
  static const auto group =
      OptionGroup<CompactOptions>("compact", "What is merged")
          .Bool("by_policy", &CompactOptions::by_policy,
                "merge only where it pays now, as trawl crawl does between rounds")
          .Bool("bodies", &CompactOptions::bodies,
                "rewrite the files of bodies of which less than half (bytes) is pointed to by a "
                "URL, and merge no runs")
          .Duration("bodies_after", &CompactOptions::bodies_after_ms,
                    "with --bodies: leave the bodies of segments that were fetched within this "
                    "time as they are",
                    AtLeast(0))
          .Bool("dry_run", &CompactOptions::dry_run, "with --bodies: say what would be rewritten, and change nothing")
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

bool AreSettled(const std::vector<RunReference>& runs) {
  return std::all_of(runs.begin(), runs.end(), [](const RunReference& run) { return run.is_settled; });
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
//  3. Once trawl settle has run, a tombstone that it has not seen stays, so that it hears of the row that went.
template <typename Row>
Status CompactTable(TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const RunChoice choice, ChoiceFor(context.plan().facts, Row::kTable));
  if (choice.count == 0) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  const std::vector<RunReference> runs = ChosenRuns(context.snapshot(), Row::kTable, choice);
  ARROW_ASSIGN_OR_RAISE(auto table, Table::OpenRuns<Row>(context.store(), runs));
  RowFileOptions files = FileOptions(job);
  const bool settle_reads = context.snapshot().read_to.contains("settle") && !AreSettled(runs);
  const bool keeps_removed = choice.first > 0 || (Row::kTable == std::string_view(UrlRow::kTable) && settle_reads);
  ScanOptions options = {.slots = context.slots(), .include_removed = keeps_removed};
  if constexpr (requires { Row::kBatchRows; }) files.batch_rows = options.batch_rows = Row::kBatchRows;
  RunWriter<Row>* const run = context.OpenRun<Row>(files);
  int64_t rows = 0;
  ARROW_RETURN_NOT_OK(ForEachRow<Row>(std::move(table), options, [&](const Row& row) -> Status {
    if (++rows % 4096 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    return run->Append(row);
  }));
  context.counters()[std::string(Row::kTable) + ".rows_out"] += rows;
  // The writer's buffers go before the next table's come.
  return run->Finish().status();
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

// Replaces the inputs by the merged run of each table. They must still be adjacent. trawl settle may have seen them
// meanwhile: then it has seen the merged run, too.
Result<bool> ReplaceRuns(const Manifest& planned, const Plan& plan, const JobOutput& output, Manifest* next) {
  for (const auto& [table, choice_json] : plan.facts.items()) {
    ARROW_ASSIGN_OR_RAISE(const RunChoice choice, ChoiceFor(plan.facts, table.c_str()));
    const std::vector<RunReference> inputs = ChosenRuns(planned, table, choice);
    std::vector<RunReference>& runs = next->tables[table];
    const auto is_same = [](const RunReference& one, const RunReference& other) { return one.run == other.run; };
    const auto at = std::search(runs.begin(), runs.end(), inputs.begin(), inputs.end(), is_same);
    if (at == runs.end())
      return ConflictError("the runs of ", table,
                           " that were merged have been replaced by another job; run the command again");
    const auto end = at + static_cast<std::ptrdiff_t>(inputs.size());
    const bool are_settled = AreSettled({at, end});
    const auto behind = runs.erase(at, end);
    const auto merged = output.runs.find(table);
    if (merged != output.runs.end()) runs.insert(behind, merged->second)->is_settled = are_settled;
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
    plan->work.bytes = 0;
    for (const auto& [table, choice] : ChooseRuns(base.manifest, by_policy)) {
      plan->facts[table] = {{"first", choice.first}, {"count", choice.count}};
      for (const RunReference& run : ChosenRuns(base.manifest, table, choice)) {
        rows += run.rows;
        plan->work.bytes += 2 * run.bytes;  // read and written
      }
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

Json BodiesJson(const MovedBodies& moved) {
  int64_t stored = 0, bytes = 0, pointed = 0, bodies = 0;
  for (const SparseFile& file : moved.files) {
    stored += file.stored_bytes;
    bytes += file.bytes;
    pointed += file.bytes_pointed;
    bodies += file.bodies_pointed;
  }
  return {{"segment", TextOrNull(moved.segment)},
          {"files", moved.files.size()},
          {"stored_bytes", stored},
          {"bytes", bytes},
          {"bytes_pointed", pointed},
          {"bodies", bodies}};
}

std::string BodiesText(const Json& json, bool is_dry) {
  const auto count = [&json](const char* name) { return json[name].get<int64_t>(); };
  if (count("files") == 0) return "no file of bodies has less than half of its bytes pointed to\n";
  return ReadableCount(count("files"), "file") + " of bodies, " + ReadableSize(count("stored_bytes")) +
         " on disk: " + ReadableSize(count("bytes_pointed")) + " of " + ReadableSize(count("bytes")) +
         (is_dry ? " would be copied; nothing was changed\n" : " copied\n");
}

Result<int> RunCompactBodies(VerbContext& context, Crawl& crawl, const CompactOptions& options) {
  const TimeMs before_ms = context.global.now_ms - options.bodies_after_ms;
  if (options.dry_run) {
    MovedBodies moved;
    ARROW_ASSIGN_OR_RAISE(moved.files,
                          FindSparseFiles(crawl.store(), crawl.manifest(), before_ms, context.process.stop));
    Json json = {{"changed", false}, {"dry_run", true}, {"snapshot", crawl.manifest().number}};
    json.update(BodiesJson(moved));
    ARROW_RETURN_NOT_OK(context.Conclude(json, BodiesText(json, true), ""));
    return kExitDone;
  }
  const auto run = [&](const JobRequest& request) { return crawl.Run(context, request); };
  ARROW_ASSIGN_OR_RAISE(const BodiesMoved moved, MoveBodies(before_ms, run));
  Json json = SummaryOf(moved.placed);
  json["snapshot"] = std::max(moved.copied.snapshot, moved.placed.snapshot);
  json["seconds"] = moved.copied.seconds + moved.placed.seconds;
  json["dry_run"] = false;
  json["pages_moved"] = moved.placed.output.counters.Get("pages_moved");
  json.update(BodiesJson(moved.moved));
  std::string text = BodiesText(json, false);
  if (moved.placed.changed) {
    text += ReadableCount(moved.placed.output.counters.Get("pages_moved"), "page") + " point to segment " +
            moved.moved.segment + "; trawl gc removes the old files once no kept snapshot needs them\n" + "snapshot " +
            std::to_string(moved.placed.snapshot) + "\n";
  }
  ARROW_RETURN_NOT_OK(context.Conclude(json, text, ""));
  return kExitDone;
}

Result<int> RunCompact(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const CompactOptions options, context.Read(CompactOptionGroup()));
  if (options.bodies && options.by_policy)
    return UsageError("--bodies and --by_policy are two things; give one of them");
  if (options.dry_run && !options.bodies) return UsageError("--dry_run goes with --bodies");
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  if (options.bodies) return RunCompactBodies(context, *crawl, options);
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
              "and drops rows that are out of date. The old runs stay until gc finds that no kept snapshot needs them. "
              "--bodies does the same for the bodies of pages, of which every change and every removal leaves one that "
              "nobody needs.",
          .examples = {{"Merge all runs into one per table", "trawl compact"},
                       {"Only where it pays", "trawl compact --by_policy"},
                       {"What rewriting bodies would bring", "trawl compact --bodies --dry_run"}},
          .groups = {&CompactOptionGroup(), &JobOptionGroup()},
          .run = RunCompact};
}

}  // namespace trawl
