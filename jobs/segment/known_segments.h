// The segments that a snapshot knows, with how far each has come. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "formats/documents/step_record.h"
#include "runtime/process/clock.h"
#include "runtime/store/store.h"

namespace trawl {

struct KnownSegment {
  std::string id;
  // "open", "fetched", "parsed"; of one that is over "applied", "abandoned", "expired".
  std::string state;
  // The last step that is done, whatever the state: "generated", "fetched", "parsed", "applied".
  std::string step;
  std::string job;  // of its generate
  std::string lists;
  int64_t until_ms = 0;  // while it is open
};

// In the order in which they were closed, those that are open last; the last `limit` of them, 0 for all. One whose time
// is over has the state "expired" though no snapshot says so yet.
arrow::Result<std::vector<KnownSegment>> ReadSegments(Store* store, const Manifest& manifest, TimeMs now_ms,
                                                      int64_t limit);

// The record of its lists; nothing where gc has taken it.
arrow::Result<std::optional<StepRecord>> ReadListsIfThere(Store* store, const KnownSegment& segment);

}  // namespace trawl
