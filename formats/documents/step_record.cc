#include "formats/documents/step_record.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

Result<StepTask> TaskFromJson(const Json& json) {
  StepTask task;
  ARROW_ASSIGN_OR_RAISE(const Json* files, GetObject(json, "files"));
  for (const auto& [dataset, receipts] : files->items()) {
    if (!receipts.is_array()) return Status::Invalid("files of '", dataset, "' are not an array");
    std::vector<FileReceipt>& into = task.files[dataset];
    for (const Json& element : receipts) {
      ARROW_ASSIGN_OR_RAISE(FileReceipt receipt, FileReceiptFromJson(element));
      into.push_back(std::move(receipt));
    }
  }
  ARROW_ASSIGN_OR_RAISE(const Json* facts, GetObject(json, "facts"));
  task.facts = *facts;
  return task;
}

Json TaskToJson(const StepTask& task) {
  Json files = Json::object();
  for (const auto& [dataset, receipts] : task.files) {
    files[dataset] = Json::array();
    for (const FileReceipt& receipt : receipts) files[dataset].push_back(ToJson(receipt));
  }
  return {{"files", files}, {"facts", task.facts}};
}

}  // namespace

const std::vector<FileReceipt>& StepTask::FilesOf(const std::string& dataset) const {
  static const std::vector<FileReceipt> kNone;
  const auto found = files.find(dataset);
  return found == files.end() ? kNone : found->second;
}

std::vector<FileReceipt> StepRecord::FilesOf(const std::string& dataset) const {
  std::vector<FileReceipt> all;
  for (const StepTask& task : tasks) {
    const std::vector<FileReceipt>& files = task.FilesOf(dataset);
    all.insert(all.end(), files.begin(), files.end());
  }
  return all;
}

int64_t StepRecord::RowsOf(const std::string& dataset) const {
  int64_t rows = 0;
  for (const FileReceipt& file : FilesOf(dataset)) rows += file.rows;
  return rows;
}

Json ToJson(const StepRecord& record) {
  Json schemas = Json::object();
  for (const auto& [dataset, version] : record.schemas) schemas[dataset] = version;
  Json tasks = Json::array();
  for (const StepTask& task : record.tasks) tasks.push_back(TaskToJson(task));
  return {{"segment", record.segment},   {"step", record.step},     {"job", record.job},
          {"snapshot", record.snapshot}, {"now_ms", record.now_ms}, {"schemas", schemas},
          {"counters", record.counters}, {"tasks", tasks}};
}

Result<StepRecord> StepRecordFromJson(const Json& json) {
  StepRecord record;
  ARROW_ASSIGN_OR_RAISE(record.segment, GetString(json, "segment"));
  ARROW_ASSIGN_OR_RAISE(record.step, GetString(json, "step"));
  ARROW_ASSIGN_OR_RAISE(record.job, GetString(json, "job"));
  ARROW_ASSIGN_OR_RAISE(record.snapshot, GetInt(json, "snapshot"));
  ARROW_ASSIGN_OR_RAISE(record.now_ms, GetInt(json, "now_ms"));
  ARROW_ASSIGN_OR_RAISE(const Json* schemas, GetObject(json, "schemas"));
  for (const auto& [dataset, version] : schemas->items()) {
    if (!version.is_number_integer()) return Status::Invalid("schema of '", dataset, "' is not a number");
    record.schemas[dataset] = version.get<int>();
  }
  ARROW_ASSIGN_OR_RAISE(const Json* counters, GetObject(json, "counters"));
  record.counters = *counters;
  ARROW_ASSIGN_OR_RAISE(const Json* tasks, GetArray(json, "tasks"));
  for (const Json& element : *tasks) {
    ARROW_ASSIGN_OR_RAISE(StepTask task, TaskFromJson(element));
    record.tasks.push_back(std::move(task));
  }
  return record;
}

}  // namespace trawl
