// Facts about files that are known without opening them: receipts of files, and the record `_run.json` of a run or of
// the small runs of a job.
//
// A task reports a receipt for each file it wrote; the driver verifies them and puts them into the run's record, which
// a snapshot names by its seal. docs/storage.md shows an example of both.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/digests/digest.h"
#include "formats/digests/file_seal.h"
#include "formats/documents/json.h"
#include "formats/url/slot_range.h"

namespace trawl {

struct FileReceipt {
  std::string name;  // within its folder
  int64_t rows = 0;
  int64_t removed = 0;  // the number of rows that are tombstones
  DigestSum digest;     // logical digest of the rows
  uint32_t first_slot = 0;
  uint32_t last_slot = 0;
  std::string first_key;  // empty in a dataset without keys, or without rows
  std::string last_key;
  FileSeal seal;
  FileSeal sidecar;  // seal of `_<name without .orc>.idx`; size 0: there is no such file
  // The sidecar itself, where it is so small that a file of its own would be the larger part of its cost.
  std::string small_sidecar;

  bool operator==(const FileReceipt&) const = default;
};

// The name of a data file's sidecar: "r0-0-0.orc" has "_r0-0-0.idx".
std::string SidecarName(const std::string& file_name);

Json ToJson(const FileSeal& seal);
arrow::Result<FileSeal> FileSealFromJson(const Json& json);

Json ToJson(const FileReceipt& receipt);
arrow::Result<FileReceipt> FileReceiptFromJson(const Json& json);

// `_run.json`: the rows of one table that one job wrote.
struct RunRecord {
  std::string table;
  int schema = 1;  // version of the row
  std::string job;
  std::vector<FileReceipt> files;  // in the order of their rows

  int64_t rows() const;
  int64_t removed() const;
  int64_t bytes() const;
  DigestSum digest() const;
};

Json ToJson(const RunRecord& record);
arrow::Result<RunRecord> RunRecordFromJson(const Json& json);

// The records of the small runs that one job wrote into several tables: {"format", "runs": [record, …]}.
Json ToJson(const std::vector<RunRecord>& records);
arrow::Result<std::vector<RunRecord>> RunRecordsFromJson(const Json& json);

}  // namespace trawl
