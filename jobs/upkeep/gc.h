// gc as a value: for its verb, and for the upkeep after a round. One thread.
#pragma once

#include <cstdint>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "formats/rows/times.h"
#include "jobs/verb/crawl.h"
#include "jobs/verb/verb.h"
#include "runtime/options/options.h"

namespace trawl {

// What gc keeps. As settings of the crawl they hold for every gc, also for that after a round.
struct GcOptions {
  int64_t keep_snapshots = 3;
  int64_t keep_ms = 7 * kDayMs;
  int64_t bodies_older_than_ms = 0;
  bool keep_latest_body = false;
  int32_t every_rounds = 10;
  // For the verb alone.
  bool by_policy = false;
  bool dry_run = false;
};
const OptionGroup<GcOptions>& GcOptionGroup();

// Whether the policy wants a gc after the round that was applied last: after each `every_rounds`th round. Whoever asks
// again after the same round gets the same answer.
bool IsGcDue(const Manifest& present, const GcOptions& options);

struct GcResult {
  int64_t files = 0;
  int64_t bytes = 0;
  int64_t body_files = 0;  // of the files
  int64_t too_young = 0;   // files that nobody needs and that stay for their age
};

// Does what the policy wants after a round: collects where IsGcDue says so, else removes what the round before has left
// and nobody reads any more (spent.h). With --gc.every_rounds 0 it does nothing.
arrow::Result<GcResult> CollectByPolicy(VerbContext& context, const Crawl& crawl, const GcOptions& options);

// Removes what the options do not keep; with `dry_run` it only counts.
arrow::Result<GcResult> CollectGarbage(VerbContext& context, const Crawl& crawl, const GcOptions& options,
                                       bool dry_run);

}  // namespace trawl
