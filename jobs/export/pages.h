// trawl export pages, and trawl export items: the jobs that join the urls table with what parse wrote.
#pragma once

#include "runtime/job/job.h"

namespace trawl {

inline constexpr char kPagesExport[] = "pages";
inline constexpr char kItemsExport[] = "items";

// The job, for the folder that the fact "directory" names. `parts` is the number of its files.
JobRequest ExportPagesRequest(const Snapshot& snapshot, const std::string& directory, int parts);
// The same for the items of those pages.
JobRequest ExportItemsRequest(const Snapshot& snapshot, const std::string& directory, int parts);

// How many files the pages of a snapshot make: the same on every machine.
arrow::Result<int> FilesOfPages(Store* store, const Manifest& manifest);

}  // namespace trawl
