#include "jobs/cdxindex/indexes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "formats/digests/digest.h"
#include "formats/documents/sealed_json.h"
#include "jobs/cdxindex/capture_files.h"
#include "jobs/cdxindex/cluster.h"
#include "jobs/cdxindex/index_job.h"
#include "jobs/cdxindex/layout.h"
#include "jobs/cdxindex/paths.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kMaxRecordBytes = int64_t{1} << 30;

IndexPlan PlanOf(const IndexWish& wish) {
  IndexPlan plan = {.directory = wish.directory,
                    .name = wish.begin.name,
                    .cdxj = wish.options.HasIndex("cdxj"),
                    .table = std::nullopt,
                    .block_lines = wish.options.block_lines,
                    .level = wish.options.level,
                    .splits = {}};
  if (wish.options.HasIndex("parquet")) plan.table = NullableFormat::kParquet;
  if (wish.options.HasIndex("orc")) plan.table = NullableFormat::kOrc;
  return plan;
}

std::vector<FileReceipt> CapturesOf(const std::vector<ArchivePart>& parts) {
  std::vector<FileReceipt> files;
  for (const ArchivePart& part : parts) files.insert(files.end(), part.captures.begin(), part.captures.end());
  return files;
}

// Differs where an index is made of other rows or in another way.
std::string FingerprintOf(const IndexPlan& plan, const std::vector<FileReceipt>& captures) {
  Json made_of = ToJson(plan);
  made_of.erase("directory");
  made_of.erase("splits");
  for (const FileReceipt& file : captures) made_of["captures"].push_back(ToJson(file));
  return ToHex(Hash64(DumpJson(made_of)));
}

// A store that lost an acknowledged file must be found out before anything names the file.
Status CheckStored(Store* to, const std::string& name, const std::vector<ArchiveFile>& files) {
  std::map<std::string, int64_t> sizes;
  for (const std::string& folder : {ArchivePaths(name).Cdxj(), TableFolder(name)}) {
    ARROW_ASSIGN_OR_RAISE(const auto entries, to->List(folder, /*recursive=*/true));
    for (const StoreEntry& entry : entries) sizes[entry.path] = entry.size_bytes;
  }
  for (const ArchiveFile& file : files) {
    const auto there = sizes.find(file.path);
    if (there == sizes.end()) return Status::IOError(file.path, ": was written, but is missing");
    if (there->second != file.size_bytes) {
      return Status::IOError(file.path, ": has ", there->second, " bytes, but ", file.size_bytes, " were written");
    }
  }
  return Status::OK();
}

// The files that an earlier call made of the same rows, if all of them are there.
Result<std::optional<std::vector<ArchiveFile>>> FilesMadeBefore(Store* to, const std::string& name,
                                                                const std::string& fingerprint) {
  const std::string path = IndexRecordPath(name);
  const Result<std::string> text = to->ReadWhole(path, kMaxRecordBytes);
  if (!text.ok() && IsNotFound(text.status())) return std::nullopt;
  ARROW_RETURN_NOT_OK(text.status());
  ARROW_ASSIGN_OR_RAISE(const Json record, OpenSealedJson(*text, path));
  ARROW_ASSIGN_OR_RAISE(const std::string made_of, GetString(record, "made_of"));
  if (made_of != fingerprint) return std::nullopt;
  std::vector<ArchiveFile> files;
  ARROW_ASSIGN_OR_RAISE(const Json* list, GetArray(record, "files"));
  for (const Json& file : *list) {
    ARROW_ASSIGN_OR_RAISE(files.emplace_back(), ArchiveFileFromJson(file));
  }
  if (!CheckStored(to, name, files).ok()) return std::nullopt;
  return files;
}

Status WriteRecord(Store* to, const std::string& name, const std::string& fingerprint,
                   const std::vector<ArchiveFile>& files) {
  const std::string path = IndexRecordPath(name);
  ARROW_RETURN_NOT_OK(to->Remove(path));
  Json list = Json::array();
  for (const ArchiveFile& file : files) list.push_back(ToJson(file));
  return to->CreateExclusive(path, SealJson({{"made_of", fingerprint}, {"files", std::move(list)}})).status();
}

struct Outcome {
  std::vector<ArchiveFile> files;
  std::vector<int> shards;  // that have lines
};

// Takes the files out of the reduce tasks' receipts, and holds their rows against those that went in.
Result<Outcome> OutcomeOf(const IndexPlan& plan, const JobOutput& output, int64_t rows) {
  Outcome outcome;
  int64_t lines = 0, table_rows = 0;
  for (const TaskReceipt& receipt : output.receipts) {
    if (!receipt.id.is_reduce) continue;
    ARROW_ASSIGN_OR_RAISE(const Json* files, GetArray(receipt.facts, "files"));
    for (const Json& json : *files) {
      ARROW_ASSIGN_OR_RAISE(ArchiveFile file, ArchiveFileFromJson(json));
      const bool is_shard = file.path == ArchivePaths(plan.name).Cdxj() + "/" + ShardName(receipt.id.number);
      if (is_shard) outcome.shards.push_back(receipt.id.number);
      (is_shard ? lines : table_rows) += file.records;
      outcome.files.push_back(std::move(file));
    }
  }
  const int64_t read = output.counters.Get("rows");
  if (read != rows || (plan.cdxj && lines != rows) || (plan.table && table_rows != rows)) {
    return Status::IOError("of ", rows, " captures ", read, " were read; the index has ", lines, " lines and ",
                           table_rows, " rows");
  }
  return outcome;
}

// Runs the job, and writes what only the driver can.
Result<std::vector<ArchiveFile>> IndexAnew(const JobEnvironment& environment, const IndexWish& wish, IndexPlan plan,
                                           const std::vector<FileReceipt>& captures, int64_t rows) {
  for (const std::string& folder : {ArchivePaths(plan.name).Cdxj(), TableFolder(plan.name), ClusterFolder(plan.name)}) {
    ARROW_RETURN_NOT_OK(wish.to->RemoveFolder(folder));
  }
  const int64_t shards = (rows + kRowsAShard - 1) / kRowsAShard;
  ARROW_ASSIGN_OR_RAISE(plan.splits, SplitKeys(wish.to, ArchivePaths(plan.name).Captures(), captures, shards));
  ARROW_ASSIGN_OR_RAISE(const JobResult result,
                        RunJob(environment, CdxindexRequest(plan, captures, wish.begin.snapshot)));
  ARROW_ASSIGN_OR_RAISE(Outcome outcome, OutcomeOf(plan, result.output, rows));
  if (plan.cdxj) {
    ARROW_ASSIGN_OR_RAISE(const auto cluster, WriteCluster(wish.to, plan.name, outcome.shards));
    outcome.files.insert(outcome.files.end(), cluster.begin(), cluster.end());
  }
  ARROW_RETURN_NOT_OK(CheckStored(wish.to, plan.name, outcome.files));
  return std::move(outcome.files);
}

void SortByPath(std::vector<ArchiveFile>* files) {
  std::sort(files->begin(), files->end(), [](const ArchiveFile& a, const ArchiveFile& b) { return a.path < b.path; });
}

}  // namespace

Result<std::vector<ArchiveFile>> MakeIndexes(const JobEnvironment& environment, const IndexWish& wish) {
  const IndexPlan plan = PlanOf(wish);
  const std::vector<FileReceipt> captures = CapturesOf(wish.parts);
  int64_t rows = 0;
  for (const FileReceipt& file : captures) rows += file.rows;

  std::vector<ArchiveFile> files;
  if (rows > 0 && (plan.cdxj || plan.table)) {
    const std::string fingerprint = FingerprintOf(plan, captures);
    ARROW_ASSIGN_OR_RAISE(auto made_before, FilesMadeBefore(wish.to, plan.name, fingerprint));
    if (made_before) {
      files = *std::move(made_before);
    } else {
      ARROW_ASSIGN_OR_RAISE(files, IndexAnew(environment, wish, plan, captures, rows));
      SortByPath(&files);
      ARROW_RETURN_NOT_OK(WriteRecord(wish.to, plan.name, fingerprint, files));
    }
  }
  std::vector<ArchiveFile> listed = files;
  for (const ArchivePart& part : wish.parts) listed.insert(listed.end(), part.files.begin(), part.files.end());
  ARROW_ASSIGN_OR_RAISE(const auto lists, WritePaths(wish.to, plan.name, listed));
  files.insert(files.end(), lists.begin(), lists.end());
  SortByPath(&files);
  return files;
}

}  // namespace trawl
