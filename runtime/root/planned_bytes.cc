#include "runtime/root/planned_bytes.h"

namespace trawl {

namespace {

int64_t BytesOfRuns(const std::vector<RunReference>& runs) {
  int64_t bytes = 0;
  for (const RunReference& run : runs) bytes += run.bytes;
  return bytes;
}

}  // namespace

int64_t BytesOfTables(const Manifest& manifest) {
  int64_t bytes = 0;
  for (const auto& [table, runs] : manifest.tables) bytes += BytesOfRuns(runs);
  return bytes;
}

int64_t BytesOfTables(const Manifest& manifest, std::initializer_list<std::string> tables) {
  int64_t bytes = 0;
  for (const std::string& table : tables) {
    const auto found = manifest.tables.find(table);
    if (found != manifest.tables.end()) bytes += BytesOfRuns(found->second);
  }
  return bytes;
}

int64_t BytesOfDataset(const StepRecord& record, const std::string& dataset) {
  int64_t bytes = 0;
  for (const StepTask& task : record.tasks) {
    for (const FileReceipt& file : task.FilesOf(dataset)) bytes += file.seal.size_bytes;
  }
  return bytes;
}

}  // namespace trawl
