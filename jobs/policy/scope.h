// A door of jobs/policy, the operator's wishes: which URLs the crawl wants. Here are the options, how they travel in a
// plan, and the scope by which tasks judge.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/manifest.h"
#include "formats/scope/crawl_scope.h"
#include "jobs/policy/read_policy.h"
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
  int32_t repeated_segments = 3;
  std::string ignored_parameters;
  std::vector<std::string> allow_hosts, allow_domains, allow_prefixes, allow_suffixes;
  std::vector<std::string> deny_hosts, deny_domains, deny_prefixes, deny_suffixes;
  bool learn_parameters = false;
};
const OptionGroup<ScopeOptions>& ScopeOptionGroup();

// Reads the files that the plan's options name and stores them as inputs of the job, where its tasks find them. Called
// while the plan is made. A rule or entry that makes no sense is an error with file and line.
arrow::Status PlanScope(Store* store, Plan* plan);
// Puts the parameters that settle has learned into the plan (formats/scope/ignored_parameters.h), where its options ask for
// them, so that all its tasks read links alike. Called after PlanScope, by jobs that read links. It reads the keys of all
// patterns; of more than 10,000 rules the first in the order of the table count.
arrow::Status PlanLearnedRules(Store* store, const Manifest& snapshot, Plan* plan);
// The number of inputs that PlanScope has stored: the job's further ones come after them.
int InputsOfScope(const Plan& plan);

// The scope without a job, from the files that the options name: for verbs that only look.
arrow::Result<CrawlScope> ScopeOfOptions(Store* store, const Manifest& snapshot, const OptionTexts& options);

// The scope of a plan on which PlanScope was called. The seeds' hosts come from the snapshot.
arrow::Result<CrawlScope> ScopeOfPlan(Store* store, const Manifest& snapshot, const Plan& plan);
// The rules by which such a plan judges links, and those of options, as a number.
arrow::Result<ReadPolicy> ReadPolicyOfPlan(const Plan& plan);
arrow::Result<ReadPolicy> ReadPolicyOfOptions(const OptionTexts& options);

// A second scope beside that of the plan's own options: that of the texts, whose inputs come after those of the first.
// Called after PlanScope.
arrow::Status PlanOtherScope(Store* store, const OptionTexts& options, Plan* plan);
arrow::Result<CrawlScope> OtherScopeOfPlan(Store* store, const Manifest& snapshot, const Plan& plan);

// The same for new seeds, which widen the seeds' hosts: any host is in scope.
arrow::Result<CrawlScope> SeedScopeOfPlan(Store* store, const Plan& plan);

}  // namespace trawl
