// What holds the URLs that are due, in words and as an object.
#include "jobs/select/outlook.h"

#include <gtest/gtest.h>

#include "formats/rows/times.h"

namespace trawl {
namespace {

constexpr TimeMs kNow = 1'767'225'600'000;  // 2026-01-01

Selection SelectionOf(const std::map<std::string, int64_t>& counts) {
  Selection selection;
  selection.job = "job";
  selection.next_due_ms = kNever;
  for (const auto& [name, count] : counts) selection.counters[name] = count;
  return selection;
}

TEST(Outlook, SaysWhatHoldsUrlsAndUntilWhen) {
  Selection selection = SelectionOf({{"due", 45}, {"day_is_full", 36}, {"breaker_open", 7}, {"refused", 2}});
  selection.left_out_until_ms = {{"day_is_full", kNow + kDayMs}, {"breaker_open", kNow + kHourMs}, {"refused", kNever}};
  selection.next_due_ms = kNow + kHourMs;
  const Outlook outlook = OutlookOf(selection, kNow);
  EXPECT_EQ(ToJson(outlook), (Json{{"due", 45},
                                   {"held",
                                    {{{"why", "day_is_full"}, {"urls", 36}, {"until", "2026-01-02T00:00:00Z"}},
                                     {{"why", "breaker_open"}, {"urls", 7}, {"until", "2026-01-01T01:00:00Z"}},
                                     {{"why", "refused"}, {"urls", 2}, {"until", nullptr}}}},
                                   {"next_due", "2026-01-01T01:00:00Z"}}));
  EXPECT_EQ(
      IdleText(outlook, kNow),
      "nothing can be fetched: 45 due are held: 36: day is full until 2026-01-02T00:00:00Z; 7: breaker open until "
      "2026-01-01T01:00:00Z; 2: refused by the scope (trawl readdb get --explain URL names the rule); the next URL "
      "can be fetched at 2026-01-01T01:00:00Z, in 1 h");
}

TEST(Outlook, WhatIsReadyIsNextNow) {
  Selection selection = SelectionOf({{"due", 5}, {"candidates", 3}, {"overflow", 1}, {"throttled", 1}});
  selection.left_out_until_ms = {{"throttled", kNow + kHourMs}};
  selection.next_due_ms = kNow + kHourMs;
  const Outlook outlook = OutlookOf(selection, kNow);
  EXPECT_EQ(outlook.next_ms, kNow);
  EXPECT_EQ(HeldText(ToJson(outlook)["held"]), "1 due is held: host asked for time until 2026-01-01T01:00:00Z");
}

TEST(Outlook, WithNothingDueItSaysWhenSomethingWillBe) {
  Selection selection = SelectionOf({{"due", 0}, {"refused", 0}});
  EXPECT_EQ(IdleText(OutlookOf(selection, kNow), kNow), "nothing is due");
  selection.next_due_ms = kNow + kDayMs;
  EXPECT_EQ(IdleText(OutlookOf(selection, kNow), kNow),
            "nothing is due; the next URL is due at 2026-01-02T00:00:00Z, in 1 d");
  EXPECT_EQ(OutlookOf({}, kNow).next_ms, kNever) << "a crawl without URLs";
}

}  // namespace
}  // namespace trawl
