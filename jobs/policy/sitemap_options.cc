#include "jobs/policy/sitemap_options.h"

#include <algorithm>

#include "jobs/policy/score.h"
#include "runtime/process/status_detail.h"

namespace trawl {

namespace {

constexpr int64_t kLongestMs = 36'525 * kDayMs;

struct Bounds {
  int64_t start_ms, min_ms, max_ms;
};

}  // namespace

const OptionGroup<SitemapOptions>& SitemapOptionGroup() {
  static const auto group =
      OptionGroup<SitemapOptions>("sitemaps", "What sitemaps and feeds bring")
          .Bool("guess", &SitemapOptions::guess,
                "ask a host whose robots.txt names no sitemap for /sitemap.xml; none there is no error")
          .Duration("guess_interval", &SitemapOptions::guess_interval_ms, "time between two such requests to a host",
                    Between(kHourMs, kLongestMs))
          .Bool("priority", &SitemapOptions::priority, "let the priority of an entry decide its score")
          .Bool("changefreq", &SitemapOptions::changefreq,
                "let the change frequency of an entry decide the interval after its first fetch")
          .Bool("lastmod", &SitemapOptions::lastmod,
                "fetch a page again when a sitemap or feed says that it has changed since")
          .Duration("sitemap_start_interval", &SitemapOptions::start_interval_ms,
                    "interval after a sitemap's first reading", Between(1, kLongestMs))
          .Duration("sitemap_min_interval", &SitemapOptions::min_interval_ms,
                    "shortest interval of a sitemap, if it changes", Between(1, kLongestMs))
          .Duration("sitemap_max_interval", &SitemapOptions::max_interval_ms,
                    "longest interval of a sitemap that never changes", Between(1, kLongestMs))
          .Int("most_sitemaps", &SitemapOptions::most, "most sitemaps of a host", Between(0, 1'000'000))
          .Int("most_urls", &SitemapOptions::most_urls,
               "sitemaps bring no new URL to a host of which the crawl has found this many", AtLeast(0))
          .Bool("feeds", &SitemapOptions::feeds, "read the feeds that pages link: RSS, Atom and JSON Feed")
          .Duration("feed_start_interval", &SitemapOptions::feed_start_interval_ms,
                    "interval after a feed's first reading", Between(1, kLongestMs))
          .Duration("feed_min_interval", &SitemapOptions::feed_min_interval_ms, "shortest interval of a feed",
                    Between(1, kLongestMs))
          .Duration("feed_max_interval", &SitemapOptions::feed_max_interval_ms, "longest interval of a feed",
                    Between(1, kLongestMs))
          .Int("most_feeds", &SitemapOptions::most_feeds, "most feeds of a host", Between(0, 1'000'000))
          .Must([](const SitemapOptions& options) {
            if (options.min_interval_ms > options.max_interval_ms) {
              return UsageError(
                  "--sitemaps.sitemap_min_interval is longer than --sitemaps.sitemap_max_interval; shorten the first "
                  "or lengthen the "
                  "second");
            }
            if (options.feed_min_interval_ms > options.feed_max_interval_ms) {
              return UsageError(
                  "--sitemaps.feed_min_interval is longer than --sitemaps.feed_max_interval; shorten the first or "
                  "lengthen the second");
            }
            return arrow::Status::OK();
          });
  return group;
}

int64_t ListIntervalMs(const SitemapOptions& options, UrlKind kind, int64_t last_ms, bool has_changed,
                       bool is_believed) {
  const Bounds bounds =
      kind == UrlKind::kFeed
          ? Bounds{options.feed_start_interval_ms, options.feed_min_interval_ms, options.feed_max_interval_ms}
          : Bounds{options.start_interval_ms, options.min_interval_ms, options.max_interval_ms};
  int64_t interval_ms = bounds.start_ms;
  if (last_ms > 0) interval_ms = has_changed ? last_ms / 2 : std::min(last_ms, kLongestMs / 2) * 2;
  if (!is_believed) interval_ms = std::max(interval_ms, bounds.start_ms);
  return std::clamp(interval_ms, bounds.min_ms, bounds.max_ms);
}

int32_t BaseOfPriority(int32_t priority) {
  constexpr int64_t kLowest = 300'000, kMiddle = 500'000, kHighest = 900'000;
  if (priority == 0) return kLinkScore;
  const int64_t base = priority <= kMiddle
                           ? kLowest + (kLinkScore - kLowest) * priority / kMiddle
                           : kLinkScore + (kHighest - kLinkScore) * (priority - kMiddle) / (kScoreOne - kMiddle);
  return static_cast<int32_t>(std::clamp(base, kLowest, kHighest));
}

bool BelievesLastmods(const HostRow& host) {
  return host.lastmods_checked < kLeastWords || host.lastmods_wrong * 2 <= host.lastmods_checked;
}

bool BelievesPriorities(const HostRow& host) {
  return host.priorities_stated < kLeastWords ||
         int64_t{host.priorities_top} * 100 <= int64_t{host.priorities_stated} * kMostTopPercent;
}

std::string SitemapTrustText(const HostRow& host) {
  const auto of = [](int32_t part, int32_t all) { return std::to_string(part) + " of " + std::to_string(all); };
  std::string text;
  if (!BelievesLastmods(host)) {
    text = "dates are not believed, " + of(host.lastmods_wrong, host.lastmods_checked) + " were wrong";
  }
  if (!BelievesPriorities(host)) {
    text += (text.empty() ? "" : "; ") + std::string("priorities are not believed, ") +
            of(host.priorities_top, host.priorities_stated) + " were the highest";
  }
  return text.empty() ? "what its sitemaps state is believed" : text;
}

}  // namespace trawl
