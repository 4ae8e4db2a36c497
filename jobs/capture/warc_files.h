// The WARC files of one part and one folder: record by record, a file after another. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/archive_begin.h"
#include "formats/text/deflate.h"
#include "formats/warc/record.h"
#include "jobs/cdxindex/archive_file.h"
#include "runtime/store/store.h"

namespace trawl {

// What decides the names of the files and their warcinfo records.
struct WarcFilesPlan {
  const ArchiveBegin* begin = nullptr;  // outlives the object
  size_t segment = 0;
  std::string folder;  // a subset, or "wet"
  int part = 0;
  int64_t file_bytes = 0;  // a file ends with the capture that reaches this size
};

// Where a record lies.
struct RecordPlace {
  std::string filename;
  int64_t offset = 0;
  int64_t length = 0;
};

class WarcFiles {
 public:
  // `to`, `members` and `records` outlive the object.
  WarcFiles(Store* to, GzipMembers* members, const WarcRecords* records, WarcFilesPlan plan);

  // Begins the records of a capture, which stay in one file. Returns the id of the file's warcinfo record.
  arrow::Result<std::string> BeginCapture();
  arrow::Result<RecordPlace> Append(std::string_view record);
  arrow::Result<std::vector<ArchiveFile>> Finish();

 private:
  arrow::Status OpenFile();
  arrow::Status CloseFile();

  Store* const to_;
  GzipMembers& members_;
  const WarcRecords& records_;
  const WarcFilesPlan plan_;
  int opened_ = 0;
  std::string path_, warcinfo_id_;
  std::unique_ptr<ArchiveFileWriter> file_;
  int64_t records_in_file_ = 0;
  std::vector<ArchiveFile> files_;
};

}  // namespace trawl
