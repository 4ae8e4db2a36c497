// How long a host is left alone between two requests: what fetch keeps to and generate plans by. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/rows/host_row.h"
#include "jobs/policy/fetch_options.h"

namespace trawl {

struct HostDelay {
  int64_t ms = 0;
  // The host's Crawl-delay is over the maximum, and such hosts are skipped.
  bool skip = false;
};

// The operator's word for the host; else the largest of the crawl's own delay, the host's Crawl-delay, and twice a
// response time over 2 s. On top of that the surcharge of slow answers; a throttled host's is doubled as often as it
// was told to wait.
HostDelay DelayOf(const HostRow& host, std::optional<int64_t> crawl_delay_ms, const FetchOptions& options);

}  // namespace trawl
