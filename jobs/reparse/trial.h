// What other rules of URLs would let in and leave out, before they are set: trawl reparse --dry_run.
//
// The bodies that are to be read under the rules are read as they would be, into a segment that is then thrown away, and a
// job compares its links with the urls table.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "arrow/result.h"
#include "jobs/reparse/reparse.h"

namespace trawl {

struct Trial {
  int64_t pages = 0;  // would be read again
  int64_t links = 0;
  int64_t gone = 0;
  int64_t urls_new = 0;
  // The URLs that would come in, by the rule of the present settings that keeps them out; "none" where only the reading is
  // missing.
  std::map<std::string, int64_t> let_in;
  // The URLs that are known and would not be asked for any more, by the rule.
  std::map<std::string, int64_t> leave_out;
};

// `options` are those of the verb: the rules that are tried. The present ones come from the settings of the snapshot.
arrow::Result<Trial> TryReading(Store* store, const ReadingRequest& request, const RunJobHere& run);

}  // namespace trawl
