// The segments that a snapshot names, and how far each has come. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "formats/documents/step_record.h"
#include "jobs/segment/steps.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

struct KnownSegment {
  std::string id;
  // "open", "fetched" or "parsed"; "applied", "abandoned" or "expired" once it is over.
  std::string state;
  // The last step that is done, whatever the state.
  SegmentStep step = SegmentStep::kGenerate;
  std::string job;  // generate's, or that of reparse
  std::string lists;
  // Whether trawl reparse made it, of stored bodies.
  bool is_reading() const { return lists.empty(); }
  int64_t until_ms = 0;   // while it is open: when it expires
  bool is_store = false;  // as in Segment
};

// In the order of SegmentsOf; the last `limit` of them, 0 for all. A segment whose time is over has the state "expired"
// though no snapshot says so yet.
arrow::Result<std::vector<KnownSegment>> ReadSegments(Store* store, const Manifest& manifest, TimeMs now_ms,
                                                      int64_t limit);

// The record of its lists; nothing where gc has removed it.
arrow::Result<std::optional<StepRecord>> ReadListsIfThere(Store* store, const KnownSegment& segment);

}  // namespace trawl
