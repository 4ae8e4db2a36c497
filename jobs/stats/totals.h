// The door of jobs/stats, with round.h: the totals that manifests carry forward (formats/documents/manifest.h), and how
// a job that changes urls keeps them right.
//
// Such a job needs four lines. Its plan calls PlanTotals. Each of its tasks that writes urls rows has one UrlTally, tells
// it of every row that it writes and of the row that this one replaces, and calls Report at its end. Its `apply` is
// AppendRunsAndTotals, or calls AddTotals. The job must not be rebased: its numbers are those of the snapshot that it
// read.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/manifest.h"
#include "formats/rows/some_columns.h"
#include "formats/rows/url_row.h"
#include "runtime/job/job.h"

namespace trawl {

// Whether the row names a stored body. gc may have removed the body since.
inline bool HasBody(const UrlRow& row) { return !row.body_segment.empty(); }

// Counts what a task changes in the urls table. One thread. Rows may have the columns of kTalliedColumns alone.
class UrlTally {
 public:
  // A row was written for a key that had none, or a tombstone.
  void Enter(const UrlRow& after) { Count(after, 1); }
  void Replace(const UrlRow& before, const UrlRow& after) {
    Count(before, -1);
    Count(after, 1);
  }
  // A tombstone was written in the place of a row.
  void Leave(const UrlRow& before) { Count(before, -1); }

  // Adds the counts to the facts that a task reports.
  void Report(Json* facts) const;

 private:
  void Count(const UrlRow& row, int64_t by) {
    states_[static_cast<uint8_t>(row.state) & 127] += by;
    if (HasBody(row)) bodies_ += by;
    if (!row.duplicate_of.empty()) exact_duplicates_ += by;
    if (!row.near_duplicate_of.empty()) near_duplicates_ += by;
    if (row.shares_body) shared_bytes_ += by * row.bytes;
  }

  std::array<int64_t, 128> states_{};
  int64_t bodies_ = 0;
  int64_t exact_duplicates_ = 0;
  int64_t near_duplicates_ = 0;
  int64_t shared_bytes_ = 0;
};

inline constexpr auto kTalliedColumns =
    Columns<UrlRow>({"key", "state", "bytes", "body_segment", "duplicate_of", "near_duplicate_of", "shares_body"});

// Where the snapshot was written by a version without totals, counts them once and puts them into the plan.
arrow::Status PlanTotals(const JobEnvironment& environment, const Snapshot& base, Plan* plan);

// Adds what the job's tasks reported to the totals of the snapshot before.
arrow::Status AddTotals(const Plan& plan, const JobOutput& output, Manifest* next);

// AppendRuns, with the totals.
arrow::Result<bool> AppendRunsAndTotals(const Plan& plan, const JobOutput& output, Manifest* next);

// Counts all of a snapshot's totals: reads the urls table and the records of the applied segments.
arrow::Result<Totals> CountTotals(Store* store, const Manifest& manifest, int threads, const StopToken& stop);

// {"exact", "near", "bytes_saved"}: pages that another one stands for, and the bytes of bodies that are not stored twice.
Json DuplicatesJson(const Totals& totals);
// "3 exact and 1 near duplicate, 12 KiB saved"; empty where there are none.
std::string DuplicatesText(const Json& duplicates);

// Adds the sums of one applied segment.
void AddSegment(const StepRecord& fetched, Totals* totals);

}  // namespace trawl
