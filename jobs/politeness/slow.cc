#include "jobs/politeness/slow.h"

namespace trawl {

namespace {

// Fewer requests say nothing.
constexpr int32_t kLeastRequests = 20;
// More than one failure per this many requests is too often.
constexpr int64_t kRequestsPerFailure = 5;

}  // namespace

bool HasFailedOften(const HostRow& host) {
  return host.window_requests >= kLeastRequests && host.window_failures * kRequestsPerFailure > host.window_requests;
}

bool IsWindowOver(const HostRow& host, TimeMs now_ms) { return host.window_start_ms + kWindowMs <= now_ms; }

bool IsSlow(const HostRow& host, TimeMs now_ms) {
  return host.slow_until_ms > now_ms || (!IsWindowOver(host, now_ms) && HasFailedOften(host));
}

}  // namespace trawl
