// A door of jobs/policy: what a crawl takes from sitemaps and feeds, and how far it believes them. Any thread.
//
// Whether the sitemaps that robots.txt names are read at all is --fetch.sitemaps.
#pragma once

#include <cstdint>
#include <string>

#include "formats/rows/host_row.h"
#include "formats/rows/times.h"
#include "formats/rows/url_row.h"
#include "runtime/options/options.h"

namespace trawl {

struct SitemapOptions {
  bool guess = true;
  int64_t guess_interval_ms = 30 * kDayMs;
  // Which words of an entry count.
  bool priority = true;
  bool changefreq = true;
  bool lastmod = true;
  // When a sitemap is read again.
  int64_t start_interval_ms = kDayMs;
  int64_t min_interval_ms = kHourMs;
  int64_t max_interval_ms = 30 * kDayMs;
  // Of one host.
  int32_t most = 1'000;
  int64_t most_urls = 1'000'000;
  // Feeds that pages link.
  bool feeds = true;
  int64_t feed_start_interval_ms = 6 * kHourMs;
  int64_t feed_min_interval_ms = kHourMs / 2;
  int64_t feed_max_interval_ms = 7 * kDayMs;
  int32_t most_feeds = 100;
};
const OptionGroup<SitemapOptions>& SitemapOptionGroup();

// The interval of a sitemap or feed that has just been read: halved where it had changed, doubled where it had not, within
// its bounds. `last_ms`: the interval before; 0: none, so that it starts. `is_believed`: where a host is known to state
// dates that are wrong, what changes in its sitemaps says little, and they are read no more often than at the start.
int64_t ListIntervalMs(const SitemapOptions& options, UrlKind kind, int64_t last_ms, bool has_changed,
                       bool is_believed);

// The base of the score (jobs/policy/score.h) by the priority that a sitemap states: 0.3 for 0, that of a link for 0.5, 0.9
// for 1. `priority` is as UrlRow::stated_priority: 0 means that none is stated.
int32_t BaseOfPriority(int32_t priority);

// What the sitemaps of a host are worth, by HostRow's counts: at least ten words, of which no more than half were wrong. A
// date is wrong where the page has not changed since; priorities are where nearly all are the highest.
inline constexpr int32_t kLeastWords = 10;
// Counts are halved beyond this, so that a host which mends its ways is believed again.
inline constexpr int32_t kMostWords = 256;
bool BelievesLastmods(const HostRow& host);
bool BelievesPriorities(const HostRow& host);
// "believed"; or what is not, and why: "dates are not believed, 14 of 16 were wrong".
std::string SitemapTrustText(const HostRow& host);
// The priority from which on it counts as the highest, in millionths; and the share of those, in percent, that is too many.
inline constexpr int32_t kTopPriority = 950'000;
inline constexpr int32_t kMostTopPercent = 80;

}  // namespace trawl
