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
          .Fixed("domain_share", &GenerateOptions::domain_share,
                 "most of top_n that one domain takes while other domains have due URLs; 1: all of it", 6,
                 Between(1, 1'000'000))
          .Duration(
              "aging", &GenerateOptions::aging_ms,
              "a due URL is overtaken only by URLs that came due less than this after it, whatever their tier and "
              "score; 0: strictly in the order in which they came due",
              Between(0, 3650 * kDayMs))
          .Int("fetchers", &GenerateOptions::fetchers,
               "number of lists, one per fetch task; 0: one per thread, but fewer for a small round", Between(0, 4000))
          .Duration("time_limit", &GenerateOptions::time_limit_ms, "longest time that the round may fetch",
                    Between(1'000, 30 * kDayMs))
          .Main()
          .Duration(
              "hold", &GenerateOptions::hold_ms,
              "how long other rounds leave the domains of the segment alone; at least an hour more than the time limit",
              Between(1'000, 365 * kDayMs))
          .Int("pages_a_day", &GenerateOptions::pages_a_day, "most pages per host and day; it is kept", AtLeast(1))
          .Main()
          .Int("host_pages", &GenerateOptions::host_pages, "most pages per host in all; 0: no limit", AtLeast(0))
          .Int("domain_pages_a_day", &GenerateOptions::domain_pages_a_day,
               "most pages per registrable domain and day, over all its hosts; 0: no limit", AtLeast(0))
          .Int("domain_pages", &GenerateOptions::domain_pages,
               "most pages per registrable domain in all, over all its hosts; 0: no limit", AtLeast(0))
          .Bool("probe_errors", &GenerateOptions::probe_errors,
                "ask a host whose pages look like error pages of status 200, once in 30 days, for a path that cannot "
                "exist")
          .Bool("dry_run", &GenerateOptions::dry_run, "show what a round would take; open no segment");
  return group;
}

const std::vector<std::string>& QuotaOptionNames() {
  static const std::vector<std::string> names = {"generate.pages_a_day", "generate.host_pages",
                                                 "generate.domain_pages_a_day", "generate.domain_pages"};
  return names;
}

int64_t SegmentHoldMs(const GenerateOptions& options) {
  return std::max(options.hold_ms, options.time_limit_ms + kHourMs);
}

}  // namespace trawl
