// An entry of a fetch task's chain, `segments/<id>/_attempts/<task>/<n>.json`: who works on a list, and which of its
// rows are safe. docs/storage.md shows an entry of each kind.
//
// Entries are numbered from 0 without gaps, and each is an exclusive create. So an attempt whose number another one has
// taken knows that the list is no longer its own.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/process_identity.h"
#include "formats/documents/receipt.h"

namespace trawl {

enum class AttemptEvent : int8_t {
  kBegin = 1,  // from here on the list belongs to this attempt
  kPart = 2,   // the files that it names count
  kBeat = 3,   // the attempt is alive
  kEnd = 4,    // the attempt sends no more requests
};
// "begin", "part", "beat", "end".
std::string_view NameOf(AttemptEvent event);

struct AttemptEntry {
  AttemptEvent event = AttemptEvent::kBegin;
  std::string attempt;  // unique among all attempts of all jobs
  ProcessIdentity process;
  // The attempt may send requests for this time after the entry; a successor waits at least as long.
  int64_t lease_ms = 0;
  int64_t at_ms = 0;  // by the crawl's clock
  // In a begin: the job that wrote the segment's lists.
  std::string lists_job;
  // In an end: the whole list is done, not only the attempt.
  bool done = false;
  // In a part: its files by dataset, and the counters since the part before.
  std::map<std::string, std::vector<FileReceipt>> files;
  Json counters = Json::object();
  // In a part, beat or end: what the task does at that time, in the members of FetchGauges (jobs/verb/live_gauges.h). Null
  // where it has not said so yet, and in entries of an older version.
  Json gauges;

  bool operator==(const AttemptEntry&) const = default;
};

Json ToJson(const AttemptEntry& entry);
arrow::Result<AttemptEntry> AttemptEntryFromJson(const Json& json);

}  // namespace trawl
