// How long a host is left alone between two requests. fetch keeps to it, and generate plans by it. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/rows/host_row.h"
#include "jobs/policy/fetch_options.h"

namespace trawl {

struct HostDelay {
  int64_t ms = 0;
  // The host's Crawl-delay is longer than the maximum, and the operator wants such hosts skipped.
  bool skip = false;
};

// The operator's delay for the host; else the longest of the crawl's own delay, the host's Crawl-delay, and twice a
// response time over 2 s. The surcharge for slow answers is added. The delay of a throttled host is doubled once per
// time that the host throttled.
HostDelay DelayOf(const HostRow& host, std::optional<int64_t> crawl_delay_ms, const FetchOptions& options);

// What holds for a host of that domain: the operator's delay for the host, else for its registrable domain.
inline int32_t OperatorDelayOf(const HostRow& host, const DomainRecord& domain) {
  return host.operator_delay_ms != 0 ? host.operator_delay_ms : domain.operator_delay_ms;
}

}  // namespace trawl
