// A door of jobs/policy, the operator's wishes: how the crawl asks, that is, its name, its politeness and its limits. The
// options are those of fetch, and of generate, which plans by the same delays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/rows/times.h"
#include "runtime/options/options.h"

namespace trawl {

enum class PolitenessUnit : int8_t { kHost = 1, kDomain = 2 };
enum class LongCrawlDelay : int8_t { kHonour = 1, kCap = 2, kSkip = 3 };

struct FetchOptions {
  // Who asks.
  std::string contact;
  std::string agent = "trawl";
  // How often.
  int32_t delay_ms = 1000;
  int32_t max_crawl_delay_ms = 30'000;
  LongCrawlDelay long_crawl_delay = LongCrawlDelay::kHonour;
  PolitenessUnit politeness_by = PolitenessUnit::kHost;
  int32_t address_delay_ms = 250;
  // Where.
  bool allow_private = false;
  std::vector<std::string> dns_servers;
  std::string hosts_file;
  std::string ca_file;
  bool http2 = true;
  // Limits of an answer.
  int64_t max_body_bytes = 10 << 20;
  int64_t max_sitemap_bytes = 50 << 20;
  int64_t max_header_bytes = 64 << 10;
  int32_t max_header_fields = 100;
  int32_t max_ratio = 200;
  int32_t max_hops = 5;
  std::vector<std::string> retry_after = {"30s", "2m", "5m"};
  int32_t retries = 10;
  bool sitemaps = true;
  // How long.
  int32_t timeout_ms = 30'000;
  // How long a task waits for retries alone.
  int32_t idle_wait_ms = 60'000;
  int32_t connect_timeout_ms = 10'000;
  int32_t address_timeout_ms = 3'000;
  int32_t first_byte_timeout_ms = 20'000;
  int64_t min_bytes_per_second = 1'000;
  int32_t speed_window_ms = 10'000;
  // How much at once.
  int32_t connections = 1'000;
  int64_t part_bytes = int64_t{256} << 20;
  int32_t part_ms = 60'000;
  int32_t lease_ms = 60'000;
  // When a host is left alone: so many failures in a row open its breaker, for a time that doubles with each opening.
  int32_t breaker_failures = 5;  // 0: never
  int64_t breaker_first_ms = 5 * kMinuteMs;
  int64_t breaker_longest_ms = kDayMs;
  // When a host is slow: more than this share of its requests failed, of at least so many within the window.
  int32_t slow_percent = 20;
  int32_t slow_requests = 20;
  int64_t slow_window_ms = kHourMs;
  int64_t slow_time_ms = kHourMs;  // how long it stays slow after that
};
const OptionGroup<FetchOptions>& FetchOptionGroup();

// The waits before the retries of a URL within a round, as many as there may be. REQUIRES: options that the group has read.
std::vector<int64_t> RetryWaitsMs(const FetchOptions& options);

}  // namespace trawl
