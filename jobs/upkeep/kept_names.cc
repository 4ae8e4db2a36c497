#include "jobs/upkeep/kept_names.h"

#include <optional>

#include "formats/documents/step_record.h"
#include "formats/rows/catalog.h"
#include "jobs/segment/life.h"
#include "jobs/upkeep/sparse_bodies.h"
#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"
#include "runtime/root/snapshot.h"
#include "runtime/store/path.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// The step whose record names the files of a dataset. One that this program does not know is kept like a list.
std::string StepOf(const std::string& dataset) {
  const std::optional<Dataset> known = FindDataset(dataset);
  return known ? known->step : kGenerateStep;
}

}  // namespace

// Snapshot N is the present until N + 1 is published.
Result<KeptNames> KeptNames::Read(Store* store, const KeepOptions& keep, TimeMs now_ms) {
  ARROW_ASSIGN_OR_RAISE(const auto entries, store->List(kSnapshotsFolder, /*recursive=*/false));
  std::map<int64_t, TimeMs> created;
  for (const StoreEntry& entry : entries) {
    const auto place = ParsePath(entry.path);
    if (place && place->kind == PlaceKind::kSnapshot) created[place->number] = entry.modified_ms;
  }
  KeptNames names;
  names.reported_ = keep.reported;
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(store));
  for (const auto& [number, time] : created) {
    const auto next = created.find(number + 1);
    const bool is_recent = next == created.end() || next->second >= now_ms - keep.ms;
    if (!is_recent && !keep.read.contains(number) && number <= present.manifest.number - keep.snapshots) continue;
    ARROW_ASSIGN_OR_RAISE(const Snapshot snapshot, ReadSnapshot(store, number));
    ARROW_RETURN_NOT_OK(names.AddSnapshot(snapshot.manifest));
  }
  for (auto& [id, segment] : names.segments_) ARROW_RETURN_NOT_OK(names.ReadRecords(store, id, &segment));
  for (const auto& [id, snapshots] : names.stores_) {
    if (snapshots < names.snapshots_) continue;
    ARROW_ASSIGN_OR_RAISE(const std::vector<std::string> files, FilesReplacedBy(store, id));
    names.replaced_.insert(files.begin(), files.end());
  }
  return names;
}

Status KeptNames::AddSnapshot(const Manifest& manifest) {
  for (const auto& [table, runs] : manifest.tables) {
    for (const RunReference& run : runs) {
      runs_.insert({table, run.run});
      runs_.insert({kSmallRuns, run.run});
    }
  }
  ++snapshots_;
  for (const trawl::Segment& segment : SegmentsOf(manifest)) {
    if (segment.is_store) ++stores_[segment.id];
    const bool is_kept = segment.is_open() || segment.has_ended(SegmentEnd::kApplied);
    if (!is_kept) continue;
    Segment& kept = segments_[segment.id];
    kept.lists[segment.job] = segment.lists;
    kept.is_open = kept.is_open || segment.is_open();
  }
  for (const ClosedSegment& closed : manifest.closed_segments) rounds_.insert(closed.updatedb);
  return Status::OK();
}

Status KeptNames::ReadRecords(Store* store, const std::string& id, Segment* segment) {
  const auto add = [this, segment](const StepRecord& record) {
    recorded_.insert(record.job);
    segment->done.insert(record.step);
    for (const StepTask& task : record.tasks) {
      for (const auto& [dataset, files] : task.files) {
        for (const FileReceipt& file : files) segment->files.insert({dataset, file.name});
      }
    }
  };
  for (const auto& [job, seal] : segment->lists) {
    ARROW_ASSIGN_OR_RAISE(const bool there, store->Exists(ListsRecordPath(id, job)));
    // Without the record nobody knows which files of the lists are in use, so all of them stay.
    if (!there) continue;
    ARROW_ASSIGN_OR_RAISE(const StepRecord lists, ReadLists(store, id, job, seal));
    add(lists);
    segment->facts.has_one_list = HasOneShortList(lists);
  }
  for (const char* step : {kFetchStep, kParseStep}) {
    ARROW_ASSIGN_OR_RAISE(const std::optional<StepRecord> record, ReadStep(store, id, step));
    if (!record) continue;
    add(*record);
    if (record->step == kFetchStep) segment->facts.has_all_outcomes = HasAllOutcomes(*record);
  }
  return Status::OK();
}

bool KeptNames::HasDatasetFile(const std::string& id, const std::string& dataset, const std::string& name) const {
  const auto segment = segments_.find(id);
  if (segment == segments_.end()) return false;
  if (!segment->second.done.contains(StepOf(dataset))) return true;
  const bool is_spent = !segment->second.is_open && IsSpent(dataset, segment->second.facts);
  return segment->second.files.contains({dataset, name}) && !is_spent;
}

bool KeptNames::Has(const std::string& path) const {
  const auto place = ParsePath(path);
  if (!place) return !IsTemporaryPath(path);  // a file that is not the crawl's stays
  const auto segment = segments_.find(place->id);
  switch (place->kind) {
    case PlaceKind::kRunFile:
    case PlaceKind::kRunRecord:
      return runs_.contains({place->dataset, place->id});
    case PlaceKind::kDatasetFile:
      return HasDatasetFile(place->id, place->dataset, place->name) && !replaced_.contains(path);
    case PlaceKind::kDatasetRecord:
      return segment != segments_.end();
    case PlaceKind::kListsRecord:
      return segment != segments_.end() && segment->second.lists.contains(place->job);
    case PlaceKind::kAttempt:
      return segment != segments_.end() && !segment->second.done.contains(kFetchStep);
    case PlaceKind::kRound:
      return rounds_.contains(place->id);  // another one is that of a job that was done again
    case PlaceKind::kJobInput:
    case PlaceKind::kJobLive:
      return false;  // files of a job that is over
    case PlaceKind::kPlan:
      return !reported_.contains(place->id);
    case PlaceKind::kReport:
      return !recorded_.contains(place->id) && !IsPassing(place->id);
    default:
      return true;  // manifests stay
  }
}

}  // namespace trawl
