// What kept snapshots name: every other file of a crawl is garbage. One thread.
//
// Of a segment that a kept snapshot has open or applied, and of a step of it that is done, only the files stay that the
// step's record names; those of a step that is not done may all be needed yet. The chains of attempts go when fetch is
// done.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

struct KeepOptions {
  int64_t snapshots = 3;   // the last so many
  int64_t ms = 0;          // and those that were the present so long ago
  std::set<int64_t> read;  // and these
};

class KeptNames {
 public:
  static arrow::Result<KeptNames> Read(Store* store, const KeepOptions& keep, TimeMs now_ms);

  // Whether the file stays. What is none of a crawl's files does.
  bool Has(const std::string& path) const;

 private:
  // A segment's files, from the records of its steps that are done.
  struct Segment {
    std::map<std::string, std::string> lists;             // job → seal of its record
    std::set<std::string> done;                           // steps
    std::set<std::pair<std::string, std::string>> files;  // dataset, name
  };
  arrow::Status AddSnapshot(const Manifest& manifest);
  static arrow::Status ReadRecords(Store* store, const std::string& id, Segment* segment);
  bool HasDatasetFile(const std::string& id, const std::string& dataset, const std::string& name) const;

  std::set<std::pair<std::string, std::string>> runs_;  // table, run
  std::map<std::string, Segment> segments_;
};

}  // namespace trawl
