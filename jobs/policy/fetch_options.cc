#include "jobs/policy/fetch_options.h"

#include <algorithm>

#include "formats/rows/times.h"
#include "runtime/process/status_detail.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// RFC 9309 section 2.2.1: what a group of robots.txt can name.
bool IsProductToken(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
  });
}

// A longer schedule would let a page keep its round waiting.
constexpr int kMostRetries = 10;
constexpr int64_t kShortestRetryMs = 100;

Status CheckRetries(const FetchOptions& options) {
  if (options.retry_after.size() > kMostRetries) {
    return UsageError("--fetch.retry_after has ", options.retry_after.size(), " times; it takes at most ",
                      kMostRetries);
  }
  for (const std::string& text : options.retry_after) {
    const Result<int64_t> wait_ms = ParseDuration(text);
    if (wait_ms.ok() && *wait_ms >= kShortestRetryMs && *wait_ms <= kHourMs) continue;
    return UsageError("--fetch.retry_after '", text, "': use times between 100ms and 1h, such as 30s,2m,5m");
  }
  return Status::OK();
}

bool IsPrintable(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

}  // namespace

const OptionGroup<FetchOptions>& FetchOptionGroup() {
  static const auto group =
      OptionGroup<FetchOptions>("fetch", "How pages are fetched")
          .String("contact", &FetchOptions::contact,
                  "your web or mail address, so that webmasters can reach you; required for public addresses")
          .Main()
          .String("agent", &FetchOptions::agent, "name of the crawler, also in robots.txt: letters, '-' and '_'")
          .Duration("delay_ms", &FetchOptions::delay_ms, "pause between requests to the same host", Between(0, kDayMs))
          .Main()
          .Duration("max_crawl_delay", &FetchOptions::max_crawl_delay_ms,
                    "longest Crawl-delay that is always honoured; for a longer one see long_crawl_delay",
                    Between(0, kDayMs))
          .Choice("long_crawl_delay", &FetchOptions::long_crawl_delay,
                  "a Crawl-delay over max_crawl_delay: honour it, cap it to the maximum, or skip the host",
                  {{"honour", LongCrawlDelay::kHonour}, {"cap", LongCrawlDelay::kCap}, {"skip", LongCrawlDelay::kSkip}})
          .Choice("politeness_by", &FetchOptions::politeness_by,
                  "send one request at a time, with the delay, per host or per domain",
                  {{"host", PolitenessUnit::kHost}, {"domain", PolitenessUnit::kDomain}})
          .Duration("address_delay_ms", &FetchOptions::address_delay_ms,
                    "wait between requests to the same IP address, whatever the host; no wait if allow_private is on",
                    Between(0, 60'000))
          .Bool("allow_private", &FetchOptions::allow_private,
                "fetch from private, loopback and link-local addresses, too")
          .List("dns_servers", &FetchOptions::dns_servers, "name servers to use instead of the system's", "ADDRESS")
          .String("hosts_file", &FetchOptions::hosts_file,
                  "file of names and addresses, as /etc/hosts, used before DNS", "FILE")
          .String("ca_file", &FetchOptions::ca_file, "certificates to trust instead of the system's", "FILE")
          .Bool("http2", &FetchOptions::http2, "use HTTP/2 where the server supports it")
          .Size("max_body", &FetchOptions::max_body_bytes, "cut longer pages at this size", AtLeast(1))
          .Main()
          .Size("max_sitemap", &FetchOptions::max_sitemap_bytes, "cut a longer sitemap at this size", AtLeast(1))
          .Size("max_headers", &FetchOptions::max_header_bytes, "refuse an answer with more bytes of headers",
                AtLeast(1024))
          .Int("max_header_fields", &FetchOptions::max_header_fields, "refuse an answer with more header fields",
               Between(1, 10'000))
          .Int("max_ratio", &FetchOptions::max_ratio, "cut a body that unpacks to more than N times its size",
               Between(1, 100'000))
          .Int("max_hops", &FetchOptions::max_hops, "most redirects to follow in a row", Between(0, 20))
          .List("retry_after", &FetchOptions::retry_after,
                "retry within the round, after network failures and server errors, when these times have passed; empty "
                "for no retries",
                "TIME")
          .Int("retries", &FetchOptions::retries, "most retries within the round, of those in retry_after",
               Between(0, kMostRetries))
          .Bool("sitemaps", &FetchOptions::sitemaps, "read the sitemaps that robots.txt names")
          .Duration("timeout", &FetchOptions::timeout_ms, "longest time for a whole request", Between(100, kHourMs))
          .Duration("idle_wait", &FetchOptions::idle_wait_ms,
                    "longest wait for the retries of failed URLs where nothing else is left to do, or a tenth of the "
                    "round so far; longer ones are left to a later round",
                    Between(0, kDayMs))
          .Duration("connect_timeout", &FetchOptions::connect_timeout_ms,
                    "longest time to connect, over all addresses of a host", Between(10, kHourMs))
          .Duration("address_timeout", &FetchOptions::address_timeout_ms, "longest time to connect to one address",
                    Between(10, kHourMs))
          .Duration("first_byte_timeout", &FetchOptions::first_byte_timeout_ms,
                    "longest wait for the first byte of an answer", Between(10, kHourMs))
          .Size("min_bytes_per_second", &FetchOptions::min_bytes_per_second, "end an answer that is slower than this")
          .Duration("speed_window", &FetchOptions::speed_window_ms, "time over which that speed is measured",
                    Between(100, kHourMs))
          .Int("connections", &FetchOptions::connections, "most requests in flight at once, per task",
               Between(1, 100'000))
          .Size("part_size", &FetchOptions::part_bytes, "save the fetched pages each time they reach this size",
                AtLeast(1 << 20))
          .Duration("part_time", &FetchOptions::part_ms, "save the fetched pages at least this often",
                    Between(100, kHourMs))
          .Duration("lease", &FetchOptions::lease_ms,
                    "time without a sign of life after which an attempt counts as dead and its successor takes over",
                    Between(1'000, kHourMs))
          .Int("breaker_failures", &FetchOptions::breaker_failures,
               "failures in a row after which a host is left alone for a while; 0: never", Between(0, 1'000'000))
          .Duration("breaker_first", &FetchOptions::breaker_first_ms,
                    "how long a host is left alone the first time; each further time doubles it",
                    Between(1'000, 365 * kDayMs))
          .Duration("breaker_longest", &FetchOptions::breaker_longest_ms, "longest time that a host is left alone",
                    Between(1'000, 365 * kDayMs))
          .Int("slow_percent", &FetchOptions::slow_percent,
               "a host of which more than this share of requests failed is slow: it gets a list of its own",
               Between(1, 100), "PERCENT")
          .Int("slow_requests", &FetchOptions::slow_requests, "fewest requests by which a host is called slow",
               Between(1, 1'000'000))
          .Duration("slow_window", &FetchOptions::slow_window_ms, "time within which those requests are counted",
                    Between(1'000, 365 * kDayMs))
          .Duration("slow_time", &FetchOptions::slow_time_ms, "how long a host stays slow",
                    Between(1'000, 365 * kDayMs))
          .Must([](const FetchOptions& options) {
            if (!IsProductToken(options.agent)) {
              return UsageError("--fetch.agent '", options.agent,
                                "': use only letters, '-' and '_', so that robots.txt can name it (RFC 9309)");
            }
            if (options.lease_ms < 2 * int64_t{options.timeout_ms}) {
              return UsageError(
                  "--fetch.lease must be at least twice --fetch.timeout, so that every request ends within the lease");
            }
            if (options.breaker_longest_ms < options.breaker_first_ms) {
              return UsageError("--fetch.breaker_longest must be at least --fetch.breaker_first");
            }
            if (!IsPrintable(options.contact))
              return UsageError("--fetch.contact: use only printable ASCII characters");
            return CheckRetries(options);
          });
  return group;
}

std::vector<int64_t> RetryWaitsMs(const FetchOptions& options) {
  std::vector<int64_t> waits_ms;
  for (const std::string& text : options.retry_after) {
    if (static_cast<int32_t>(waits_ms.size()) == options.retries) break;
    waits_ms.push_back(ParseDuration(text).ValueOr(kShortestRetryMs));
  }
  return waits_ms;
}

}  // namespace trawl
