// Writes one shard of an archive's indexes: the lines of a range of keys, and their rows of the table. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow/status.h"
#include "formats/cdx/capture_row.h"
#include "formats/cdx/columns.h"
#include "formats/cdx/zipnum.h"
#include "jobs/cdxindex/archive_file.h"

namespace trawl {

// The facts of the plan: what every task knows.
struct IndexPlan {
  std::string directory;  // as tasks open it
  std::string name;
  bool cdxj = true;
  std::optional<NullableFormat> table = NullableFormat::kParquet;
  int64_t block_lines = kZipNumLines;
  int level = 6;
  std::vector<std::string> splits;  // see SplitKeys
};
Json ToJson(const IndexPlan& plan);
arrow::Result<IndexPlan> IndexPlanFromJson(const Json& facts);

class IndexShard {
 public:
  // `to` is the archive's folder; both outlive the shard.
  IndexShard(Store* to, const IndexPlan& plan, int number) : to_(to), plan_(plan), number_(number) {}

  // REQUIRES: captures come in the order of their lines.
  arrow::Status Add(const CaptureRow& capture, std::string_view line);
  // Gives the files their names and returns them: the shard, the parts of the table. A shard without captures has none.
  // At ClusterPart() then stand the shard's blocks.
  arrow::Result<std::vector<ArchiveFile>> Finish();

  int64_t lines() const { return lines_; }
  const std::map<std::string, int64_t>& captures() const { return captures_; }  // by subset

 private:
  struct TableFile {
    std::unique_ptr<ArchiveFileWriter> file;
    std::unique_ptr<CaptureTable> table;  // writes into file
  };

  arrow::Status AddLine(std::string_view line);
  arrow::Status WriteBlocks();
  arrow::Status AddRow(const CaptureRow& capture);

  Store* const to_;
  const IndexPlan& plan_;
  const int number_;
  std::unique_ptr<ArchiveFileWriter> lines_file_, cluster_file_;  // made with the first line
  std::optional<ZipNumWriter> zipnum_;
  std::string compressed_;
  int64_t blocks_ = 0;
  std::map<std::string, TableFile> tables_;  // by subset
  int64_t lines_ = 0;
  std::map<std::string, int64_t> captures_;
};

}  // namespace trawl
