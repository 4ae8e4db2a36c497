#include "runtime/root/snapshot.h"

#include <algorithm>
#include <optional>

#include "formats/documents/sealed_json.h"
#include "runtime/root/layout.h"
#include "runtime/store/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// A manifest names every run and every closed segment; a run's record names every file with one digest per MiB.
constexpr int64_t kMaxDocumentBytes = int64_t{256} << 20;

Status InFile(const std::string& path, const Status& status) {
  return status.ok() ? status : Status::IOError(path, ": ", status.message());
}

// A missing file that a snapshot names is damage, whatever the store calls it.
Result<std::string> ReadNamed(Store* store, const std::string& path, const std::string& named_by) {
  Result<std::string> text = store->ReadWhole(path, kMaxDocumentBytes);
  if (!text.ok() && IsNotFound(text.status())) {
    return Status::IOError(path, ": is missing, though ", named_by, " names it");
  }
  return text;
}

Result<Snapshot> ParseSnapshot(const std::string& path, const std::string& text, int64_t number) {
  ARROW_ASSIGN_OR_RAISE(const Json json, OpenSealedJson(text, path));
  Result<Manifest> manifest = ManifestFromJson(json);
  ARROW_RETURN_NOT_OK(InFile(path, manifest.status()));
  if (manifest->number != number) return Status::IOError(path, ": holds snapshot ", manifest->number);
  return Snapshot{std::move(*manifest), SealOfText(text)};
}

Result<Snapshot> ReadNumber(Store* store, int64_t number) {
  const std::string path = SnapshotPath(number);
  ARROW_ASSIGN_OR_RAISE(const std::string text, store->ReadWhole(path, kMaxDocumentBytes));
  return ParseSnapshot(path, text, number);
}

Status NotACrawl(Store* store) {
  return Status::IOError(store->Describe(), " is not a crawl; start one with  trawl inject --root ", store->Describe(),
                         " URL");
}

}  // namespace

Result<int64_t> PresentNumber(Store* store) {
  ARROW_ASSIGN_OR_RAISE(const auto entries, store->List(kSnapshotsFolder, /*recursive=*/false));
  int64_t highest = -1;
  for (const StoreEntry& entry : entries) {
    const std::optional<Place> place = ParsePath(entry.path);
    if (place && place->kind == PlaceKind::kSnapshot) highest = std::max(highest, place->number);
  }
  if (highest >= 0) return highest;
  for (const char* folder : {kTablesFolder, kSegmentsFolder, kJobsFolder}) {
    ARROW_ASSIGN_OR_RAISE(const auto data, store->List(folder, /*recursive=*/false));
    if (!data.empty()) {
      return Status::IOError(store->Describe(), ": holds ", folder, "/ but no snapshot in ", kSnapshotsFolder,
                             "/: the crawl is damaged, because its manifests are missing");
    }
  }
  return highest;
}

Result<Snapshot> ReadPresent(Store* store) { return ReadSnapshot(store, -1); }

Result<Snapshot> ReadSnapshot(Store* store, int64_t number) {
  if (number >= 0) {
    Result<Snapshot> snapshot = ReadNumber(store, number);
    if (snapshot.ok() || !IsNotFound(snapshot.status())) return snapshot;
    ARROW_ASSIGN_OR_RAISE(const int64_t present, PresentNumber(store));
    if (present < 0) return NotACrawl(store);
    if (number > present) return Status::IOError("there is no snapshot ", number, "; the newest is ", present);
    return Status::IOError(SnapshotPath(number), ": is missing, though snapshot ", present, " is there");
  }
  ARROW_ASSIGN_OR_RAISE(const int64_t present, PresentNumber(store));
  if (present < 0) return NotACrawl(store);
  return ReadNumber(store, present);
}

Result<std::vector<Snapshot>> ReadHistory(Store* store, int64_t limit) {
  ARROW_ASSIGN_OR_RAISE(const int64_t present, PresentNumber(store));
  if (present < 0) return NotACrawl(store);
  std::vector<Snapshot> history;
  for (int64_t number = limit > 0 ? std::max<int64_t>(0, present - limit + 1) : 0; number <= present; ++number) {
    ARROW_ASSIGN_OR_RAISE(Snapshot snapshot, ReadSnapshot(store, number));
    if (!history.empty() && snapshot.manifest.previous != history.back().seal) {
      return Status::IOError(SnapshotPath(number), ": does not follow ", SnapshotPath(number - 1),
                             ": one of them is not what was published");
    }
    history.push_back(std::move(snapshot));
  }
  return history;
}

Result<Snapshot> CreateCrawl(Store* store, const Manifest& first) {
  ARROW_ASSIGN_OR_RAISE(const int64_t present, PresentNumber(store));
  if (present >= 0) return ReadNumber(store, present);
  const std::string path = SnapshotPath(0);
  const std::string text = SealJson(ToJson(first));
  const Result<CreateOutcome> outcome = store->CreateExclusive(path, text);
  // Whoever created it, and even if the reply was lost: the stored snapshot is the crawl.
  Result<Snapshot> created = ReadPresent(store);
  return created.ok() || outcome.ok() ? created : outcome.status();
}

Result<PublishOutcome> PublishSnapshot(Store* store, const Manifest& next) {
  const std::string path = SnapshotPath(next.number);
  const Result<CreateOutcome> outcome = store->CreateExclusive(path, SealJson(ToJson(next)));
  // Read back in any case: a reply may have been lost, and an acknowledged snapshot may not be there.
  const Result<Snapshot> there = ReadNumber(store, next.number);
  if (there.ok()) {
    return there->manifest.job == next.job ? PublishOutcome::kPublished : PublishOutcome::kConflict;
  }
  return outcome.ok() ? there.status() : outcome.status();
}

Manifest NextManifest(const Snapshot& base, const std::string& job, const std::string& verb, int64_t now_ms) {
  Manifest next = base.manifest;
  next.number = base.manifest.number + 1;
  next.previous = base.seal;
  next.job = job;
  next.verb = verb;
  // A verb whose --now lies before the newest snapshot does not turn the crawl's time back.
  next.published_ms = std::max(now_ms, base.manifest.published_ms);
  return next;
}

namespace {

// Runs of no more than these bytes have their record in the file of their job's small runs.
constexpr int64_t kSmallRunBytes = int64_t{256} << 10;

// Returns the seal of what is stored there.
Result<std::string> WriteRecord(Store* store, const std::string& path, const Json& json) {
  const std::string text = SealJson(json);
  const Result<CreateOutcome> outcome = store->CreateExclusive(path, text);
  if (!outcome.ok() || *outcome == CreateOutcome::kExists) {
    // The run's name belongs to this job alone: where the same text is stored, a reply was lost.
    ARROW_ASSIGN_OR_RAISE(const std::string there, store->ReadWhole(path, kMaxDocumentBytes));
    if (there != text) return outcome.ok() ? Status::IOError(path, ": another record is there") : outcome.status();
  }
  // A store that lost an acknowledged file must be found out before anything names the run.
  ARROW_ASSIGN_OR_RAISE(const bool is_there, store->Exists(path));
  return is_there ? Result<std::string>(SealOfText(text)) : Status::IOError(path, ": was written, but is missing");
}

RunReference ReferenceTo(const std::string& run, const RunRecord& record, std::string seal) {
  return {.run = run,
          .rows = record.rows(),
          .removed = record.removed(),
          .bytes = record.bytes(),
          .digest = record.digest(),
          .seal = std::move(seal)};
}

// The record of that table among those of a job's small runs. The job may have written a large one into it.
Result<std::optional<RunRecord>> SmallRecordOf(const std::string& path, const std::string& text,
                                               const std::string& table) {
  ARROW_ASSIGN_OR_RAISE(const Json json, OpenSealedJson(text, path));
  Result<std::vector<RunRecord>> records = RunRecordsFromJson(json);
  ARROW_RETURN_NOT_OK(InFile(path, records.status()));
  for (RunRecord& record : *records) {
    if (record.table == table) return std::optional<RunRecord>(std::move(record));
  }
  return std::optional<RunRecord>();
}

}  // namespace

Result<RunReference> WriteRunRecord(Store* store, const std::string& run, const RunRecord& record) {
  ARROW_ASSIGN_OR_RAISE(std::string seal, WriteRecord(store, RunRecordPath(record.table, run), ToJson(record)));
  return ReferenceTo(run, record, std::move(seal));
}

Result<std::vector<RunReference>> WriteRunRecords(Store* store, const std::string& run,
                                                  const std::vector<RunRecord>& records) {
  std::vector<RunRecord> small;
  for (const RunRecord& record : records) {
    if (record.bytes() <= kSmallRunBytes) small.push_back(record);
  }
  const std::string path = RunRecordPath(kSmallRuns, run);
  std::string seal;
  if (!small.empty()) {
    ARROW_ASSIGN_OR_RAISE(seal, WriteRecord(store, path, ToJson(small)));
  }
  std::vector<RunReference> references;
  for (const RunRecord& record : records) {
    if (record.bytes() <= kSmallRunBytes) {
      references.push_back(ReferenceTo(run, record, seal));
      continue;
    }
    ARROW_ASSIGN_OR_RAISE(RunReference reference, WriteRunRecord(store, run, record));
    references.push_back(std::move(reference));
  }
  return references;
}

// An older version wrote a file for each small run, too.
Result<RunRecord> ReadRunRecord(Store* store, const std::string& table, const RunReference& reference) {
  const auto checked = [&](const std::string& path, const std::string& text, RunRecord record) -> Result<RunRecord> {
    if (SealOfText(text) != reference.seal || record.table != table || !(record.digest() == reference.digest)) {
      return Status::IOError(path, ": is not the run that the snapshot names");
    }
    return record;
  };
  if (reference.bytes <= kSmallRunBytes) {
    const std::string path = RunRecordPath(kSmallRuns, reference.run);
    const Result<std::string> text = store->ReadWhole(path, kMaxDocumentBytes);
    if (!text.ok() && !IsNotFound(text.status())) return text.status();
    if (text.ok()) {
      ARROW_ASSIGN_OR_RAISE(std::optional<RunRecord> record, SmallRecordOf(path, *text, table));
      if (record) return checked(path, *text, std::move(*record));
    }
  }
  const std::string path = RunRecordPath(table, reference.run);
  ARROW_ASSIGN_OR_RAISE(const std::string text, ReadNamed(store, path, "a snapshot"));
  ARROW_ASSIGN_OR_RAISE(const Json json, OpenSealedJson(text, path));
  Result<RunRecord> record = RunRecordFromJson(json);
  ARROW_RETURN_NOT_OK(InFile(path, record.status()));
  return checked(path, text, std::move(*record));
}

}  // namespace trawl
