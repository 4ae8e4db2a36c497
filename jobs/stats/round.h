// The document of a round, `jobs/<updatedb's id>/round.json`: all that is worth knowing of an applied segment, so that
// nobody has to read its rows again. docs/storage.md shows one.
//
// updatedb makes it before it publishes, and its manifest names the seal. So every applied segment has its document,
// whenever a process was killed; segments that an older version applied have none.
#pragma once

#include <optional>
#include <string>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "formats/documents/step_record.h"
#include "jobs/policy/read_policy.h"
#include "jobs/sums/ever.h"
#include "runtime/job/job.h"

namespace trawl {

inline constexpr int64_t kMostRoundBytes = 64 << 20;

// What a document is made of. All that it refers to must outlive it.
struct RoundSource {
  Store* store = nullptr;
  const StepRecord& lists;
  const StepRecord& fetched;
  const StepRecord& parsed;
  const Plan& plan;          // updatedb's
  const Counters& counters;  // updatedb's
  int64_t updatedb_ms = 0;   // how long updatedb has taken so far
  const Manifest& next;      // with the runs and totals of the round
};

arrow::Result<Json> MakeRound(const RoundSource& source);
// The document of a segment that read stored bodies again: its kind is "reparse", and it has the members of the other
// kind, "round", with an empty fetch. `lists` and `fetched` are not read.
arrow::Result<Json> MakeReadingRound(const RoundSource& source);

// What the newest document says of pages that are to be read again (trawl reparse), so that nobody has to count them.
struct ReadingStanding {
  std::string policy;              // ReadPolicy::Text of the last updatedb; empty where none has said so
  std::optional<int64_t> to_read;  // under that policy; nothing where it is not known
};
arrow::Result<ReadingStanding> ReadReadingStanding(Store* store, const Manifest& manifest);
// Notes in a snapshot that is to be published that no page is to be read again under this policy. A round that is applied
// later says it in its document.
void NoteNothingToRead(const ReadPolicy& policy, Manifest* next);

// Stores the document of a job and returns its seal. Where the job has one already, that one stays.
arrow::Result<std::string> StoreRound(Store* store, const std::string& job, const Json& round);

// How many pages of a crawl had no text without JavaScript, as the documents tell it: they carry the sum from round to
// round, beginning with the first one. Reads the newest document only.
arrow::Result<int64_t> PagesThatNeedScript(Store* store, const Manifest& manifest);

// The sums of all rounds up to and with the newest one (jobs/sums/ever.h). Documents of an older version lack them: those are
// added up until one has them.
arrow::Result<EverSums> ReadEver(Store* store, const Manifest& manifest);

// Reads the document of an applied segment; nothing where it has none.
arrow::Result<std::optional<Json>> ReadRound(Store* store, const ClosedSegment& segment);

}  // namespace trawl
