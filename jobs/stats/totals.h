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

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/manifest.h"
#include "formats/rows/url_row.h"
#include "runtime/job/job.h"

namespace trawl {

// Whether the row names a stored body. gc may have removed the body since.
inline bool HasBody(const UrlRow& row) { return !row.body_segment.empty(); }

// Counts what a task changes in the urls table. One thread.
class UrlTally {
 public:
  // A row was written for a key that had none, or a tombstone.
  void Enter(const UrlRow& after) { Count(after.state, HasBody(after), 1); }
  void Replace(const UrlRow& before, const UrlRow& after) {
    Count(before.state, HasBody(before), -1);
    Enter(after);
  }
  // A tombstone was written in the place of a row.
  void Leave(UrlState state, bool has_body) { Count(state, has_body, -1); }

  // Adds the counts to the facts that a task reports.
  void Report(Json* facts) const;

 private:
  void Count(UrlState state, bool has_body, int64_t by) {
    states_[static_cast<uint8_t>(state) & 127] += by;
    if (has_body) bodies_ += by;
  }

  std::array<int64_t, 128> states_{};
  int64_t bodies_ = 0;
};

// Where the snapshot was written by a version without totals, counts them once and puts them into the plan.
arrow::Status PlanTotals(const JobEnvironment& environment, const Snapshot& base, Plan* plan);

// Adds what the job's tasks reported to the totals of the snapshot before.
arrow::Status AddTotals(const Plan& plan, const JobOutput& output, Manifest* next);

// AppendRuns, with the totals.
arrow::Result<bool> AppendRunsAndTotals(const Plan& plan, const JobOutput& output, Manifest* next);

// Counts all of a snapshot's totals: reads the urls table and the records of the applied segments.
arrow::Result<Totals> CountTotals(Store* store, const Manifest& manifest, int threads, const StopToken& stop);

// Adds the sums of one applied segment.
void AddSegment(const StepRecord& fetched, Totals* totals);

}  // namespace trawl
