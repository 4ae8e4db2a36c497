// A snapshot's manifest, `snapshots/00000042.json`: the names of everything that the crawldb consists of at that
// moment.
//
// Number 0 is the empty crawl and carries the crawl's constants; every later one repeats them. docs/storage.md shows
// one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/digests/digest.h"
#include "formats/documents/json.h"

namespace trawl {

// Raised when an older program could not read the files of a newer one.
inline constexpr int kCrawlFormat = 1;

// A run as a snapshot names it. `seal` is the seal of its `_run.json`. `is_settled`, of a run of urls: trawl settle has
// seen all its rows. Settled runs come first.
struct RunReference {
  std::string run;
  int64_t rows = 0;
  int64_t removed = 0;
  int64_t bytes = 0;
  DigestSum digest;
  std::string seal;
  bool is_settled = false;
  bool operator==(const RunReference&) const = default;
};

// A segment that generate opened. Until `until_ms` no other segment visits its domains. `lists` is the seal of the step
// record that names its fetch lists; `job` wrote that record.
struct OpenSegment {
  std::string id;
  int64_t opened_ms = 0;
  int64_t until_ms = 0;
  std::string job;
  std::string lists;
  bool operator==(const OpenSegment&) const = default;
};

// How a segment ended. An expired one may still be applied or abandoned.
enum class SegmentEnd : int8_t { kApplied, kAbandoned, kExpired };
// "applied": also the stored text.
const char* TextOf(SegmentEnd end);

// A segment that has ended.
struct ClosedSegment {
  std::string id;
  SegmentEnd end = SegmentEnd::kExpired;  // stored as "how"
  std::string job;
  std::string lists;
  int64_t snapshot = 0;  // number of the snapshot that closed it
  // Of an applied one: the updatedb that applied it, and the seal of its round document. Older ones lack both.
  std::string updatedb = {};
  std::string round = {};
  bool operator==(const ClosedSegment&) const = default;
};

// Numbers of the whole crawl, carried forward: a job that changes urls adds what it changed to those of the snapshot
// before (jobs/stats/totals.h), so nobody has to count the table.
struct Totals {
  std::map<std::string, int64_t> states;  // rows of urls, by the state's name
  int64_t bodies = 0;                     // rows of urls that name a stored body
  // Sums over the applied segments.
  int64_t rounds = 0;
  int64_t requests = 0;
  int64_t pages = 0;  // bodies that were stored
  int64_t bytes = 0;  // of all answers, decoded
  int64_t wire_bytes = 0;
  // Rows of urls that another page stands for, by the kind of likeness, and the bodies that are not stored a second time.
  int64_t exact_duplicates = 0;
  int64_t near_duplicates = 0;
  int64_t shared_bytes = 0;

  int64_t urls() const;
  int64_t OfState(const std::string& state) const;
  bool operator==(const Totals&) const = default;
};

struct Manifest {
  int64_t number = 0;
  std::string job;  // the job that published it; empty for number 0
  std::string verb;
  int64_t published_ms = 0;
  std::string previous;  // seal of the manifest before it; empty for number 0
  // Constants of the crawl.
  std::string normal_form;  // stored as "url_policy"
  std::string unicode;
  // Oldest run first: for one key, the row in the later run counts.
  std::map<std::string, std::vector<RunReference>> tables;
  std::vector<OpenSegment> open_segments;
  std::vector<ClosedSegment> closed_segments;
  std::map<std::string, std::string> settings;
  // Nothing in a manifest of an older version.
  std::optional<Totals> totals;
  // The newest snapshot that a job which follows the rounds has read, by the job's name, such as "graph". Of "settle.policy" the
  // number identifies the options by which trawl settle decided last.
  std::map<std::string, int64_t> read_to;

  bool operator==(const Manifest&) const = default;
};

Json ToJson(const Manifest& manifest);
Json ToJson(const Totals& totals);
arrow::Result<Totals> TotalsFromJson(const Json& json);
arrow::Result<Manifest> ManifestFromJson(const Json& json);

}  // namespace trawl
