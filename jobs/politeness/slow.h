// Which hosts are slow: those of which many requests fail. Slow hosts get lists of their own, so that the others do not
// wait for them. The options slow_… say how many failures, within which time, and for how long. Pure; any thread.
#pragma once

#include "formats/rows/host_row.h"
#include "jobs/policy/fetch_options.h"
#include "runtime/process/clock.h"

namespace trawl {

// Whether more than slow_percent of at least slow_requests failed in the host's window, whenever that was.
bool HasFailedOften(const HostRow& host, const FetchOptions& options);
// Whether the host's window began slow_window_ms ago or more.
bool IsWindowOver(const HostRow& host, const FetchOptions& options, TimeMs now_ms);

// Whether the host is slow now: it has failed often in a window that is not over, or less than slow_time_ms ago.
bool IsSlow(const HostRow& host, const FetchOptions& options, TimeMs now_ms);

}  // namespace trawl
