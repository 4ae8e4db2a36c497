// The job that makes the indexes of an archive: see jobs/cdxindex/indexes.h, which runs it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/documents/receipt.h"
#include "jobs/cdxindex/shard.h"
#include "runtime/job/job.h"

namespace trawl {

// What reduce tasks report as facts: {"files": [ArchiveFile, …]}; as counters "lines" and "captures.SUBSET".
// Map tasks count "rows".
JobSpec CdxindexSpec();

// Lines of a shard, about: its table part is some 100 MB, and a task needs half a minute.
inline constexpr int64_t kRowsAShard = 1'000'000;

// `captures` are in the folder ArchivePaths(plan.name).Captures().
JobRequest CdxindexRequest(const IndexPlan& plan, std::vector<FileReceipt> captures, int64_t snapshot);

}  // namespace trawl
