#include "jobs/policy/generate_options.h"

#include <algorithm>

#include "formats/rows/times.h"

namespace trawl {

const OptionGroup<GenerateOptions>& GenerateOptionGroup() {
  static const auto group =
      OptionGroup<GenerateOptions>("generate", "What a round takes")
          .Int("per_host", &GenerateOptions::per_host, "URLs of a host at most; 0 is what it can take", AtLeast(0))
          .Int("per_domain", &GenerateOptions::per_domain, "URLs of a domain at most; 0 is what its hosts can take",
               AtLeast(0))
          .Int("top_n", &GenerateOptions::top_n, "URLs at most, the best ones; 0 is all that are due", AtLeast(0))
          .Int("fetchers", &GenerateOptions::fetchers, "lists to share them out to; 0 is as many as there are threads",
               Between(0, 4000))
          .Duration("time_limit", &GenerateOptions::time_limit_ms,
                    "how long the round may fetch: a host gets what fits into it", Between(1'000, 30 * kDayMs))
          .Duration(
              "hold", &GenerateOptions::hold_ms,
              "how long other rounds leave the segment's domains alone; at least an hour more than the time limit",
              Between(1'000, 365 * kDayMs))
          .Int("pages_a_day", &GenerateOptions::pages_a_day, "pages of a host within a day", AtLeast(1))
          .Bool("dry_run", &GenerateOptions::dry_run, "say what a round would take, and open no segment");
  return group;
}

int64_t SegmentHoldMs(const GenerateOptions& options) {
  return std::max(options.hold_ms, options.time_limit_ms + kHourMs);
}

}  // namespace trawl
