// The record of a segment's step: the files that generate, fetch or parse wrote, by task and dataset.
//
// For readers a dataset's files exist once the step's record exists. `fetch/_done.json` names those of fetch, content,
// hosts and robots, `parse/_done.json` those of parse and links; the snapshot that opens the segment names generate's
// record. docs/storage.md shows one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/receipt.h"

namespace trawl {

inline constexpr char kGenerateStep[] = "fetchlist";
inline constexpr char kFetchStep[] = "fetch";
inline constexpr char kParseStep[] = "parse";

// The files and counters of one task of the step. Task i of generate wrote list i.
struct StepTask {
  std::map<std::string, std::vector<FileReceipt>> files;  // by dataset, in the order of their rows
  Json facts = Json::object();

  // The files of one dataset, in order; empty where the task wrote none of it.
  const std::vector<FileReceipt>& FilesOf(const std::string& dataset) const;
  bool operator==(const StepTask&) const = default;
};

struct StepRecord {
  std::string segment;
  std::string step;  // also the folder that the record lies in
  std::string job;
  int64_t snapshot = 0;                // the snapshot that the job read
  int64_t now_ms = 0;                  // the time in its plan
  std::map<std::string, int> schemas;  // version of the rows, by dataset
  std::vector<StepTask> tasks;
  Json counters = Json::object();

  // All files of one dataset, in order.
  std::vector<FileReceipt> FilesOf(const std::string& dataset) const;
  int64_t RowsOf(const std::string& dataset) const;
  bool operator==(const StepRecord&) const = default;
};

Json ToJson(const StepRecord& record);
arrow::Result<StepRecord> StepRecordFromJson(const Json& json);

}  // namespace trawl
