// A door of jobs/operate, with job_record.h: any job by its id, and the jobs of applied rounds whose own reports are gone, as
// the documents of their rounds tell of them. Any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "jobs/operate/job_record.h"
#include "runtime/store/store.h"

namespace trawl {

// The four jobs of the newest `rounds` rounds (0: of all), also those that still have their report.
arrow::Result<std::vector<JobRecord>> JobsOfRounds(Store* store, const Manifest& present, size_t rounds);

// The job of that id; nothing where no round had one.
arrow::Result<std::optional<JobRecord>> FindInRounds(Store* store, const Manifest& present, const std::string& id);

// The job of that id, by its own documents or as the document of its round tells of it; nothing where there was none.
arrow::Result<std::optional<JobRecord>> FindJob(Store* store, const Manifest& present, const std::string& id);

}  // namespace trawl
