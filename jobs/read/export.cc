// trawl export: writes the present (or another snapshot) as plain ORC or Parquet files that any tool reads.
//
//   reads        each table that has an exported form (formats/rows/export_rows.h), by ranges of slots
//   shuffles by  nothing
//   writes       DIR/urls/part-00000.orc …, DIR/hosts/part-00000.orc …, DIR/_export.json at the beginning, DIR/_SUCCESS
//                at the end
//   counters     urls, hosts: rows by table
//
// The folder belongs to one export. The same command continues an interrupted export, even if the crawl has gone on
// since. It leaves a complete export of the same snapshot and format as it is; --overwrite replaces any other.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <type_traits>

#include "formats/rows/catalog.h"
#include "formats/rows/export_rows.h"
#include "formats/tables/orc.h"
#include "formats/tables/parquet.h"
#include "jobs/read/export_folder.h"
#include "jobs/read/host_walk.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/slot_parts.h"
#include "runtime/process/status_detail.h"
#include "runtime/root/layout.h"
#include "runtime/tables/merge_scan.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kBatchRows = 4096;

struct ExportOptions {
  ExportFormat format = ExportFormat::kOrc;
  bool overwrite = false;
};

const OptionGroup<ExportOptions>& ExportOptionGroup() {
  static const auto group =
      OptionGroup<ExportOptions>("export", "What is written")
          .Choice("format", &ExportOptions::format, "format of the files",
                  {{"orc", ExportFormat::kOrc}, {"parquet", ExportFormat::kParquet}})
          .Bool("overwrite", &ExportOptions::overwrite, "replace a finished export of another snapshot or format")
          .AllMain();
  return group;
}

// Writes one file in either format.
class ExportFile {
 public:
  static Result<std::unique_ptr<ExportFile>> Open(Store* store, const std::string& path, ExportFormat format,
                                                  const std::vector<ColumnSpec>& columns) {
    std::unique_ptr<ExportFile> file(new ExportFile());
    ARROW_ASSIGN_OR_RAISE(file->file_, store->OpenWriter(path));
    if (format == ExportFormat::kOrc) {
      ARROW_ASSIGN_OR_RAISE(file->orc_, OrcWriter::Make(file->file_->stream(), path, columns, {}));
    } else {
      // This object owns the stream; Parquet only wants to share it.
      const std::shared_ptr<arrow::io::OutputStream> shared(file->file_->stream(), [](arrow::io::OutputStream*) {});
      ARROW_ASSIGN_OR_RAISE(file->parquet_, ParquetWriter::Make(shared, path, columns));
    }
    return file;
  }

  Status Write(const BatchBuilder& batch) { return orc_ ? orc_->Write(batch) : parquet_->Write(batch); }
  Status Commit() {
    ARROW_RETURN_NOT_OK(orc_ ? orc_->Close() : parquet_->Close());
    return file_->Commit().status();
  }

 private:
  ExportFile() = default;
  std::unique_ptr<StoreWriter> file_;
  std::unique_ptr<OrcWriter> orc_;  // these two write into file_
  std::unique_ptr<ParquetWriter> parquet_;
};

// Writes one table's rows of the task's slots as one file.
template <typename Row>
class ExportPart {
 public:
  explicit ExportPart(TaskContext* context) : context_(context), batch_(columns_, kBatchRows) {}

  Status Open(Store* to) {
    ARROW_ASSIGN_OR_RAISE(const ExportOptions options, context_->Read(ExportOptionGroup()));
    const std::string path = ExportPartName(Row::kTable, context_->id().number, options.format);
    // An interrupted export or a failed attempt may have left a file.
    ARROW_RETURN_NOT_OK(to->Remove(path));
    ARROW_ASSIGN_OR_RAISE(file_, ExportFile::Open(to, path, options.format, columns_));
    return Status::OK();
  }
  Status Append(const Row& row) {
    ExportRow(row, &exported_);
    AppendToBatch(exported_, &batch_);
    ++context_->counters()[Row::kTable];
    return batch_.full() ? WriteBatch() : Status::OK();
  }
  Status Finish() {
    if (batch_.rows() > 0) ARROW_RETURN_NOT_OK(WriteBatch());
    return file_->Commit();
  }

 private:
  Status WriteBatch() {
    ARROW_RETURN_NOT_OK(context_->CheckStop());
    ARROW_RETURN_NOT_OK(file_->Write(batch_));
    batch_.Clear();
    return Status::OK();
  }

  using ExportedRow = typename Exported<Row>::Type;

  TaskContext* const context_;
  const std::vector<ColumnSpec> columns_ = ColumnsOf<ExportedRow>();
  std::unique_ptr<ExportFile> file_;
  BatchBuilder batch_;
  ExportedRow exported_;
};

template <typename Row>
Status ExportTable(TaskContext& context, Store* to) {
  ARROW_ASSIGN_OR_RAISE(const auto table, Table::Open<Row>(context.store(), context.snapshot()));
  ExportPart<Row> part(&context);
  ARROW_RETURN_NOT_OK(part.Open(to));
  ARROW_RETURN_NOT_OK(
      ForEachRow<Row>(table, {.slots = context.slots()}, [&part](const Row& row) { return part.Append(row); }));
  return part.Finish();
}

// Exports the hosts that readdb stats counts: those with URLs.
template <>
Status ExportTable<HostRow>(TaskContext& context, Store* to) {
  ARROW_ASSIGN_OR_RAISE(auto urls, Table::Open<UrlRow>(context.store(), context.snapshot()));
  ARROW_ASSIGN_OR_RAISE(auto hosts, Table::Open<HostRow>(context.store(), context.snapshot()));
  ARROW_ASSIGN_OR_RAISE(HostWalk walk, HostWalk::Open(std::move(urls), std::move(hosts), {.slots = context.slots()}));
  ExportPart<HostRow> part(&context);
  ARROW_RETURN_NOT_OK(part.Open(to));
  HostRow row;
  bool has_urls = false;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const bool more, walk.Next(&row, &has_urls));
    if (!more) return part.Finish();
    if (has_urls) ARROW_RETURN_NOT_OK(part.Append(row));
  }
}

Status MapSlots(TaskContext& context, const Json&, RowSink&) {
  ARROW_ASSIGN_OR_RAISE(const std::string directory, GetString(context.plan().facts, "directory"));
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenStore(directory));
  Status exported;
  ForEachTable([&](const auto& table) {
    using Row = typename std::decay_t<decltype(table)>::Row;
    if constexpr (kIsExported<Row>) {
      if (exported.ok()) exported = ExportTable<Row>(context, to.get());
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

Result<JobResult> ExportParts(VerbContext& context, Crawl& crawl, int parts) {
  JobRequest request;
  request.spec = ExportSpec();
  request.base_snapshot = crawl.manifest().number;
  request.plan = [&](const JobEnvironment&, const Snapshot&, Plan* plan) {
    plan->facts["directory"] = context.arguments.front();
    plan->parts = EvenSlotParts(parts);
    return Status::OK();
  };
  request.apply = [](const Plan&, const JobOutput&, Manifest*) -> Result<bool> { return false; };
  ARROW_ASSIGN_OR_RAISE(const JobOptions job, context.Read(JobOptionGroup()));
  const bool is_unrecorded = job.runner == RunnerKind::kLocal && MayOnlyRead(context.global.root);
  return is_unrecorded ? RunUnrecorded(context, crawl, request) : crawl.Run(context, request);
}

Result<int> RunExport(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::OpenAt(context));
  ARROW_ASSIGN_OR_RAISE(const ExportOptions options, context.Read(ExportOptionGroup()));
  const std::string& directory = context.arguments.front();
  ARROW_RETURN_NOT_OK(CheckOutside(context.global.root, directory));
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenStore(directory, {.libhdfs = context.global.libhdfs}));
  const int parts = PartsOf(crawl->manifest());
  const Snapshot& snapshot = crawl->snapshot();
  const ExportBegin begin = {snapshot.manifest.number, snapshot.seal, options.format, parts};
  ARROW_ASSIGN_OR_RAISE(const bool begun, BeginExport(to.get(), begin, options.overwrite));
  if (!begun) {
    ARROW_RETURN_NOT_OK(context.Summarize({{"changed", false}, {"snapshot", begin.snapshot}},
                                          "nothing to do: " + directory + " already has this export\n"));
    return kExitDone;
  }
  ARROW_ASSIGN_OR_RAISE(const JobResult result, ExportParts(context, *crawl, parts));
  ARROW_RETURN_NOT_OK(EndExport(to.get()));
  Json json = SummaryOf(result);
  json["changed"] = true;
  const Counters& counters = result.output.counters;
  ARROW_RETURN_NOT_OK(context.Summarize(json, ReadableCount(counters.Get("urls"), "URL") + " and " +
                                                  ReadableCount(counters.Get("hosts"), "host") + " of snapshot " +
                                                  std::to_string(result.snapshot) + " in " + directory + "\n"));
  return kExitDone;
}

}  // namespace

Verb ExportVerb() {
  return {.name = "export",
          .summary = "write the URLs and hosts as ORC or Parquet for other tools",
          .purpose = VerbPurpose::kLook,
          .arguments = "DIR",
          .least_arguments = 1,
          .most_arguments = 1,
          .description =
              "Writes the present rows as plain files: url, host and domain, states as words, real timestamps. Spark, "
              "Trino, DuckDB and pyarrow read DIR/urls and DIR/hosts as they are. DIR may also be on HDFS or S3.",
          .examples = {{"ORC files", "trawl export ./out"},
                       {"For DuckDB",
                        "trawl export ./out --format parquet && duckdb -c \"select state, count(*) from "
                        "'out/urls/*.parquet' group by all\""}},
          .groups = {&ExportOptionGroup(), &ReadingOptionGroup()},
          .other_groups = {&JobOptionGroup()},
          .run = RunExport};
}

}  // namespace trawl
