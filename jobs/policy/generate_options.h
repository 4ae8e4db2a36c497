// The options of generate: how much a round takes, and how it is shared out.
#pragma once

#include <cstdint>

#include "formats/rows/times.h"
#include "runtime/options/options.h"

namespace trawl {

struct GenerateOptions {
  // 0: no limit but what hosts can take.
  int64_t per_host = 0;
  int64_t per_domain = 0;
  // A machine fetches some hundred pages per second, so it would not reach more than this within the time limit. 0: no
  // limit.
  int64_t top_n = 1'000'000;
  // How many lists there are; 0: one per thread.
  int32_t fetchers = 0;
  int64_t time_limit_ms = kHourMs;
  // How long the segment holds its domains.
  int64_t hold_ms = kDayMs;
  int32_t pages_a_day = 100'000;
  bool dry_run = false;
};
const OptionGroup<GenerateOptions>& GenerateOptionGroup();

// How long a segment holds its domains: --hold, but at least the time limit of fetch and an hour to begin it.
int64_t SegmentHoldMs(const GenerateOptions& options);

}  // namespace trawl
