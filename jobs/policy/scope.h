// Which URLs the crawl takes: the options, how they travel in a plan, and the policy that tasks judge by.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/manifest.h"
#include "formats/scope/crawl_scope.h"
#include "runtime/job/plan.h"
#include "runtime/options/options.h"
#include "runtime/store/store.h"

namespace trawl {

struct ScopeOptions {
  UrlScope scope = UrlScope::kDomain;
  std::string scope_rules;
  int32_t depth = 10;
  int32_t max_bytes = 2048;
  int32_t max_parameters = 10;
  std::vector<std::string> allow_hosts, allow_domains, allow_prefixes, allow_suffixes;
  std::vector<std::string> deny_hosts, deny_domains, deny_prefixes, deny_suffixes;
};
const OptionGroup<ScopeOptions>& ScopeOptionGroup();

// For the driver, while it plans a job: reads the files that the plan's options name and stores them as inputs of the job,
// where its tasks find them. A rule or entry that makes no sense is an error with file and line.
arrow::Status PlanScope(Store* store, Plan* plan);

// The same policy without a job, from the files that the options name: for looking.
arrow::Result<CrawlScope> ScopeOfOptions(Store* store, const Manifest& snapshot, const OptionTexts& options);

// The policy of a plan that PlanScope has seen; the seeds' hosts come from the snapshot.
arrow::Result<CrawlScope> ScopeOfPlan(Store* store, const Manifest& snapshot, const Plan& plan);

}  // namespace trawl
