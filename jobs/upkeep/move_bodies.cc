#include "jobs/upkeep/move_bodies.h"

#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Result;

Result<BodiesMoved> MoveBodies(TimeMs before_ms, const RunBodyJob& run) {
  constexpr int kMostTimes = 4;
  BodiesMoved all;
  for (int times = 1;; ++times) {
    ARROW_ASSIGN_OR_RAISE(all.copied, run(CopyBodiesRequest(before_ms, &all.moved)));
    if (all.moved.segment.empty()) return all;
    ARROW_ASSIGN_OR_RAISE(all.placed, run(PlaceBodiesRequest(&all.moved)));
    if (!all.moved.is_stale) return all;
    if (times == kMostTimes) {
      return ConflictError("other jobs changed the crawl ", kMostTimes,
                           " times while bodies were copied; run the command again when they are over");
    }
  }
}

}  // namespace trawl
