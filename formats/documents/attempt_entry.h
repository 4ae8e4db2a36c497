// An entry of a fetch task's chain, `segments/<id>/_attempts/<task>/<n>.json`: who works on a list, and which of its
// rows are safe. docs/storage.md shows one of each kind.
//
// Entries are numbered from 0 without gaps, and each is an exclusive create, so that an attempt whose number was taken
// by another knows that the list is no longer its own.
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
  kBegin = 1,  // the list is this attempt's from here on
  kPart = 2,   // the files it names count
  kBeat = 3,   // it lives
  kEnd = 4,    // it asks no more
};
// "begin", "part", "beat", "end".
std::string_view NameOf(AttemptEvent event);

struct AttemptEntry {
  AttemptEvent event = AttemptEvent::kBegin;
  std::string attempt;  // unique among all attempts of all jobs
  ProcessIdentity process;
  // For so long after this entry the attempt may ask; a successor waits at least as long.
  int64_t lease_ms = 0;
  int64_t at_ms = 0;  // by the crawl's clock
  // Of a begin: the job whose lists the segment has.
  std::string lists_job;
  // Of an end: the list is done, not only the attempt.
  bool done = false;
  // Of a part: its files by dataset, and what was counted since the part before.
  std::map<std::string, std::vector<FileReceipt>> files;
  Json counters = Json::object();

  bool operator==(const AttemptEntry&) const = default;
};

Json ToJson(const AttemptEntry& entry);
arrow::Result<AttemptEntry> AttemptEntryFromJson(const Json& json);

}  // namespace trawl
