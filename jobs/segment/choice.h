// The door of jobs/segment: which segment a verb works on, how far it is, and the domains it holds.
//
// This header chooses: the segment that --segment names, else the oldest that is ready for the step. The others tell a
// segment's life (life.h) and steps (steps.h), how far each has come (known_segments.h), the domains that segments hold
// (held_domains.h), and what they fetched (past_fetches.h).
#pragma once

#include <cstdint>
#include <string>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "jobs/segment/steps.h"
#include "jobs/verb/verb.h"
#include "runtime/options/options.h"
#include "runtime/store/store.h"

namespace trawl {

struct SegmentOptions {
  std::string segment;
};
const OptionGroup<SegmentOptions>& SegmentOptionGroup();

struct SegmentChoice {
  std::string id;
  std::string job;    // generate's
  std::string lists;  // seal of the record of its lists
  bool is_open = false;
  bool is_done = false;  // the step was done before
  int64_t until_ms = 0;  // while it is open: when it expires
};

// The choice for an empty `id` has an empty id where no segment is ready. An id that the crawl does not know, that is
// not ready for the step, or whose segment was abandoned is an error that says what to do. REQUIRES: not kGenerate.
arrow::Result<SegmentChoice> ChooseSegment(Store* store, const Manifest& manifest, SegmentStep step,
                                           const std::string& id);

// Says that no segment is ready for the step, and which verb makes one. The exit code is that of --idle_exit.
// REQUIRES: IdleOptionGroup is among the verb's groups; not kGenerate.
arrow::Result<int> SayNoSegment(VerbContext& context, SegmentStep step);

}  // namespace trawl
