// The door of jobs/inject: inject as a value, for the verb, for crawl, and for tests that let its store fail.
#pragma once

#include <cstdint>

#include "formats/rows/url_row.h"
#include "jobs/inject/open_seeds.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/job.h"

namespace trawl {

struct InjectOptions {
  int32_t score = kScoreOne;
  bool update = false;
  SeedsFrom from = SeedsFrom::kList;
};
const OptionGroup<InjectOptions>& InjectOptionGroup();

// Runs inject. REQUIRES: InjectOptionGroup, ScopeOptionGroup and JobOptionGroup are among the verb's groups.
arrow::Result<JobResult> InjectSeeds(VerbContext& context, Crawl& crawl, const OpenSeeds& seeds);
// Whether there were lines, and none of them was a seed.
bool HasOnlyBadSeeds(const JobResult& result);

JobSpec InjectSpec();

// Keeps references: `seeds` and `job` must outlive the request. `inputs` is where files of seeds are copied to for tasks
// that run on other machines; null where the tasks read this machine's files.
JobRequest InjectRequest(const SeedParts& seeds, const JobOptions& job, Store* inputs = nullptr);

// Defaults of the options that inject's tasks read, as a plan has them.
OptionTexts InjectOptionTexts();

}  // namespace trawl
