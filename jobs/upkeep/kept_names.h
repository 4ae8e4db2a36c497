// The names that kept snapshots refer to. Every other file of a crawl is garbage. One thread.
//
// A content file whose place a store of bodies has taken goes once all kept snapshots name that store (move_bodies.h).
// A segment stays if a kept snapshot has it open or applied. Of a step that is done, only the files that its record
// names stay; of a step that is not done, all files stay, since they may still be needed. The chains of attempts go
// when fetch is done. Of a segment that no kept snapshot has open, what nobody reads any more goes (spent.h). Of a job
// that is over the plan goes, and the report where another document says the same: the record of a segment's step, or
// the manifest that compact published.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "jobs/upkeep/spent.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

struct KeepOptions {
  int64_t snapshots = 3;                // this many of the last ones stay
  int64_t ms = 0;                       // and those that were the present within this time
  std::set<int64_t> read;               // and these
  std::set<std::string> reported = {};  // jobs that are over
};

class KeptNames {
 public:
  static arrow::Result<KeptNames> Read(Store* store, const KeepOptions& keep, TimeMs now_ms);

  // Whether the file stays. A file that is not the crawl's stays.
  bool Has(const std::string& path) const;

 private:
  // A segment's files, from the records of its steps that are done.
  struct Segment {
    std::map<std::string, std::string> lists;             // job → seal of its record
    std::set<std::string> done;                           // steps
    std::set<std::pair<std::string, std::string>> files;  // dataset, name
    bool is_open = false;                                 // in a kept snapshot
    ListsFacts facts;
  };
  arrow::Status AddSnapshot(const Manifest& manifest);
  arrow::Status ReadRecords(Store* store, const std::string& id, Segment* segment);
  bool HasDatasetFile(const std::string& id, const std::string& dataset, const std::string& name) const;

  std::set<std::pair<std::string, std::string>> runs_;  // table, run
  std::map<std::string, Segment> segments_;
  int snapshots_ = 0;
  std::map<std::string, int> stores_;  // stores of bodies, and how many snapshots name them
  std::set<std::string> replaced_;     // paths of content files
  std::set<std::string> rounds_;       // jobs with the document of an applied segment
  std::set<std::string> reported_;
  std::set<std::string> recorded_;  // jobs whose record of a step stays
};

}  // namespace trawl
