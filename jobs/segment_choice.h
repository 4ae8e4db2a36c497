// Which segment a step works on: the one it is told, else the oldest that is ready for it. Any thread.
#pragma once

#include <functional>
#include <string>

#include "arrow/result.h"
#include "formats/manifest.h"
#include "runtime/store.h"

namespace trawl {

// A segment whose lists exist and that was neither applied nor abandoned.
struct SegmentChoice {
  OpenSegment segment;  // empty id: none is ready
  // The step was done before.
  bool is_done = false;
};

// Segments are open, or have expired without having been applied. `needs` is the step that comes before (empty: none), `step`
// the one that is to be done. A segment that is named and is not there, or not ready, is an error that says so.
arrow::Result<SegmentChoice> ChooseSegment(Store* store, const Manifest& manifest, const std::string& named,
                                           const std::string& needs, const std::string& step);

}  // namespace trawl
