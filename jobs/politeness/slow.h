// Which hosts are slow: those of which many requests fail. Slow hosts get lists of their own, so that the others do not
// wait for them. Pure; any thread.
#pragma once

#include "formats/rows/host_row.h"
#include "formats/rows/times.h"
#include "runtime/process/clock.h"

namespace trawl {

// How long a host stays slow after its requests failed too often.
inline constexpr int64_t kSlowMs = kHourMs;
// How long requests are counted together.
inline constexpr int64_t kWindowMs = kHourMs;

// Whether more than a fifth of at least 20 requests failed in the host's window, whenever that was.
bool HasFailedOften(const HostRow& host);
// Whether the host's window began kWindowMs ago or more.
bool IsWindowOver(const HostRow& host, TimeMs now_ms);

// Whether the host is slow now: it has failed often in a window that is not over, or less than kSlowMs ago.
bool IsSlow(const HostRow& host, TimeMs now_ms);

}  // namespace trawl
