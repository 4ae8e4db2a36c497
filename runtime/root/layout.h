// The door of runtime/root, with snapshot.h: every path of a crawl's root, built and parsed here and nowhere else.
//
//   snapshots/00000042.json                            a manifest
//   crawldb/<table>/<run>/<name>.orc _<name>.idx _run.json
//   crawldb/_runs/<run>/_run.json                      the records of a job's small runs
//   segments/<id>/<dataset>/<name>  _done.json          a segment's data
//   segments/<id>/fetchlist/_<job>.json                 the lists that a generate made
//   segments/<id>/_attempts/<task>/<n>.json             a fetch task's chain
//   jobs/<id>/plan.json report.json                     every job ever run, and its inputs
//   jobs/<id>/round.json                                the round that an updatedb applied
//   jobs/<id>/ended.json                               how a job ended that has no report: stopped or failed, and why
//   jobs/<id>/_live-<n>.json                            the numbers of a job that runs now; the highest counts
//   jobs/<id>/_failed-<task>                            why an attempt on a cluster failed
//   jobs/<id>/_streaming/<name>                         files that Hadoop Streaming reads and writes
//   _bundles/<digest>.tar.gz                            binary and libraries for a cluster's nodes
//
// Names that are not data begin with '_'. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace trawl {

inline constexpr char kSnapshotsFolder[] = "snapshots";
inline constexpr char kTablesFolder[] = "crawldb";
inline constexpr char kSegmentsFolder[] = "segments";
inline constexpr char kJobsFolder[] = "jobs";

std::string SnapshotPath(int64_t number);

std::string RunFolder(const std::string& table, const std::string& run);
std::string RunFilePath(const std::string& table, const std::string& run, const std::string& name);
// The place of the records of small runs among the tables.
inline constexpr char kSmallRuns[] = "_runs";
std::string RunRecordPath(const std::string& table, const std::string& run);

std::string SegmentFolder(const std::string& segment);
std::string DatasetFolder(const std::string& segment, const std::string& dataset);
std::string DatasetFilePath(const std::string& segment, const std::string& dataset, const std::string& name);
std::string DatasetRecordPath(const std::string& segment, const std::string& dataset);
std::string ListsRecordPath(const std::string& segment, const std::string& job);
std::string AttemptFolder(const std::string& segment, int task);
std::string AttemptPath(const std::string& segment, int task, int64_t number);

std::string JobFolder(const std::string& job);
std::string PlanPath(const std::string& job);
std::string ReportPath(const std::string& job);
std::string RoundPath(const std::string& job);
std::string JobEndPath(const std::string& job);
std::string JobLivePath(const std::string& job, int64_t number);
std::string JobInputPath(const std::string& job, int number);
std::string JobFailurePath(const std::string& job, const std::string& task);
std::string StreamingFolder(const std::string& job);
std::string StreamingPath(const std::string& job, const std::string& name);
std::string BundlePath(const std::string& digest);

enum class PlaceKind {
  kSnapshot,
  kRunFile,  // data or sidecar
  kRunRecord,
  kDatasetFile,
  kDatasetRecord,
  kListsRecord,
  kAttempt,
  kPlan,
  kReport,
  kRound,
  kJobEnd,
  kJobLive,
  kJobInput,
  kJobFailure,
  kStreaming,
};

// The meaning of a path.
struct Place {
  PlaceKind kind = PlaceKind::kSnapshot;
  int64_t number = 0;   // number of a snapshot, attempt, job input or live file
  std::string id;       // run, segment or job
  std::string job;      // job that wrote the record of a segment's lists
  std::string dataset;  // table or dataset
  std::string name;     // name of the file, or of the task that failed
  int task = 0;
  bool operator==(const Place&) const = default;
};

// Returns nothing where the path does not belong to a crawl.
std::optional<Place> ParsePath(const std::string& path);
std::string PathOf(const Place& place);

// An id of a job, run or segment: letters, digits, '-', '_' and '.', not beginning with '_' or '.', up to 100
// characters.
bool IsValidId(const std::string& id);

}  // namespace trawl
