// trawl export: writes the present (or another snapshot) as plain ORC or Parquet files that any tool reads.
//
//   reads        each table that has an exported form (formats/exports/export_rows.h), by ranges of slots
//   shuffles by  nothing
//   writes       DIR/urls/part-00000.orc …, DIR/hosts/part-00000.orc …, DIR/_export.json at the beginning, DIR/_SUCCESS
//                at the end
//   counters     urls, hosts: rows by table
//
// jobs/export/pages.cc has the jobs for `trawl export pages` and items, jobs/export/links.cc that for links and graph, and
// jobs/export/graph_text.cc that for a graph as text.
//
// The folder belongs to one export. The same command continues an interrupted export, even if the crawl has gone on
// since. It leaves a complete export of the same snapshot and format as it is; --overwrite replaces any other.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <type_traits>
#include <vector>

#include "formats/exports/export_rows.h"
#include "formats/rows/catalog.h"
#include "formats/url/key.h"
#include "jobs/export/folder.h"
#include "jobs/export/graph_text.h"
#include "jobs/export/host_walk.h"
#include "jobs/export/links.h"
#include "jobs/export/pages.h"
#include "jobs/export/part.h"
#include "jobs/graph/graph.h"
#include "jobs/policy/fetch_options.h"
#include "jobs/signals/respect.h"
#include "jobs/stats/totals.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/slot_parts.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/tables/row_walk.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The tables that are exported: those that have a form, and were asked for.
bool IsAsked(const Json& tables, const char* table) {
  return std::any_of(tables.begin(), tables.end(), [table](const Json& name) { return name == table; });
}

template <typename Row>
Status ExportTable(TaskContext& context, Store* to) {
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<Row>(context.store(), context.snapshot()));
  ExportPart<typename Exported<Row>::Type> part(&context, Row::kTable);
  ARROW_RETURN_NOT_OK(part.Open(to));
  typename Exported<Row>::Type exported;
  ARROW_RETURN_NOT_OK(ForEachRow<Row>(table, {.slots = context.slots()}, [&](const Row& row) {
    ExportRow(row, &exported);
    return part.Append(exported);
  }));
  return part.Finish();
}

// Exports the hosts that readdb stats counts: those with URLs.
template <>
Status ExportTable<HostRow>(TaskContext& context, Store* to) {
  ARROW_ASSIGN_OR_RAISE(auto urls, Table::Open<UrlRow>(context.store(), context.snapshot()));
  ARROW_ASSIGN_OR_RAISE(auto hosts, Table::Open<HostRow>(context.store(), context.snapshot()));
  ARROW_ASSIGN_OR_RAISE(auto robots, Table::Open<RobotsRow>(context.store(), context.snapshot()));
  const ScanOptions range = {.slots = context.slots()};
  ARROW_ASSIGN_OR_RAISE(HostWalk walk, HostWalk::Open(std::move(urls), std::move(hosts), range));
  ARROW_ASSIGN_OR_RAISE(RowWalk robots_walk, RowWalk::Open(std::move(robots), range));
  ExportPart<HostExport> part(&context, HostRow::kTable);
  ARROW_RETURN_NOT_OK(part.Open(to));
  HostRow row;
  HostExport exported;
  RobotsRow robots_row;
  bool has_urls = false;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, walk.Next(&row, &has_urls));
    if (!more) return part.Finish();
    if (!has_urls) continue;
    ExportRow(row, &exported);
    ARROW_RETURN_NOT_OK(robots_walk.SeekTo({SlotOfKey(row.key), row.key}));
    while (!robots_walk.at_end() && HostPartOfKey(robots_walk.key()) == row.key) {
      robots_walk.Read(&robots_row);
      AddRobots(robots_row, &exported);
      ARROW_RETURN_NOT_OK(robots_walk.Next());
    }
    ARROW_RETURN_NOT_OK(part.Append(exported));
  }
}

Status MapSlots(TaskContext& context, const Json&, RowSink&) {
  ARROW_ASSIGN_OR_RAISE(const std::string directory, GetString(context.plan().facts, "directory"));
  ARROW_ASSIGN_OR_RAISE(const Json* tables, GetArray(context.plan().facts, "tables"));
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenStore(directory));
  Status exported;
  ForEachTable([&](const auto& table) {
    using Row = typename std::decay_t<decltype(table)>::Row;
    if constexpr (kIsExported<Row>) {
      if (exported.ok() && IsAsked(*tables, table.name)) exported = ExportTable<Row>(context, to.get());
    }
  });
  return exported;
}

}  // namespace

JobSpec ExportSpec() { return {.name = "export", .map = MapSlots}; }

namespace {

// Whether the crawl is on a local disk and this user may not write there. An export only needs to read it.
bool MayOnlyRead(const std::string& root) {
  if (root.find("://") != std::string::npos) return false;
  const std::string jobs = root + "/" + kJobsFolder;
  const char* const folder = access(jobs.c_str(), F_OK) == 0 ? jobs.c_str() : root.c_str();
  return access(folder, W_OK) != 0 && (errno == EACCES || errno == EROFS);
}

// Runs the tasks of the export like crawl->Run, but keeps neither plan nor report.
Result<JobResult> RunUnrecorded(VerbContext& context, Crawl& crawl, const JobRequest& request) {
  JobResult result;
  ARROW_RETURN_NOT_OK(crawl.RunWith(context, [&](const JobEnvironment& environment) -> Status {
    Plan plan;
    plan.verb = request.spec.name;
    plan.version = environment.version;
    plan.snapshot = result.snapshot = crawl.manifest().number;
    plan.now_ms = environment.now_ms;
    plan.planned_ms = environment.clock->NowMs();
    plan.options = environment.options;
    ARROW_RETURN_NOT_OK(request.plan(environment, crawl.snapshot(), &plan));
    const JobInputs inputs = {.store = crawl.store(),
                              .plan = &plan,
                              .snapshot = &crawl.manifest(),
                              .stop = environment.stop,
                              .clock = environment.clock,
                              .show = environment.show};
    const auto progress = [&](const RunnerProgress& now) { environment.progress(plan.verb, now); };
    ARROW_ASSIGN_OR_RAISE(result.output.receipts, environment.runner->Run(request.spec, inputs, progress));
    for (const TaskReceipt& receipt : result.output.receipts) result.output.counters.Merge(receipt.counters);
    return Status::OK();
  }));
  return result;
}

// The number of files does not depend on this machine's threads: one snapshot gives the same files everywhere.
int PartsOf(const Manifest& manifest) {
  constexpr int64_t kRowsAPart = 1'000'000;
  int64_t rows = 0;
  for (const auto& [table, runs] : manifest.tables) {
    for (const RunReference& run : runs) rows += run.rows;
  }
  return static_cast<int>(std::max<int64_t>(1, (rows + kRowsAPart - 1) / kRowsAPart));
}

// What the arguments ask for.
struct Asked {
  std::string what;  // empty: the usual tables
  std::string directory;
  std::vector<std::string> tables;
};

std::vector<std::string> ExportedTables(bool named_too) {
  std::vector<std::string> tables;
  ForEachTable([&](const auto& table) {
    using Row = typename std::decay_t<decltype(table)>::Row;
    if constexpr (kIsExported<Row>) {
      if (named_too || !kIsExportedWhenNamed<Row>) tables.push_back(table.name);
    }
  });
  return tables;
}

Result<Asked> ReadArguments(const std::vector<std::string>& arguments) {
  std::vector<std::string> known = ExportedTables(/*named_too=*/true);
  for (const char* const more : {kPagesExport, kItemsExport, kLinksExport, kGraphExport}) known.push_back(more);
  const auto is_known = [&known](const std::string& word) {
    return std::find(known.begin(), known.end(), word) != known.end();
  };
  if (arguments.size() == 1) {
    const std::string& word = arguments[0];
    if (is_known(word)) {
      return UsageError("'", word, "' says what to export; name a folder too: trawl export ", word,
                        " DIR (a folder of that name is ./", word, ")");
    }
    return Asked{.what = "", .directory = word, .tables = ExportedTables(/*named_too=*/false)};
  }
  Asked asked = {.what = arguments[0], .directory = arguments[1], .tables = {arguments[0]}};
  if (is_known(asked.what)) return asked;
  std::string all;
  for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
  return UsageError("'", asked.what.substr(0, 80), "' cannot be exported; write one of ", all,
                    ", or only a folder for the URLs and hosts");
}

JobRequest ExportTablesRequest(const Asked& asked, int64_t snapshot, int parts) {
  JobRequest request;
  request.spec = ExportSpec();
  request.base_snapshot = snapshot;
  request.plan = [asked, parts](const JobEnvironment&, const Snapshot&, Plan* plan) {
    plan->facts["directory"] = asked.directory;
    plan->facts["tables"] = asked.tables;
    plan->parts = EvenSlotParts(parts);
    return Status::OK();
  };
  request.apply = [](const Plan&, const JobOutput&, Manifest*) -> Result<bool> { return false; };
  return request;
}

Result<JobResult> ExportParts(VerbContext& context, Crawl& crawl, const Asked& asked, int parts) {
  ARROW_ASSIGN_OR_RAISE(const ExportOptions options, context.Read(ExportOptionGroup()));
  const int64_t snapshot = crawl.manifest().number;
  const JobRequest request = asked.what == kPagesExport   ? ExportPagesRequest(crawl.snapshot(), asked.directory, parts)
                             : asked.what == kItemsExport ? ExportItemsRequest(crawl.snapshot(), asked.directory, parts)
                             : asked.what == kLinksExport ? ExportLinksRequest(asked.directory, snapshot, parts)
                             : asked.what != kGraphExport ? ExportTablesRequest(asked, snapshot, parts)
                             : options.format == ExportFormat::kText
                                 ? ExportGraphTextRequest(asked.directory, snapshot)
                                 : ExportGraphRequest(asked.directory, snapshot, parts);
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  const bool is_unrecorded = job.runner == RunnerKind::kLocal && MayOnlyRead(context.global.root);
  return is_unrecorded ? RunUnrecorded(context, crawl, request) : crawl.Run(context, request);
}

// "12 pages left out: noarchive 10, noai 2; --respect none would write them".
std::string LeftOutText(const Counters& counters) {
  std::string reasons;
  for (const char* const signal : kSignalNames) {
    const int64_t pages = counters.Get((std::string("left_out.") + signal).c_str());
    if (pages > 0) reasons += (reasons.empty() ? ": " : ", ") + std::string(signal) + " " + ReadableCount(pages);
  }
  if (reasons.empty()) return "";
  return ReadableCount(counters.Get("left_out"), "page") + " left out" + reasons +
         " (--respect none writes them, too)\n";
}

// "3 exact and 1 near duplicate left out".
std::string DuplicatesLeftOut(const Counters& counters) {
  const std::string text = DuplicatesText(
      {{"exact", counters.Get("exact_duplicates")}, {"near", counters.Get("near_duplicates")}, {"bytes_saved", 0}});
  return text.empty() ? "" : text + " left out (--unique)\n";
}

// "9 URLs and 1 host of snapshot 10 in out".
std::string Readable(const Asked& asked, const JobResult& result) {
  const Counters& counters = result.output.counters;
  std::string text;
  if (asked.what.empty()) {
    text = ReadableCount(counters.Get("urls"), "URL") + " and " + ReadableCount(counters.Get("hosts"), "host");
  } else if (asked.what == kGraphExport) {
    text =
        ReadableCount(counters.Get("host_ranks"), "host") + " and " + ReadableCount(counters.Get("host_edges"), "edge");
  } else if (asked.what == RobotsRow::kTable) {
    text = ReadableCount(counters.Get("robots")) + " robots.txt";
  } else {
    const std::string noun = asked.what.ends_with('s') ? asked.what.substr(0, asked.what.size() - 1) : asked.what;
    text = ReadableCount(counters.Get(asked.what.c_str()), noun == "url" ? "URL" : noun);
  }
  text += " of snapshot " + std::to_string(result.snapshot) + " in " + asked.directory + "\n";
  const int64_t gone = counters.Get("bodies_gone");
  if (gone > 0) text += ReadableCount(gone) + " more had a body that trawl gc --bodies_older_than has removed\n";
  return text + DuplicatesLeftOut(counters) + LeftOutText(counters);
}

// Whether the export joins pages with what parse wrote of them.
bool IsOfPages(const Asked& asked) { return asked.what == kPagesExport || asked.what == kItemsExport; }

Status CheckOptions(const Asked& asked, const ExportOptions& options) {
  if (options.unique && !IsOfPages(asked)) {
    return UsageError(
        "--unique is for  trawl export pages DIR  and  trawl export items DIR; in other exports duplicate_of tells "
        "them apart");
  }
  return options.format != ExportFormat::kText || asked.what == kGraphExport
             ? Status::OK()
             : UsageError("--format text is for  trawl export graph DIR  alone; write orc or parquet");
}

Status CheckGraph(const Manifest& manifest) {
  return manifest.read_to.contains(kGraphJob)
             ? Status::OK()
             : UsageError("snapshot ", manifest.number, " has no graph; make it first:  trawl graph");
}

Result<int> RunExport(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const Asked asked, ReadArguments(context.arguments));
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  ARROW_ASSIGN_OR_RAISE(const ExportOptions options, context.Read(ExportOptionGroup()));
  ARROW_RETURN_NOT_OK(CheckOptions(asked, options));
  if (asked.what == kGraphExport) ARROW_RETURN_NOT_OK(CheckGraph(crawl->manifest()));
  ARROW_RETURN_NOT_OK(CheckOutside(context.global.root, asked.directory));
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenStore(asked.directory, {.libhdfs = context.global.libhdfs}));
  int parts = PartsOf(crawl->manifest());
  if (IsOfPages(asked)) {
    ARROW_ASSIGN_OR_RAISE(parts, FilesOfPages(crawl->store(), crawl->manifest()));
  }
  const Snapshot& snapshot = crawl->snapshot();
  ARROW_ASSIGN_OR_RAISE(const RespectOptions respect, context.Read(RespectOptionGroup()));
  const ExportBegin begin = {.snapshot = snapshot.manifest.number,
                             .seal = snapshot.seal,
                             .format = options.format,
                             .parts = parts,
                             .what = asked.what,
                             .respect = IsOfPages(asked) ? Respect::Of(respect).Text() : "",
                             .unique = options.unique};
  ARROW_ASSIGN_OR_RAISE(const bool begun, BeginExport(to.get(), begin, options.overwrite));
  if (!begun) {
    ARROW_RETURN_NOT_OK(context.Summarize({{"changed", false}, {"snapshot", begin.snapshot}},
                                          "already done: " + asked.directory + " has this export\n"));
    return kExitDone;
  }
  ARROW_ASSIGN_OR_RAISE(const JobResult result, ExportParts(context, *crawl, asked, parts));
  ARROW_RETURN_NOT_OK(EndExport(to.get()));
  Json json = SummaryOf(result);
  json["changed"] = true;
  ARROW_RETURN_NOT_OK(context.Summarize(json, Readable(asked, result)));
  return kExitDone;
}

}  // namespace

Verb ExportVerb() {
  return {
      .name = "export",
      .summary = "write URLs, hosts, pages, items, links, graph as files",
      .purpose = VerbPurpose::kLook,
      .arguments = "[WHAT] DIR",
      .least_arguments = 1,
      .most_arguments = 2,
      .description =
          "Writes the present rows as plain files: url, host and domain, states as words, real timestamps. Spark, "
          "Trino, DuckDB and pyarrow read DIR/urls and DIR/hosts as they are. WHAT is urls, hosts, robots, pages, "
          "items, links or graph; without it, urls and hosts are written. pages has a row for each URL with a stored "
          "body, with its title and texts; pages that ask for what --respect names, such as noarchive, are left out "
          "and "
          "counted, with --unique also those that another page stands for. items has the structured data of those "
          "pages, "
          "with prices as columns. links has a row for each link of each page. graph has the hosts with their ranks "
          "and "
          "the links between hosts, with --format text in the layout of Common Crawl's web graphs. DIR may also be on "
          "HDFS or S3.",
      .examples = {{"ORC files", "trawl export ./out"},
                   {"For DuckDB",
                    "trawl export ./out --format parquet && duckdb -c \"select state, count(*) from "
                    "'out/urls/*.parquet' group by all\""},
                   {"The text of all pages",
                    "trawl export pages ./out --format parquet && duckdb -c \"select url, title, length(text) from "
                    "'out/pages/*.parquet'\""},
                   {"What is for sale",
                    "trawl export items ./out --format parquet && duckdb -c \"select url, price, currency from "
                    "'out/items/*.parquet' where price <> ''\""}},
      .groups = {&ExportOptionGroup(), &RespectOptionGroup(), &ReadingOptionGroup()},
      .other_groups = {&FetchOptionGroup(), &JobOptionGroup()},
      .run = RunExport};
}

}  // namespace trawl
