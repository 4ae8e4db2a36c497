// trawl export pages: the job that joins the urls table with what parse wrote.
#pragma once

#include "runtime/job/job.h"

namespace trawl {

inline constexpr char kPagesExport[] = "pages";

// The job, for the folder that the fact "directory" names. `parts` is the number of its files.
JobRequest ExportPagesRequest(const Snapshot& snapshot, const std::string& directory, int parts);

// How many files the pages of a snapshot make: the same on every machine.
arrow::Result<int> FilesOfPages(Store* store, const Manifest& manifest);

}  // namespace trawl
