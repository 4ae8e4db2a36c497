#include "jobs/capture/plan_facts.h"

#include <cstdio>
#include <limits>
#include <optional>

#include "arrow/io/interfaces.h"
#include "formats/rows/fetch_row.h"
#include "runtime/root/segment_data.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kArchiveFact[] = "archive";
constexpr char kDirectoryFact[] = "directory";
constexpr char kSegmentsFact[] = "segments";  // jobs/upkeep/running_jobs.cc reads it

}  // namespace

void AddArchiveFacts(const ArchiveBegin& begin, const std::string& directory, Plan* plan) {
  plan->facts[kArchiveFact] = ToJson(begin);
  plan->facts[kDirectoryFact] = directory;
  Json segments = Json::array();
  for (const ArchiveSegment& segment : begin.segments) segments.push_back(segment.id);
  plan->facts[kSegmentsFact] = segments;
}

Result<ArchiveFacts> ArchiveFactsOf(const Plan& plan) {
  ArchiveFacts facts;
  ARROW_ASSIGN_OR_RAISE(const Json* begin, GetObject(plan.facts, kArchiveFact));
  ARROW_ASSIGN_OR_RAISE(facts.begin, ArchiveBeginFromJson(*begin));
  ARROW_ASSIGN_OR_RAISE(facts.directory, GetString(plan.facts, kDirectoryFact));
  return facts;
}

Result<std::vector<FileReceipt>> FetchFilesOf(Store* store, const std::string& segment) {
  ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> fetched, ReadStep(store, segment, kFetchStep));
  if (!fetched) return Status::IOError("segment ", segment, ": the record of its fetch is gone");
  return fetched->FilesOf(FetchRow::kTable);
}

std::string KeptPrefix(int number) {
  char prefix[32];
  std::snprintf(prefix, sizeof prefix, "part-%05d", number);
  return prefix;
}

RowFileOptions KeptFileOptions() {
  RowFileOptions options;
  options.sorted = false;
  options.file_bytes = std::numeric_limits<int64_t>::max();
  options.file_rows = std::numeric_limits<int64_t>::max();
  options.batch_rows = 1024;
  options.orc.stripe_bytes = int64_t{4} << 20;
  return options;
}

Json ToJson(const std::vector<FileReceipt>& files) {
  Json json = Json::array();
  for (const FileReceipt& file : files) json.push_back(ToJson(file));
  return json;
}

Result<std::vector<FileReceipt>> FileReceiptsFromJson(const Json& json) {
  std::vector<FileReceipt> files;
  for (const Json& file : json) {
    ARROW_ASSIGN_OR_RAISE(files.emplace_back(), FileReceiptFromJson(file));
  }
  return files;
}

Result<std::unique_ptr<OrcReader>> OpenKeptFile(Store* to, const std::string& folder, const FileReceipt& file,
                                                std::vector<ColumnSpec> columns) {
  constexpr BlockCacheOptions kCache = {.block_bytes = 0, .capacity_bytes = int64_t{8} << 20};
  const std::string path = folder + "/" + file.name;
  ARROW_ASSIGN_OR_RAISE(auto bytes, to->OpenVerified(path, file.seal, kCache));
  ARROW_ASSIGN_OR_RAISE(auto reader, OrcReader::Open(std::move(bytes), path, std::move(columns)));
  if (reader->rows() != file.rows) {
    return Status::IOError(path, ": has ", reader->rows(), " rows, its receipt says ", file.rows);
  }
  return reader;
}

}  // namespace trawl
