// trawl compact --bodies: two jobs that put the bodies of sparse content files, as far as present rows of urls point to
// them, into a store of bodies: a segment that has content, and fetch rows that say whose bodies they are, and nothing
// else. The first job makes the segment; the second one points the rows to it and names it.
//
// The files that it replaces stay where they are. gc removes them once every snapshot that it keeps names the store.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "jobs/upkeep/sparse_bodies.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/job.h"

namespace trawl {

// A fact of a task in the store's record: the files whose place it takes, as NamesOf.
inline constexpr char kReplacedFiles[] = "replaced";

// What the driver learns while the jobs are planned.
struct MovedBodies {
  std::vector<SparseFile> files;  // that are replaced
  std::string segment;            // the store; empty: there is nothing to do
  bool is_stale = false;          // another job has changed urls since the first job: begin again
};

// Copies the bodies that are pointed to. The job ends without doing anything where no file is sparse, or the same store is
// there already. `moved` must outlive the request.
JobRequest CopyBodiesRequest(TimeMs before_ms, MovedBodies* moved);
// Points the rows to the store that the first job has made.
JobRequest PlaceBodiesRequest(MovedBodies* moved);

// What trawl compact --bodies did.
struct BodiesMoved {
  MovedBodies moved;
  JobResult copied, placed;
};
using RunBodyJob = std::function<arrow::Result<JobResult>(const JobRequest& request)>;
// Both jobs, again where another job changes urls between them.
arrow::Result<BodiesMoved> MoveBodies(TimeMs before_ms, const RunBodyJob& run);

JobSpec CopyBodiesSpec();
JobSpec PlaceBodiesSpec();

}  // namespace trawl
