// The second job of trawl archive: the records.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/archive_begin.h"
#include "jobs/capture/parts.h"
#include "runtime/job/job.h"

namespace trawl {

struct WriteWish {
  ArchiveBegin begin;
  std::string directory;
  std::vector<ArchivePartPlan> parts;  // those that are not written yet
  std::vector<FileReceipt> decisions;  // of the first job
};

JobSpec ArchiveWriteSpec();
// REQUIRES: some parts. Each of them has a document in DIR when the job has ended (ArchivePaths::Part).
JobRequest ArchiveWriteRequest(WriteWish wish, int64_t snapshot);

}  // namespace trawl
