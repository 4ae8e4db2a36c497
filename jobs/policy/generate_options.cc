#include "jobs/policy/generate_options.h"

#include <algorithm>

#include "formats/rows/times.h"

namespace trawl {

const OptionGroup<GenerateOptions>& GenerateOptionGroup() {
  static const auto group =
      OptionGroup<GenerateOptions>("generate", "How much a round fetches")
          .Int("per_host", &GenerateOptions::per_host, "most URLs per host; 0: as many as time allows", AtLeast(0))
          .Main()
          .Int("per_domain", &GenerateOptions::per_domain, "most URLs per domain; 0: as many as its hosts can take",
               AtLeast(0))
          .Int("top_n", &GenerateOptions::top_n, "most URLs per round, best first; 0: all", AtLeast(0))
          .Main()
          .Int("fetchers", &GenerateOptions::fetchers, "number of lists, one per fetch task; 0: one per thread",
               Between(0, 4000))
          .Duration("time_limit", &GenerateOptions::time_limit_ms, "longest time that the round may fetch",
                    Between(1'000, 30 * kDayMs))
          .Main()
          .Duration(
              "hold", &GenerateOptions::hold_ms,
              "how long other rounds leave the domains of the segment alone; at least an hour more than the time limit",
              Between(1'000, 365 * kDayMs))
          .Int("pages_a_day", &GenerateOptions::pages_a_day, "most pages per host and day", AtLeast(1))
          .Bool("dry_run", &GenerateOptions::dry_run, "show what a round would take; open no segment");
  return group;
}

int64_t SegmentHoldMs(const GenerateOptions& options) {
  return std::max(options.hold_ms, options.time_limit_ms + kHourMs);
}

}  // namespace trawl
