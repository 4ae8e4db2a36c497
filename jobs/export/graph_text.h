// trawl export graph --format text: the graph in the layout of Common Crawl's web graphs (docs/storage.md, "Exports").
#pragma once

#include <cstdint>
#include <string>

#include "runtime/job/job.h"

namespace trawl {

JobSpec ExportGraphTextSpec();
JobRequest ExportGraphTextRequest(const std::string& directory, int64_t snapshot);

}  // namespace trawl
