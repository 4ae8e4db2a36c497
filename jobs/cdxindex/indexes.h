// The door of jobs/cdxindex: the indexes of an archive, made of its capture rows.
//
//   reads        DIR/_trawl/NAME/captures
//   shuffles by  range of the key of the index
//   writes       DIR/cc-index/…, DIR/crawl-data/NAME/*.paths.gz
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/archive_begin.h"
#include "jobs/cdxindex/archive_options.h"
#include "runtime/job/job.h"
#include "runtime/store/store.h"

namespace trawl {

// What the driver of an archive knows when all records are written. Its members outlive the call.
struct IndexWish {
  const ArchiveBegin& begin;
  const ArchiveOptions& options;
  const std::string& directory;  // as the tasks open it
  Store* to = nullptr;           // the same folder, open
  const std::vector<ArchivePart>& parts;
};

// Runs the job and writes what the driver writes: cluster.idx, cluster.loc, paths files. What an interrupted run left is
// replaced, or kept where it is whole. Returns every file that it made, in the order of their paths. Fails where rows,
// lines and column rows are not equally many. It samples the keys of the capture files itself.
arrow::Result<std::vector<ArchiveFile>> MakeIndexes(const JobEnvironment& environment, const IndexWish& wish);

}  // namespace trawl
