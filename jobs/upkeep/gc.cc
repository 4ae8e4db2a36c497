// trawl gc: removes data that no kept snapshot names. It changes no snapshot and removes no manifest, so it needs no
// job.
//
// It keeps the last three snapshots, those that were the present within the last seven days, and the files that running
// jobs read and write (jobs/upkeep/running_jobs.h). It removes nothing younger than seven days, named or not.
#include "jobs/upkeep/gc.h"

#include <algorithm>
#include <functional>
#include <set>

#include "jobs/upkeep/kept_names.h"
#include "jobs/upkeep/old_bodies.h"
#include "jobs/upkeep/running_jobs.h"
#include "jobs/upkeep/spent.h"
#include "jobs/verb/crawl.h"
#include "runtime/root/layout.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

const OptionGroup<GcOptions>& GcOptionGroup() {
  static const auto group =
      OptionGroup<GcOptions>("gc", "What is kept")
          .Int("keep_snapshots", &GcOptions::keep_snapshots, "number of newest snapshots to keep, however old they are",
               AtLeast(1))
          .Duration("keep_time", &GcOptions::keep_ms, "keep every snapshot and every file that is younger than this",
                    AtLeast(0))
          .Duration(
              "bodies_older_than", &GcOptions::bodies_older_than_ms,
              "delete bodies that were fetched longer ago than this, in segments that are applied; 0 deletes no bodies",
              AtLeast(0))
          .Bool("keep_latest_body", &GcOptions::keep_latest_body,
                "keep the files that have the latest body of a URL, even if they are older")
          .Bool("by_policy", &GcOptions::by_policy, "run only where --gc.every_rounds wants it after the last round")
          .Bool("dry_run", &GcOptions::dry_run, "show what would be deleted, and delete nothing")
          .Int("every_rounds", &GcOptions::every_rounds,
               "trawl crawl, trawl round and gc --by_policy collect after every Nth round; 0: never", AtLeast(0))
          .AllMain();
  return group;
}

bool IsGcDue(const Manifest& present, const GcOptions& options) {
  if (options.every_rounds == 0) return false;
  // Those of trawl reparse have no lists; they are no rounds.
  const auto is_applied = [](const ClosedSegment& segment) {
    return segment.end == SegmentEnd::kApplied && !segment.lists.empty();
  };
  const auto rounds = std::count_if(present.closed_segments.begin(), present.closed_segments.end(), is_applied);
  return rounds > 0 && rounds % options.every_rounds == 0;
}

namespace {

// Removes files and counts them; with --dry_run it only counts them.
class Remover {
 public:
  Remover(Store* store, bool dry_run) : store_(store), dry_run_(dry_run) {}
  Status Remove(const StoreEntry& entry) {
    if (!dry_run_) ARROW_RETURN_NOT_OK(store_->Remove(entry.path));
    ++files_;
    bytes_ += entry.size_bytes;
    return Status::OK();
  }
  int64_t files() const { return files_; }
  int64_t bytes() const { return bytes_; }

 private:
  Store* const store_;
  const bool dry_run_;
  int64_t files_ = 0;
  int64_t bytes_ = 0;
};

// The folder of a run, a segment or a job, "crawldb/<table>/<run>", "segments/<id>" or "jobs/<id>", that a path lies in or is. Empty
// where there is no such folder.
std::string OwnedFolder(const std::string& path) {
  const int depth = path.starts_with(kTablesFolder + std::string("/")) ? 3
                    : path.starts_with(kSegmentsFolder)                ? 2
                    : path.starts_with(kJobsFolder + std::string("/")) ? 2
                                                                       : 0;
  size_t end = 0;
  for (int part = 0; part < depth; ++part) {
    if (end == std::string::npos) return "";
    end = path.find('/', part == 0 ? 0 : end + 1);
  }
  return path.substr(0, end);
}

// Removes the folders in which nothing is left, so that they are not listed for ever. `stayed` are the folders with
// files that were not removed. A folder that was empty before may belong to a job that is about to write.
Status RemoveEmptyFolders(Store* store, const std::vector<StoreEntry>& entries, const std::set<std::string>& stayed,
                          const std::function<bool(const StoreEntry& folder)>& may_be_wanted) {
  for (const StoreEntry& entry : entries) {
    if (!entry.is_folder || OwnedFolder(entry.path) != entry.path || stayed.contains(entry.path)) continue;
    if (may_be_wanted(entry)) continue;
    ARROW_ASSIGN_OR_RAISE(const auto left, store->List(entry.path, /*recursive=*/true));
    const auto is_folder = [](const StoreEntry& inner) { return inner.is_folder; };
    if (!std::all_of(left.begin(), left.end(), is_folder)) continue;
    ARROW_RETURN_NOT_OK(store->RemoveFolder(entry.path));
  }
  return Status::OK();
}

// The files of a crawl, and what is known of them.
struct Listing {
  std::vector<StoreEntry> entries;
  RunningJobs running;
  KeptNames kept;
};

// Lists the data first, then the jobs, then reads the snapshots: a file that is listed belongs to a running job, or its
// job has published by the time the snapshots are read.
Result<Listing> List(const VerbContext& context, Store* store, const GcOptions& options) {
  std::vector<StoreEntry> entries;
  for (const char* folder : {kTablesFolder, kSegmentsFolder, kSnapshotsFolder}) {
    ARROW_ASSIGN_OR_RAISE(const auto more, store->List(folder, /*recursive=*/true));
    entries.insert(entries.end(), more.begin(), more.end());
  }
  ARROW_ASSIGN_OR_RAISE(const auto jobs, store->List(kJobsFolder, /*recursive=*/true));
  entries.insert(entries.end(), jobs.begin(), jobs.end());
  ARROW_ASSIGN_OR_RAISE(RunningJobs running, RunningJobs::Read(store, jobs, context.process.clock.NowMs()));
  const KeepOptions keep = {.snapshots = options.keep_snapshots,
                            .ms = options.keep_ms,
                            .read = running.snapshots(),
                            .reported = running.reported()};
  ARROW_ASSIGN_OR_RAISE(KeptNames kept, KeptNames::Read(store, keep, context.global.now_ms));
  return Listing{std::move(entries), std::move(running), std::move(kept)};
}

// Removes the files that nobody needs, then the folders that this empties. Returns the number of files that are not
// needed but too young to go.
Result<int64_t> Sweep(const VerbContext& context, Store* store, const Listing& listing, const GcOptions& options,
                      bool dry_run, Remover* remover) {
  const TimeMs old_before_ms = context.global.now_ms - options.keep_ms;
  int64_t young = 0;
  std::set<std::string> stayed, emptied;  // folders
  for (const StoreEntry& entry : listing.entries) {
    ARROW_RETURN_NOT_OK(context.process.stop.Check());
    if (entry.is_folder) continue;
    const bool is_kept = listing.kept.Has(entry.path);
    const bool is_young = !is_kept && (listing.running.Own(entry) || entry.modified_ms > old_before_ms);
    young += is_young ? 1 : 0;
    if (is_kept || is_young) {
      stayed.insert(OwnedFolder(entry.path));
      continue;
    }
    ARROW_RETURN_NOT_OK(remover->Remove(entry));
    emptied.insert(OwnedFolder(entry.path));
  }
  if (dry_run) return young;
  ARROW_RETURN_NOT_OK(RemoveEmptyFolders(store, listing.entries, stayed, [&](const StoreEntry& folder) {
    const bool was_empty = !emptied.contains(folder.path);
    return listing.running.Own(folder) || (was_empty && folder.modified_ms > old_before_ms);
  }));
  return young;
}

// Removes old bodies where --bodies_older_than asks for it. Returns the number of files.
Result<int64_t> RemoveOldBodies(const VerbContext& context, Store* store, const RunningJobs& running,
                                const GcOptions& options, Remover* remover) {
  int64_t bodies = 0;
  if (options.bodies_older_than_ms == 0) return bodies;
  const OldBodies old = {.before_ms = context.global.now_ms - options.bodies_older_than_ms,
                         .keep_latest = options.keep_latest_body};
  const auto remove = [&](const StoreEntry& entry) {
    if (running.Read(entry)) return Status::OK();
    ++bodies;
    return remover->Remove(entry);
  };
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(store));
  ARROW_RETURN_NOT_OK(ForEachOldBodyFile(store, present.manifest, old, context.process.stop, remove));
  return bodies;
}

}  // namespace

Result<GcResult> CollectGarbage(VerbContext& context, const Crawl& crawl, const GcOptions& options, bool dry_run) {
  ARROW_ASSIGN_OR_RAISE(const Listing listing, List(context, crawl.store(), options));
  Remover remover(crawl.store(), dry_run);
  const auto shown = context.ShowProgress([&remover] { return ReadableCount(remover.files(), "file"); });
  GcResult result;
  ARROW_ASSIGN_OR_RAISE(result.body_files, RemoveOldBodies(context, crawl.store(), listing.running, options, &remover));
  ARROW_ASSIGN_OR_RAISE(result.too_young, Sweep(context, crawl.store(), listing, options, dry_run, &remover));
  result.files = remover.files();
  result.bytes = remover.bytes();
  return result;
}

Result<GcResult> CollectByPolicy(VerbContext& context, const Crawl& crawl, const GcOptions& options) {
  ARROW_ASSIGN_OR_RAISE(const Snapshot present, ReadPresent(crawl.store()));
  if (IsGcDue(present.manifest, options)) return CollectGarbage(context, crawl, options, options.dry_run);
  GcResult result;
  if (options.every_rounds == 0 || options.dry_run) return result;
  ARROW_ASSIGN_OR_RAISE(const Removed spent, RemoveSpent(crawl.store(), context.process.clock.NowMs()));
  result.files = spent.files;
  result.bytes = spent.bytes;
  return result;
}

namespace {

std::string SummaryText(const GcOptions& options, const GcResult& result, bool dry_run) {
  std::string text = (dry_run ? "would delete " : "deleted ") + ReadableSize(result.bytes) + " in " +
                     ReadableCount(result.files, "file");
  if (result.body_files > 0) text += ", " + ReadableCount(result.body_files) + " of them old bodies";
  if (result.too_young > 0) {
    text += "; " + ReadableCount(result.too_young) + (result.too_young == 1 ? " more is" : " more are") +
            " younger than " + ReadableDuration(options.keep_ms);
  }
  return text + "\n";
}

Result<int> RunGc(VerbContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto crawl, Crawl::Open(context));
  ARROW_ASSIGN_OR_RAISE(const GcOptions options, context.Read(GcOptionGroup()));
  GcResult result;
  if (options.by_policy) {
    ARROW_ASSIGN_OR_RAISE(result, CollectByPolicy(context, *crawl, options));
  } else {
    ARROW_ASSIGN_OR_RAISE(result, CollectGarbage(context, *crawl, options, options.dry_run));
  }
  const Json json = {{"changed", result.files > 0 && !options.dry_run},
                     {"files", result.files},
                     {"bytes", result.bytes},
                     {"body_files", result.body_files},
                     {"too_young", result.too_young},
                     {"dry_run", options.dry_run}};
  const bool is_idle = options.by_policy && result.files == 0 && !IsGcDue(crawl->manifest(), options);
  const std::string text =
      is_idle ? "nothing to collect after this round (--gc.every_rounds " + std::to_string(options.every_rounds) + ")\n"
              : SummaryText(options, result, options.dry_run);
  ARROW_RETURN_NOT_OK(context.Conclude(json, text, ""));
  return kExitDone;
}

}  // namespace

Verb GcVerb() {
  return {.name = "gc",
          .summary = "delete data that no kept snapshot needs",
          .purpose = VerbPurpose::kShrink,
          .description =
              "Deletes runs and segments that no kept snapshot names, what nobody reads of applied segments, and files "
              "that dead jobs left. It never touches files of a running job, so it may run at any time. Page bodies "
              "stay as long as their segments unless --bodies_older_than is given. trawl crawl and trawl round collect "
              "by themselves after every tenth round (--gc.every_rounds).",
          .examples = {{"Show what would be deleted", "trawl gc --dry_run"},
                       {"Keep a month of snapshots", "trawl gc --keep_time 30d"},
                       {"Delete bodies older than a year, but keep the latest of each page",
                        "trawl gc --bodies_older_than 365d --keep_latest_body"},
                       {"As trawl crawl does after each round", "trawl gc --by_policy"}},
          .groups = {&GcOptionGroup()},
          .run = RunGc};
}

}  // namespace trawl
