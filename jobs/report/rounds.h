// The rounds of a report: the one that it tells in full, and the numbers by which the last ones are compared. Any thread.
#pragma once

#include <cstdint>
#include <string>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "formats/documents/manifest.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

struct RoundsOfReport {
  Json round;                   // the document; null where there is none
  Json rounds = Json::array();  // {"segment", "applied_ms", …} of the last ones, oldest first
  int64_t without_numbers = 0;  // of the last ones, those that an older version applied
};

// `segment`: the last round that is told; empty for the newest.
arrow::Result<RoundsOfReport> ReadRoundsOfReport(Store* store, const Manifest& manifest, const std::string& segment,
                                                 int64_t last, const StopToken& stop);

}  // namespace trawl
