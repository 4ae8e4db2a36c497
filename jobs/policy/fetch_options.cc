#include "jobs/policy/fetch_options.h"

#include <algorithm>

#include "formats/rows/times.h"
#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Status;

namespace {

// RFC 9309 section 2.2.1: what a group of robots.txt can name.
bool IsProductToken(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
  });
}

bool IsPrintable(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

}  // namespace

const OptionGroup<FetchOptions>& FetchOptionGroup() {
  static const auto group =
      OptionGroup<FetchOptions>("fetch", "How pages are asked for")
          .String("contact", &FetchOptions::contact,
                  "an address, mail or web, at which webmasters reach you; public addresses are not asked without it")
          .String("agent", &FetchOptions::agent,
                  "the crawler's name, which robots.txt can address: letters, '-' and '_'")
          .Duration("delay_ms", &FetchOptions::delay_ms, "between an answer's end and the next request to its host",
                    Between(0, kDayMs))
          .Duration("max_crawl_delay", &FetchOptions::max_crawl_delay_ms,
                    "a longer Crawl-delay is treated as long_crawl_delay says", Between(0, kDayMs))
          .Choice("long_crawl_delay", &FetchOptions::long_crawl_delay,
                  "a Crawl-delay over the maximum is honoured, capped to it, or its host is skipped",
                  {{"honour", LongCrawlDelay::kHonour}, {"cap", LongCrawlDelay::kCap}, {"skip", LongCrawlDelay::kSkip}})
          .Choice("politeness_by", &FetchOptions::politeness_by,
                  "one request at a time, and one delay, for a host or a domain",
                  {{"host", PolitenessUnit::kHost}, {"domain", PolitenessUnit::kDomain}})
          .Duration("address_delay_ms", &FetchOptions::address_delay_ms,
                    "between requests to one address, whatever the host; none where private addresses are allowed",
                    Between(0, 60'000))
          .Bool("allow_private", &FetchOptions::allow_private, "ask private, loopback and link-local addresses too")
          .List("dns_servers", &FetchOptions::dns_servers, "name servers, instead of the system's", "ADDRESS")
          .String("hosts_file", &FetchOptions::hosts_file, "names that are known without asking, as in /etc/hosts",
                  "FILE")
          .String("ca_file", &FetchOptions::ca_file, "certificates to trust, instead of the system's", "FILE")
          .Bool("http2", &FetchOptions::http2, "speak HTTP/2 where the server does")
          .Size("max_body", &FetchOptions::max_body_bytes, "a longer body is cut", AtLeast(1))
          .Size("max_sitemap", &FetchOptions::max_sitemap_bytes, "a longer sitemap is cut", AtLeast(1))
          .Size("max_headers", &FetchOptions::max_header_bytes, "more header bytes end the request", AtLeast(1024))
          .Int("max_header_fields", &FetchOptions::max_header_fields, "more fields end the request", Between(1, 10'000))
          .Int("max_ratio", &FetchOptions::max_ratio, "a body that unpacks to more than so many times its size is cut",
               Between(1, 100'000))
          .Int("max_hops", &FetchOptions::max_hops, "redirects followed in a row", Between(0, 20))
          .Int("retries", &FetchOptions::retries,
               "after network failures and server errors, within the round: 30 s, 2 min and 5 min later", Between(0, 3))
          .Bool("sitemaps", &FetchOptions::sitemaps, "sitemaps that robots.txt names enter the crawl")
          .Duration("timeout", &FetchOptions::timeout_ms, "for a whole request", Between(100, kHourMs))
          .Duration("connect_timeout", &FetchOptions::connect_timeout_ms, "for connecting, over all addresses",
                    Between(10, kHourMs))
          .Duration("address_timeout", &FetchOptions::address_timeout_ms, "for connecting to one address",
                    Between(10, kHourMs))
          .Duration("first_byte_timeout", &FetchOptions::first_byte_timeout_ms, "for the first byte of an answer",
                    Between(10, kHourMs))
          .Size("min_bytes_per_second", &FetchOptions::min_bytes_per_second, "a slower answer is ended")
          .Duration("speed_window", &FetchOptions::speed_window_ms, "over which that is measured",
                    Between(100, kHourMs))
          .Int("connections", &FetchOptions::connections, "requests under way at once, a task", Between(1, 100'000))
          .Size("part_size", &FetchOptions::part_bytes, "pages are safe after so many bytes", AtLeast(1 << 20))
          .Duration("part_time", &FetchOptions::part_ms, "pages are safe after so long", Between(100, kHourMs))
          .Duration("lease", &FetchOptions::lease_ms,
                    "an attempt that showed no sign of life for so long is taken for dead by its successor",
                    Between(1'000, kHourMs))
          .Must([](const FetchOptions& options) {
            if (!IsProductToken(options.agent)) {
              return UsageError("--fetch.agent '", options.agent,
                                "': letters, '-' and '_' only, so that robots.txt can name it (RFC 9309)");
            }
            if (options.lease_ms < 2 * int64_t{options.timeout_ms}) {
              return UsageError("--fetch.lease must be at least twice --fetch.timeout, so that requests end within it");
            }
            if (!IsPrintable(options.contact)) return UsageError("--fetch.contact: printable ASCII only");
            return Status::OK();
          });
  return group;
}

}  // namespace trawl
