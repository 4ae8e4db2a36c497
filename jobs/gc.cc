// trawl gc: removes data that no kept snapshot names. It changes no snapshot and removes no manifest, so it needs no job.
//
// Kept are the last three snapshots and those that were the present within the last seven days. Nothing younger than seven
// days is removed, named or not: a job that is under way has not been named yet.
#include <algorithm>
#include <map>
#include <set>

#include "jobs/crawl.h"
#include "runtime/layout.h"
#include "runtime/store_path.h"
#include "runtime/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kDayMs = int64_t{24} * 3600 * 1000;

struct GcOptions {
  int64_t keep_snapshots = 3;
  int64_t keep_ms = 7 * kDayMs;
  bool dry_run = false;
};

const OptionGroup<GcOptions>& GcOptionGroup() {
  static const auto group =
      OptionGroup<GcOptions>("gc", "What is kept")
          .Int("keep_snapshots", &GcOptions::keep_snapshots, "snapshots that stay readable, however old", AtLeast(1))
          .Duration("keep_time", &GcOptions::keep_ms, "how long a snapshot stays readable, and any file stays", AtLeast(0))
          .Bool("dry_run", &GcOptions::dry_run, "say what would go, and remove nothing");
  return group;
}

// What kept snapshots name.
struct Named {
  std::set<std::pair<std::string, std::string>> runs;  // table, run
  std::set<std::string> segments;
  std::set<std::string> jobs;
};

// Snapshot N was the present until N + 1 came.
Result<Named> NamedByKept(Store* store, const GcOptions& options, TimeMs now_ms) {
  ARROW_ASSIGN_OR_RAISE(const auto entries, store->List(kSnapshotsFolder, /*recursive=*/false));
  std::map<int64_t, TimeMs> created;
  for (const StoreEntry& entry : entries) {
    const auto place = ParsePath(entry.path);
    if (place && place->kind == PlaceKind::kSnapshot) created[place->number] = entry.modified_ms;
  }
  Named named;
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(store));
  for (const auto& [number, time] : created) {
    const auto next = created.find(number + 1);
    const bool is_recent = next == created.end() || next->second >= now_ms - options.keep_ms;
    if (!is_recent && number <= present.manifest.number - options.keep_snapshots) continue;
    ARROW_ASSIGN_OR_RAISE(const Snapshot snapshot, ReadSnapshot(store, number));
    for (const auto& [table, runs] : snapshot.manifest.tables) {
      for (const RunReference& run : runs) named.runs.insert({table, run.run});
    }
    for (const OpenSegment& segment : snapshot.manifest.open_segments) named.segments.insert(segment.id);
    for (const ClosedSegment& segment : snapshot.manifest.closed_segments) {
      if (segment.how == "applied") named.segments.insert(segment.id);
    }
  }
  return named;
}

bool IsNamed(const std::string& path, const Named& named) {
  const auto place = ParsePath(path);
  if (!place) return !IsTemporaryPath(path);  // what is not ours is not ours to remove
  switch (place->kind) {
    case PlaceKind::kRunFile:
    case PlaceKind::kRunRecord:
      return named.runs.contains({place->dataset, place->id});
    case PlaceKind::kDatasetFile:
    case PlaceKind::kDatasetRecord:
    case PlaceKind::kListsRecord:
    case PlaceKind::kAttempt:
      return named.segments.contains(place->id);
    case PlaceKind::kJobInput:
    case PlaceKind::kJobFailure:
    case PlaceKind::kStreaming:
      return false;  // of a job that is over
    default:
      return true;  // manifests, plans and reports stay
  }
}

Result<int> RunGc(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const GcOptions options, context.Read(GcOptionGroup()));
  Store* const store = crawl->store();
  const TimeMs now_ms = context.global.now_ms;
  ARROW_ASSIGN_OR_RAISE(const Named named, NamedByKept(store, options, now_ms));

  int64_t files = 0;
  int64_t bytes = 0;
  int64_t young = 0;
  const auto shown = context.ShowProgress([&files] { return ReadableCount(files) + " files"; });
  for (const char* folder : {kTablesFolder, kSegmentsFolder, kJobsFolder, kSnapshotsFolder}) {
    ARROW_ASSIGN_OR_RAISE(const auto entries, store->List(folder, /*recursive=*/true));
    for (const StoreEntry& entry : entries) {
      ARROW_RETURN_NOT_OK(context.process.stop.Check());
      if (entry.is_folder || IsNamed(entry.path, named)) continue;
      if (entry.modified_ms > now_ms - options.keep_ms) {
        ++young;
        continue;
      }
      if (!options.dry_run) ARROW_RETURN_NOT_OK(store->Remove(entry.path));
      ++files;
      bytes += entry.size_bytes;
    }
  }
  const Json json = {{"changed", files > 0 && !options.dry_run},
                     {"files", files},
                     {"bytes", bytes},
                     {"too_young", young},
                     {"dry_run", options.dry_run}};
  std::string text = (options.dry_run ? "would free " : "freed ") + ReadableSize(bytes) + " in " + ReadableCount(files) + " files";
  if (young > 0) text += "; " + ReadableCount(young) + " more are younger than " + ReadableDuration(options.keep_ms);
  ARROW_RETURN_NOT_OK(context.Summarize(json, text + "\n"));
  return kExitDone;
}

}  // namespace

Verb GcVerb() {
  return {.name = "gc",
          .summary = "free space that no kept snapshot needs",
          .description = "Removes runs and segments that neither the last snapshots nor those of the last days name, and what "
                         "dead jobs left behind. It may run beside any job.",
          .examples = {{"What would go", "trawl gc --dry_run"},
                       {"Keep a month of snapshots", "trawl gc --keep_time 30d"}},
          .groups = {&GcOptionGroup()},
          .run = RunGc};
}

}  // namespace trawl
