// The first job of trawl archive: which capture of a body is the original, and which others only refer to it.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/archive_begin.h"
#include "jobs/capture/parts.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/job.h"

namespace trawl {

// The files of OriginalRow that an earlier NAME wrote, below DIR.
struct EarlierOriginals {
  std::string name;
  std::string folder;
  std::vector<FileReceipt> files;
};

struct BodiesWish {
  ArchiveBegin begin;
  std::string directory;
  std::vector<ArchivePartPlan> parts;
  std::vector<EarlierOriginals> earlier;
};

JobSpec ArchiveBodiesSpec();
JobRequest ArchiveBodiesRequest(BodiesWish wish, const JobOptions& job, int64_t snapshot, int64_t captures);

// The files of DecisionRow that the job wrote, in the order of its tasks.
arrow::Result<std::vector<FileReceipt>> DecisionsOf(const JobOutput& output);

}  // namespace trawl
