// The inject job as a value, for the verb, for crawl, and for tests that let its store fail.
#pragma once

#include <memory>

#include "formats/rows/url_row.h"
#include "jobs/inject/seed_files.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/job_options.h"
#include "runtime/job/job.h"
#include "runtime/process/input.h"

namespace trawl {

struct InjectOptions {
  int32_t score = kScoreOne;
};
const OptionGroup<InjectOptions>& InjectOptionGroup();

// The seeds that a command line names: URLs, files, standard input. Opened before there is a crawl to put them into.
class OpenSeeds {
 public:
  static arrow::Result<OpenSeeds> Open(VerbContext& context);
  const SeedParts& parts() const { return parts_; }

 private:
  arrow::Status Spool(VerbContext& context, SeedSources* sources);

  SeedParts parts_;
  std::vector<std::unique_ptr<SpooledInput>> spooled_;
};

// Runs inject. REQUIRES: InjectOptionGroup and JobOptionGroup are among the verb's groups.
arrow::Result<JobResult> InjectSeeds(VerbContext& context, Crawl& crawl, const OpenSeeds& seeds);
// Whether there was something, and nothing of it was a seed.
bool HasOnlyBadSeeds(const JobResult& result);

JobSpec InjectSpec();

// `seeds` and `job` are kept by reference and must outlive the request. Where the tasks run on other machines, `inputs`
// takes the files of seeds; null where they read this machine's.
JobRequest InjectRequest(const SeedParts& seeds, const JobOptions& job, Store* inputs = nullptr);

// Defaults of the options that inject's tasks read, as a plan has them.
OptionTexts InjectOptionTexts();

}  // namespace trawl
