// Snapshots: finds the present one, reads any, and publishes the next.
//
// The present is the highest number in `snapshots/`, the one folder that is listed. Publishing is one exclusive create;
// after a lost reply, reading the number back decides. Functions may be called from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/manifest.h"
#include "formats/documents/receipt.h"
#include "runtime/store/store.h"

namespace trawl {

// A manifest that was read, with the seal by which the next manifest names it.
struct Snapshot {
  Manifest manifest;
  std::string seal;
};

// Returns the number of the present; -1 where the root holds nothing of a crawl. A root that holds data of a crawl but
// no snapshot is damaged: an error, never an empty crawl.
arrow::Result<int64_t> PresentNumber(Store* store);

// Returns the present. A root without a crawl is an error that says what to do.
arrow::Result<Snapshot> ReadPresent(Store* store);

// Returns snapshot `number`; -1 is the present.
arrow::Result<Snapshot> ReadSnapshot(Store* store, int64_t number);

// Returns numbers and seals of all snapshots, in order, checked to be one chain; only the last `limit` where it is not
// 0.
arrow::Result<std::vector<Snapshot>> ReadHistory(Store* store, int64_t limit);

// Makes the root a crawl, unless it is one, with the constants of `first` (its number is 0). Returns the present.
arrow::Result<Snapshot> CreateCrawl(Store* store, const Manifest& first);

enum class PublishOutcome { kPublished, kConflict };

// Creates snapshot `next.number`. kConflict: another job has that number. After an error it may or may not have been
// published; the job id in the stored snapshot tells which.
arrow::Result<PublishOutcome> PublishSnapshot(Store* store, const Manifest& next);

// Returns the manifest that follows `base`, unchanged except for number, job, verb, time and predecessor.
Manifest NextManifest(const Snapshot& base, const std::string& job, const std::string& verb, int64_t now_ms);

// Writes a run's record. Returns the reference by which a manifest names it.
arrow::Result<RunReference> WriteRunRecord(Store* store, const std::string& run, const RunRecord& record);
// The same for all runs of a job; the references come in the order of the records. Those of small runs lie in one file.
arrow::Result<std::vector<RunReference>> WriteRunRecords(Store* store, const std::string& run,
                                                         const std::vector<RunRecord>& records);

// Reads the record that `reference` names; anything but the written bytes is an error that names the file.
arrow::Result<RunRecord> ReadRunRecord(Store* store, const std::string& table, const RunReference& reference);

}  // namespace trawl
