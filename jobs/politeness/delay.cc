#include "jobs/politeness/delay.h"

#include <algorithm>

#include "formats/rows/times.h"

namespace trawl {

namespace {

constexpr int64_t kSlowResponseMs = 2000;
constexpr int64_t kLongestMs = kDayMs;

}  // namespace

HostDelay DelayOf(const HostRow& host, std::optional<int64_t> crawl_delay_ms, const FetchOptions& options) {
  HostDelay delay;
  if (host.operator_delay_ms != 0) {
    delay.ms = std::max(host.operator_delay_ms, 0);
  } else {
    int64_t wish_ms = std::max<int64_t>(crawl_delay_ms.value_or(0), 0);
    if (wish_ms > options.max_crawl_delay_ms) {
      delay.skip = options.long_crawl_delay == LongCrawlDelay::kSkip;
      // A host that is skipped never waits the whole delay.
      if (options.long_crawl_delay != LongCrawlDelay::kHonour) wish_ms = options.max_crawl_delay_ms;
    }
    const int64_t slow_ms = host.response_ms > kSlowResponseMs ? 2 * int64_t{host.response_ms} : 0;
    delay.ms = std::max({int64_t{options.delay_ms}, wish_ms, slow_ms});
  }
  delay.ms += host.surcharge_ms;
  const int doublings = std::clamp(host.throttle_factor, 0, 20);
  // A host that is asked without a pause gets one once it throttles.
  if (doublings > 0) delay.ms = std::max<int64_t>(delay.ms, 500) << doublings;
  delay.ms = std::min(delay.ms, kLongestMs);
  return delay;
}

}  // namespace trawl
