// The lists of an archive's files, by which others fetch them: crawl-data/NAME/warc.paths.gz and its like. One thread.
#pragma once

#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/archive_begin.h"
#include "runtime/store/store.h"

namespace trawl {

// Writes a list for each subset of which `files` has some, one for cc-index and one for cc-index-table. Returns the lists
// themselves.
arrow::Result<std::vector<ArchiveFile>> WritePaths(Store* to, const std::string& name,
                                                   const std::vector<ArchiveFile>& files);

}  // namespace trawl
