// The job behind the indexes of an archive.
//
//   reads        DIR/_trawl/NAME/captures
//   shuffles by  range of the index's key, then by the beginning of the capture's line
//   writes       DIR/cc-index/collections/NAME/indexes/cdx-00000.gz, DIR/_trawl/NAME/cluster/part-00000.idx,
//                DIR/cc-index/table/trawl/warc/crawl=NAME/subset=…/part-00000.parquet
//   counters     rows, lines, captures.SUBSET
#include "jobs/cdxindex/index_job.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "formats/cdx/cdxj.h"
#include "formats/documents/archive_begin.h"
#include "formats/rows/row_codec.h"
#include "jobs/cdxindex/capture_files.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The line of a capture up to the end of its URL, but for what is the same in all lines. URLs are escaped as WARC files
// want them, so JSON does not change them, and the quote keeps the order where one URL is the beginning of another.
void SetShuffleKey(const CaptureRow& capture, std::string* key) {
  key->assign(capture.key).append(" ").append(CdxTimestamp(capture.began_ms)).append(" ").append(capture.url) += '"';
}

Status MapCaptures(TaskContext& context, const Json& part, RowSink& sink) {
  ARROW_ASSIGN_OR_RAISE(const IndexPlan plan, IndexPlanFromJson(context.plan().facts));
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenStore(plan.directory));
  ARROW_ASSIGN_OR_RAISE(const Json* files, GetArray(part, "files"));
  int64_t& rows = context.counters()["rows"];
  std::string key, bytes;
  const auto send = [&](const CaptureRow& capture) -> Status {
    if (rows++ % 4096 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    if (capture.key.empty() || capture.key.find(' ') != std::string::npos) {
      return Status::Invalid("the capture ", capture.record_id, " of ", capture.url, " has the key '", capture.key,
                             "', which no index can have");
    }
    SetShuffleKey(capture, &key);
    EncodeRow(capture, &bytes);
    return sink.EmitTo(RangeOfKey(plan.splits, capture.key), key, bytes);
  };
  for (const Json& file : *files) {
    ARROW_ASSIGN_OR_RAISE(const FileReceipt receipt, FileReceiptFromJson(file));
    ARROW_RETURN_NOT_OK(ForEachCapture(to.get(), ArchivePaths(plan.name).Captures(), receipt, send));
  }
  return Status::OK();
}

// Captures of one URL in one second, in the order of their lines. They are few: a host is asked once at a time.
class Group {
 public:
  Status Read(GroupStream& groups) {
    size_ = 0;
    std::string_view value;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextValue(&value));
      if (!more) break;
      if (size_ == captures_.size()) captures_.emplace_back();
      Capture& capture = captures_[size_++];
      ARROW_RETURN_NOT_OK(DecodeRow(value, &capture.row));
      capture.line.clear();
      AppendCdxjLine(capture.row, &capture.line);
    }
    std::sort(captures_.begin(), captures_.begin() + static_cast<std::ptrdiff_t>(size_),
              [](const Capture& a, const Capture& b) { return a.line < b.line; });
    return Status::OK();
  }
  Status AddTo(IndexShard* shard) const {
    for (size_t i = 0; i < size_; ++i) ARROW_RETURN_NOT_OK(shard->Add(captures_[i].row, captures_[i].line));
    return Status::OK();
  }

 private:
  struct Capture {
    CaptureRow row;
    std::string line;
  };
  std::vector<Capture> captures_;  // keeps its memory
  size_t size_ = 0;
};

// Merge rules:
//  1. Each capture has one line and one row of the table of its subset.
//  2. Lines are in the order of their bytes; two that are equal are an error, for both would name one record.
Status ReduceCaptures(TaskContext& context, GroupStream& groups) {
  ARROW_ASSIGN_OR_RAISE(const IndexPlan plan, IndexPlanFromJson(context.plan().facts));
  ARROW_ASSIGN_OR_RAISE(const auto to, OpenStore(plan.directory));
  IndexShard shard(to.get(), plan, context.id().number);
  Group group;
  for (int64_t groups_read = 0;; ++groups_read) {
    if (groups_read % 4096 == 0) ARROW_RETURN_NOT_OK(context.CheckStop());
    ARROW_ASSIGN_OR_RAISE(const bool more, groups.NextGroup());
    if (!more) break;
    ARROW_RETURN_NOT_OK(group.Read(groups));
    ARROW_RETURN_NOT_OK(group.AddTo(&shard));
  }
  ARROW_ASSIGN_OR_RAISE(const std::vector<ArchiveFile> files, shard.Finish());
  context.counters()["lines"] += shard.lines();
  for (const auto& [subset, captures] : shard.captures()) context.counters()["captures." + subset] += captures;
  Json list = Json::array();
  for (const ArchiveFile& file : files) list.push_back(ToJson(file));
  context.facts() = {{"files", std::move(list)}};
  return Status::OK();
}

// One map task per so many rows: neighbouring files of small parts go together.
std::vector<Json> PartsOf(const std::vector<FileReceipt>& captures) {
  constexpr int64_t kRowsAPart = 500'000;
  std::vector<Json> parts;
  int64_t rows = kRowsAPart;
  for (const FileReceipt& file : captures) {
    if (rows >= kRowsAPart) {
      parts.push_back({{"files", Json::array()}});
      rows = 0;
    }
    parts.back()["files"].push_back(ToJson(file));
    rows += file.rows;
  }
  return parts;
}

}  // namespace

JobSpec CdxindexSpec() { return {.name = "cdxindex", .map = MapCaptures, .reduce = ReduceCaptures}; }

JobRequest CdxindexRequest(const IndexPlan& index, std::vector<FileReceipt> captures, int64_t snapshot) {
  JobRequest request;
  request.spec = CdxindexSpec();
  request.base_snapshot = snapshot;
  request.plan = [index, captures = std::move(captures)](const JobEnvironment&, const Snapshot&, Plan* plan) {
    plan->facts = ToJson(index);
    plan->parts = PartsOf(captures);
    plan->partitions = static_cast<int>(index.splits.size()) + 1;
    plan->work.bytes = 0;
    for (const FileReceipt& file : captures) plan->work.bytes += 2 * file.seal.size_bytes;  // read and written
    return Status::OK();
  };
  request.apply = [](const Plan&, const JobOutput&, Manifest*) -> Result<bool> { return false; };
  return request;
}

}  // namespace trawl
