// trawl archive --verify: reads every WARC file of a folder again. One thread.
//
// Checks that each record is sound by itself (formats/warc/reader.h), that the files are those that the NAMEs' ends tell of,
// with their SHA-256 and number of records, that ids are unique in a NAME, that the records which others name are there,
// that the records of each type are as many as were counted, that the files which later NAMEs need of a finished one are
// as they were sealed, and that the documents at the top tell of these names.
//
// A damaged file is one fault, whatever it takes with it: what leads into it is counted apart. So is a NAME without its
// documents in _trawl/.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "jobs/archive/folder.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

struct ArchiveVerdict {
  int64_t files = 0;
  int64_t records = 0;
  int64_t bytes = 0;
  std::vector<std::string> faults;  // the first hundred
  int64_t more_faults = 0;
  int64_t lost_references = 0;          // names of records that may have been in damaged files
  std::vector<std::string> lost;        // NAMEs that have data, but no documents of their own
  std::vector<std::string> damaged;     // NAMEs that have damaged files
  std::set<std::string> referred_to;    // NAMEs that --overwrite refuses: finished ones may refer to them
  std::vector<std::string> unfinished;  // NAMEs
  std::vector<std::string> finished;    // NAMEs

  // A folder of which nothing is finished proves nothing.
  bool IsValid() const { return faults.empty() && !finished.empty(); }
};

// UsageError where there is no archive, IOError where _trawl/ is gone from it.
arrow::Result<ArchiveVerdict> VerifyArchive(Store* to, const ArchiveFolder& folder, const StopToken& stop);

Json ToJson(const ArchiveVerdict& verdict);
// `directory` as it was typed.
std::string TextOf(const ArchiveVerdict& verdict, const std::string& directory);

}  // namespace trawl
