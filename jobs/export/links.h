// trawl export links, and trawl export graph: the jobs that write tables of links.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/job/job.h"

namespace trawl {

inline constexpr char kLinksExport[] = "links";

JobSpec ExportLinksSpec();
// A row for each link of each page that is there, page by page.
JobRequest ExportLinksRequest(const std::string& directory, int64_t snapshot, int parts);

JobSpec ExportGraphSpec();
// The hosts with their ranks, and the edges between hosts and between domains.
JobRequest ExportGraphRequest(const std::string& directory, int64_t snapshot, int parts);

}  // namespace trawl
