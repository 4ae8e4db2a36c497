// The options of generate: how much a round takes, and how it is shared out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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
  // How much of top_n one registrable domain takes while others have due URLs, in millionths.
  int32_t domain_share = 500'000;
  // A due URL is overtaken only by URLs that came due less than this after it (jobs/select/url_rank.h).
  int64_t aging_ms = 7 * kDayMs;
  // How many lists there are; 0: one per thread.
  int32_t fetchers = 0;
  int64_t time_limit_ms = kHourMs;
  // How long the segment holds its domains.
  int64_t hold_ms = kDayMs;
  // Limits of pages; 0: no limit.
  int32_t pages_a_day = 100'000;   // of a host
  int64_t host_pages = 0;          // of a host, in all
  int64_t domain_pages_a_day = 0;  // of a registrable domain
  int64_t domain_pages = 0;        // of a registrable domain, in all
  bool probe_errors = true;        // ask hosts for paths that cannot exist
  bool dry_run = false;
};
const OptionGroup<GenerateOptions>& GenerateOptionGroup();

// The full names of the four options that limit pages. Whoever gives one of them on the command line makes it a setting of
// the crawl (jobs/verb/lasting.h).
const std::vector<std::string>& QuotaOptionNames();

// How long a segment holds its domains: --hold, but at least the time limit of fetch and an hour to begin it.
int64_t SegmentHoldMs(const GenerateOptions& options);

}  // namespace trawl
