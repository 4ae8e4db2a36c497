#include "jobs/politeness/slow.h"

namespace trawl {

bool HasFailedOften(const HostRow& host, const FetchOptions& options) {
  return host.window_requests >= options.slow_requests &&
         int64_t{host.window_failures} * 100 > int64_t{host.window_requests} * options.slow_percent;
}

bool IsWindowOver(const HostRow& host, const FetchOptions& options, TimeMs now_ms) {
  return host.window_start_ms + options.slow_window_ms <= now_ms;
}

bool IsSlow(const HostRow& host, const FetchOptions& options, TimeMs now_ms) {
  return host.slow_until_ms > now_ms || (!IsWindowOver(host, options, now_ms) && HasFailedOften(host, options));
}

}  // namespace trawl
