// The inject job as a value, for the verb, for crawl, and for tests that let its store fail.
#pragma once

#include "jobs/crawl.h"
#include "jobs/seed_files.h"
#include "runtime/job.h"

namespace trawl {

// `seeds` and `job` are kept by reference and must outlive the request.
JobRequest InjectRequest(const SeedParts& seeds, const JobOptions& job);

// Defaults of the options that inject's tasks read, as a plan has them.
OptionTexts InjectOptionTexts();

}  // namespace trawl
