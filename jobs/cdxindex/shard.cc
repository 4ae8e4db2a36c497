#include "jobs/cdxindex/shard.h"

#include <utility>

#include "formats/documents/archive_begin.h"
#include "formats/text/deflate.h"
#include "jobs/cdxindex/cluster.h"
#include "jobs/cdxindex/layout.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Json ToJson(const IndexPlan& plan) {
  const char* const table = !plan.table ? "" : *plan.table == NullableFormat::kOrc ? "orc" : "parquet";
  return {{"directory", plan.directory},     {"name", plan.name},   {"cdxj", plan.cdxj},    {"table", table},
          {"block_lines", plan.block_lines}, {"level", plan.level}, {"splits", plan.splits}};
}

Result<IndexPlan> IndexPlanFromJson(const Json& facts) {
  IndexPlan plan;
  ARROW_ASSIGN_OR_RAISE(plan.directory, GetString(facts, "directory"));
  ARROW_ASSIGN_OR_RAISE(plan.name, GetString(facts, "name"));
  ARROW_ASSIGN_OR_RAISE(plan.cdxj, GetBool(facts, "cdxj"));
  ARROW_ASSIGN_OR_RAISE(const std::string table, GetString(facts, "table"));
  if (table.empty()) {
    plan.table.reset();
  } else {
    plan.table = table == "orc" ? NullableFormat::kOrc : NullableFormat::kParquet;
  }
  ARROW_ASSIGN_OR_RAISE(plan.block_lines, GetInt(facts, "block_lines"));
  ARROW_ASSIGN_OR_RAISE(const int64_t level, GetInt(facts, "level"));
  plan.level = static_cast<int>(level);
  ARROW_ASSIGN_OR_RAISE(plan.splits, GetStrings(facts, "splits"));
  return plan;
}

Status IndexShard::Add(const CaptureRow& capture, std::string_view line) {
  ++lines_;
  ++captures_[capture.subset];
  if (plan_.cdxj) ARROW_RETURN_NOT_OK(AddLine(line));
  return plan_.table ? AddRow(capture) : Status::OK();
}

Status IndexShard::AddLine(std::string_view line) {
  if (!zipnum_) {
    ARROW_ASSIGN_OR_RAISE(GzipMembers gzip, GzipMembers::Make(plan_.level));
    zipnum_.emplace(std::move(gzip), plan_.block_lines);
    const std::string path = ArchivePaths(plan_.name).Cdxj() + "/" + ShardName(number_);
    ARROW_ASSIGN_OR_RAISE(lines_file_, ArchiveFileWriter::Open(to_, path));
    ARROW_ASSIGN_OR_RAISE(cluster_file_, ArchiveFileWriter::Open(to_, ClusterPart(plan_.name, number_)));
  }
  ARROW_RETURN_NOT_OK(zipnum_->Add(line, &compressed_));
  return compressed_.empty() ? Status::OK() : WriteBlocks();
}

Status IndexShard::WriteBlocks() {
  ARROW_RETURN_NOT_OK(lines_file_->Write(compressed_));
  compressed_.clear();
  std::string text;
  for (const ZipNumBlock& block : zipnum_->blocks()) AppendBlock(block, &text);
  blocks_ += static_cast<int64_t>(zipnum_->blocks().size());
  zipnum_->blocks().clear();
  return cluster_file_->Write(text);
}

Status IndexShard::AddRow(const CaptureRow& capture) {
  TableFile& subset = tables_[capture.subset];
  if (subset.table == nullptr) {
    const char* const ending = *plan_.table == NullableFormat::kOrc ? "orc" : "parquet";
    const std::string path = TablePart(plan_.name, capture.subset, number_, ending);
    ARROW_ASSIGN_OR_RAISE(subset.file, ArchiveFileWriter::Open(to_, path));
    ARROW_ASSIGN_OR_RAISE(subset.table, CaptureTable::Make(subset.file->stream(), path, *plan_.table));
  }
  return subset.table->Add(capture);
}

Result<std::vector<ArchiveFile>> IndexShard::Finish() {
  std::vector<ArchiveFile> files;
  if (zipnum_) {
    ARROW_RETURN_NOT_OK(zipnum_->Finish(&compressed_));
    ARROW_RETURN_NOT_OK(WriteBlocks());
    ARROW_ASSIGN_OR_RAISE(files.emplace_back(), lines_file_->Commit(zipnum_->lines()));
    ARROW_RETURN_NOT_OK(cluster_file_->Commit(blocks_).status());
  }
  for (auto& [subset, one] : tables_) {
    ARROW_RETURN_NOT_OK(one.table->Close());
    ARROW_ASSIGN_OR_RAISE(files.emplace_back(), one.file->Commit(one.table->rows()));
  }
  return files;
}

}  // namespace trawl
