#include "runtime/terminal/timestamp.h"

#include <gtest/gtest.h>

namespace trawl {
namespace {

TEST(Timestamp, Rfc3339IsRead) {
  const struct {
    const char* text;
    TimeMs time;
  } cases[] = {
      {"1970-01-01T00:00:00Z", 0},
      {"2026-03-01T12:00:00.250Z", 1'772'366'400'250},
      // RFC 3339 5.8: "20 minutes and 50.52 seconds after the 23rd hour of April 12th, 1985 in UTC".
      {"1985-04-12T23:20:50.52Z", 482'196'050'520},
      // 5.8: "39 minutes and 57 seconds after the 16th hour of December 19th, 1996 with an offset of -08:00 from UTC".
      {"1996-12-19T16:39:57-08:00", 851'042'397'000},
      {"1996-12-20T00:39:57Z", 851'042'397'000},
      // 5.8: "the leap second inserted at the end of 1990".
      {"1990-12-31T23:59:60Z", 662'687'999'000},
      {"1990-12-31T15:59:60-08:00", 662'687'999'000},
      // 5.6, notes: "T" and "Z" may be lower case, a space may separate date and time.
      {"2026-03-01t12:00:00z", 1'772'366'400'000},
      {"2026-03-01 12:00:00Z", 1'772'366'400'000},
      {"2024-02-29T00:00:00.0009Z", 1'709'164'800'000},
      {"1772366400250", 1'772'366'400'250},
      {"-5", -5},
  };
  for (const auto& c : cases) {
    const auto parsed = ParseTimestamp(c.text);
    ASSERT_TRUE(parsed.ok()) << c.text;
    EXPECT_EQ(*parsed, c.time) << c.text;
  }
}

TEST(Timestamp, OtherTextIsRefused) {
  const char* cases[] = {"",
                         "now",
                         "2026-03-01",
                         "2026-03-01T12:00:00",
                         "2026-13-01T12:00:00Z",
                         "2026-02-29T12:00:00Z",
                         "2026-03-01T24:00:00Z",
                         "2026-03-01T12:60:00Z",
                         "2026-03-01T12:00:61Z",
                         "2026-03-01T12:00:00.Z",
                         "2026-03-01T12:00:00+0100",
                         "2026-03-01T12:00:00Z ",
                         "99999999999999999999"};
  for (const char* text : cases) EXPECT_FALSE(ParseTimestamp(text).ok()) << text;
}

TEST(Timestamp, WhatIsPrintedParsesBack) {
  for (const TimeMs time : {TimeMs{0}, TimeMs{-1}, TimeMs{1'772'366'400'250}, TimeMs{-62'167'219'200'000},
                            TimeMs{253'402'300'799'999}, TimeMs{253'402'300'800'000}, TimeMs{-62'167'219'200'001}}) {
    EXPECT_EQ(ParseTimestamp(FormatTimestamp(time)).ValueOr(-7), time) << FormatTimestamp(time);
  }
  EXPECT_EQ(FormatTimestamp(1'772'366'400'250), "2026-03-01T12:00:00.250Z");
  EXPECT_EQ(FormatTimestamp(1'772'366'400'000), "2026-03-01T12:00:00Z");
  EXPECT_EQ(FormatTimestamp(-1), "1969-12-31T23:59:59.999Z");
}

}  // namespace
}  // namespace trawl
