// How much a round takes, and how it is shared out: the options of generate.
#pragma once

#include <cstdint>

#include "formats/rows/times.h"
#include "runtime/options/options.h"

namespace trawl {

struct GenerateOptions {
  // 0: no cap but what hosts can take.
  int64_t per_host = 0;
  int64_t per_domain = 0;
  // A machine asks some hundred pages a second, so more than this would not be reached within the time limit. 0: no
  // cap.
  int64_t top_n = 1'000'000;
  // Lists; 0 is as many as there are threads.
  int32_t fetchers = 0;
  int64_t time_limit_ms = kHourMs;
  // How long the segment holds its domains.
  int64_t hold_ms = kDayMs;
  int32_t pages_a_day = 100'000;
  bool dry_run = false;
};
const OptionGroup<GenerateOptions>& GenerateOptionGroup();

// How long a segment holds its domains at least: what fetch may take, and the time to begin with it.
int64_t HoldOf(const GenerateOptions& options);

}  // namespace trawl
