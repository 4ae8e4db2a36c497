#include "jobs/politeness/quota.h"

#include <gtest/gtest.h>

#include "jobs/policy/generate_options.h"
#include "jobs/politeness/share.h"

namespace trawl {
namespace {

constexpr TimeMs kDay = 1'767'225'600'000;  // 2026-01-01
constexpr TimeMs kNoon = kDay + 12 * kHourMs;

TEST(Quota, PagesLeftAreThoseOfTheDayAndInAll) {
  const DomainRecord domain = {.day_start_ms = kDay, .pages_today = 3, .pages = 40};
  const struct {
    PageLimits limits;
    TimeMs now_ms;
    int64_t today, in_all;
  } cases[] = {{{}, kNoon, kNoLimit, kNoLimit},
               {{.a_day = 5}, kNoon, 2, kNoLimit},
               {{.a_day = 3}, kNoon, 0, kNoLimit},
               {{.a_day = 2}, kNoon, 0, kNoLimit},
               {{.a_day = 5}, kDay + kDayMs, 5, kNoLimit},
               {{.in_all = 41}, kNoon, kNoLimit, 1},
               {{.a_day = 5, .in_all = 39}, kDay + kDayMs, 5, 0}};
  for (const auto& one : cases) {
    const PagesLeft left = PagesLeftOf(domain, one.limits, one.now_ms);
    EXPECT_EQ(left.today, one.today) << one.limits.a_day;
    EXPECT_EQ(left.in_all, one.in_all) << one.limits.in_all;
  }
  const HostRow host = {
      .operator_pages_a_day = 4, .day_start_ms = kDay, .pages_today = 3, .pages = 9, .operator_pages = 10};
  const PagesLeft left = PagesLeftOf(host, {.a_day = 100, .in_all = 100}, kNoon);
  EXPECT_EQ(left.today, 1) << "the operator's number comes before that of all";
  EXPECT_EQ(left.in_all, 1);
}

TEST(Quota, PagesAddUpInAnyOrderAndTheLatestDayCounts) {
  const PageNews news[] = {{kDay, 4, 6}, {kDay + kDayMs, 2, 2}, {kDay, 1, 1}, {kDay + kDayMs, 3, 8}};
  const DomainRecord before = {.day_start_ms = kDay, .pages_today = 10, .pages = 100};
  DomainRecord forwards = before, backwards = before;
  for (int i = 0; i < 4; ++i) AddPages(news[i], &forwards);
  for (int i = 3; i >= 0; --i) AddPages(news[i], &backwards);
  EXPECT_EQ(forwards, backwards);
  EXPECT_EQ(forwards.day_start_ms, kDay + kDayMs);
  EXPECT_EQ(forwards.pages_today, 5);
  EXPECT_EQ(forwards.pages, 117);
  DomainRecord same_day = before;
  AddPages({kDay, 4, 6}, &same_day);
  EXPECT_EQ(same_day.pages_today, 14);
}

TEST(Quota, ADomainIsBlockedOrFullForTodayOrForGood) {
  const DomainRecord counted = {.day_start_ms = kDay, .pages_today = 5, .pages = 20};
  DomainRecord blocked = counted, limited = counted;
  blocked.blocked = true;
  limited.operator_pages_a_day = 5;
  const struct {
    const char* what;
    DomainRecord domain;
    GenerateOptions options;
    int64_t pages;
    LeftOut left_out;
    TimeMs until_ms;
    std::string option;
  } cases[] = {
      {"no limit", counted, {}, kNoLimit, LeftOut::kNone, 0, ""},
      {"blocked", blocked, {}, 0, LeftOut::kDomainBlocked, kNever, "trawl host --domain"},
      {"some of the day", counted, {.domain_pages_a_day = 7}, 2, LeftOut::kNone, 0, "--generate.domain_pages_a_day"},
      {"the day is full",
       counted,
       {.domain_pages_a_day = 5},
       0,
       LeftOut::kDomainDayIsFull,
       kDay + kDayMs,
       "--generate.domain_pages_a_day"},
      {"by the operator",
       limited,
       {.domain_pages_a_day = 900},
       0,
       LeftOut::kDomainDayIsFull,
       kDay + kDayMs,
       "trawl host --domain --per_day"},
      {"some in all", counted, {.domain_pages = 21}, 1, LeftOut::kNone, 0, "--generate.domain_pages"},
      {"full for good",
       counted,
       {.domain_pages_a_day = 5, .domain_pages = 20},
       0,
       LeftOut::kDomainIsFull,
       kNever,
       "--generate.domain_pages"},
  };
  for (const auto& one : cases) {
    const DomainShare share = DomainShareOf(one.domain, one.options, kNoon);
    EXPECT_EQ(share.pages, one.pages) << one.what;
    EXPECT_EQ(share.left_out, one.left_out) << one.what;
    EXPECT_EQ(share.until_ms, one.until_ms) << one.what;
    EXPECT_EQ(share.option, one.option) << one.what;
  }
}

TEST(Quota, ARowOfADomainAloneIsNoHost) {
  HostRow row;
  row.key = "com,example";
  EXPECT_FALSE(TellsOfHost(row));
  row.domain = {.blocked = true, .operator_reason = "x", .operator_delay_ms = 1, .operator_pages = 3, .pages = 4};
  EXPECT_FALSE(TellsOfHost(row));
  row.pages = 1;
  EXPECT_TRUE(TellsOfHost(row));
}

}  // namespace
}  // namespace trawl
