#include "jobs/policy/sitemap_options.h"

#include <gtest/gtest.h>

#include "jobs/policy/score.h"

namespace trawl {
namespace {

TEST(SitemapOptions, APriorityIsTheBaseOfAScore) {
  static constexpr struct {
    int32_t priority, base;
  } kCases[] = {{0, kLinkScore},    {1, 300'000},         {250'000, 400'000},  {500'000, kLinkScore},
                {750'000, 700'000}, {1'000'000, 900'000}, {2'000'000, 900'000}};
  for (const auto& c : kCases) EXPECT_EQ(BaseOfPriority(c.priority), c.base) << c.priority;
}

TEST(SitemapOptions, AListIsReadAsOftenAsItChanges) {
  const SitemapOptions options;
  static constexpr struct {
    UrlKind kind;
    int64_t last_ms;
    bool has_changed, is_believed;
    int64_t next_ms;
  } kCases[] = {{UrlKind::kSitemap, 0, true, true, kDayMs},
                {UrlKind::kSitemap, kDayMs, false, true, 2 * kDayMs},
                {UrlKind::kSitemap, 16 * kDayMs, false, true, 30 * kDayMs},
                {UrlKind::kSitemap, kDayMs, true, true, 12 * kHourMs},
                {UrlKind::kSitemap, kHourMs, true, true, kHourMs},
                // Where dates are wrong, what changes in the sitemap is often the dates alone.
                {UrlKind::kSitemap, kDayMs, true, false, kDayMs},
                {UrlKind::kSitemap, kDayMs, false, false, 2 * kDayMs},
                {UrlKind::kFeed, 0, true, true, 6 * kHourMs},
                {UrlKind::kFeed, kHourMs, true, true, 30 * kMinuteMs},
                {UrlKind::kFeed, 30 * kMinuteMs, true, true, 30 * kMinuteMs},
                {UrlKind::kFeed, 6 * kDayMs, false, true, 7 * kDayMs}};
  for (const auto& c : kCases) {
    EXPECT_EQ(ListIntervalMs(options, c.kind, c.last_ms, c.has_changed, c.is_believed), c.next_ms)
        << static_cast<int>(c.kind) << " " << c.last_ms << " " << c.has_changed << " " << c.is_believed;
  }
}

TEST(SitemapOptions, WhoeverLiesIsBelievedLess) {
  HostRow host;
  EXPECT_EQ(SitemapTrustText(host), "what its sitemaps state is believed");
  host.lastmods_checked = 9;
  host.lastmods_wrong = 9;
  host.priorities_stated = 9;
  host.priorities_top = 9;
  EXPECT_TRUE(BelievesLastmods(host)) << "too few words to know";
  EXPECT_TRUE(BelievesPriorities(host));
  host.lastmods_checked = 20;
  host.lastmods_wrong = 10;
  host.priorities_stated = 20;
  host.priorities_top = 16;
  EXPECT_TRUE(BelievesLastmods(host));
  EXPECT_TRUE(BelievesPriorities(host));
  host.lastmods_wrong = 11;
  host.priorities_top = 17;
  EXPECT_EQ(SitemapTrustText(host),
            "dates are not believed, 11 of 20 were wrong; priorities are not believed, 17 of 20 were the highest");
}

}  // namespace
}  // namespace trawl
