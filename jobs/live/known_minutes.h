// The minutes of rounds, kept once read: documents of rounds never change. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/manifest.h"
#include "jobs/live/live.h"
#include "jobs/stats/minutes.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

struct KnownRound {
  std::string segment;
  TimeMs applied_ms = 0;
  int64_t step_ms = 60'000;
  Minutes minutes;
};

class KnownMinutes {
 public:
  // The points of the range: of the rounds that are `open`, and of applied ones.
  arrow::Result<std::vector<ThroughputPoint>> Points(Store* store, const Manifest& manifest,
                                                     std::vector<KnownRound> open, const ThroughputRange& range,
                                                     const StopToken& stop);

 private:
  arrow::Result<const KnownRound*> Find(Store* store, const ClosedSegment& segment);

  std::map<std::string, KnownRound> rounds_;  // by the seal of the document
  size_t rows_ = 0;
};

}  // namespace trawl
