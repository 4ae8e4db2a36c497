// Which segment a step works on: the one that --segment names, else the oldest that is ready for it.
#pragma once

#include <cstdint>
#include <string>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "jobs/verb/verb.h"
#include "runtime/options/options.h"
#include "runtime/store/store.h"

namespace trawl {

struct SegmentOptions {
  std::string segment;
};
const OptionGroup<SegmentOptions>& SegmentOptionGroup();

enum class SegmentStep { kFetch, kParse, kUpdatedb };

struct SegmentChoice {
  std::string id;
  std::string job;    // of its generate
  std::string lists;  // seal of the record of its lists
  bool is_open = false;
  bool is_done = false;  // the step was done before
  int64_t until_ms = 0;  // while it is open
};

// Nothing to do (without an id: no segment is ready) is an empty id. An id that the crawl does not know, that is not
// ready for the step, or whose segment was abandoned is an error that says what to do.
arrow::Result<SegmentChoice> ChooseSegment(Store* store, const Manifest& manifest, SegmentStep step,
                                           const std::string& id);

// Says that no segment is ready for the step, and what makes one. The exit code is that of --idle_exit: REQUIRES that
// IdleOptionGroup is among the verb's groups.
arrow::Result<int> SayNoSegment(VerbContext& context, SegmentStep step);

}  // namespace trawl
