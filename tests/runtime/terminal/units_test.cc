#include "runtime/terminal/units.h"

#include <gtest/gtest.h>

#include <limits>

namespace trawl {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(Units, SizesParse) {
  const struct {
    const char* text;
    int64_t bytes;
  } cases[] = {
      {"0", 0},
      {"0B", 0},
      {"12B", 12},
      {"64MiB", 64 << 20},
      {"64mib", 64 << 20},
      {"1.5GiB", 3ll << 29},
      {"300KB", 300'000},
      {"300kb", 300'000},
      {"0.3KiB", 307},
      {"2TB", 2'000'000'000'000},
      {"2TiB", 2ll << 40},
      {"9223372036854775807B", kMax},
  };
  for (const auto& c : cases) {
    const auto parsed = ParseSize(c.text);
    ASSERT_TRUE(parsed.ok()) << c.text << ": " << parsed.status().ToString();
    EXPECT_EQ(*parsed, c.bytes) << c.text;
  }
}

TEST(Units, SizesWithoutUnitOrSenseAreRefused) {
  const char* cases[] = {"",    "1",  "64",   "-1MiB", "+1MiB", "1.MiB", ".5MiB",    "1..5MiB", "1.5.5MiB",
                         "MiB", "1M", "1mb ", " 1MB",  "1 MB",  "1e3B",  "1MiB1KiB", "0x10B",   "9000000TiB"};
  for (const char* text : cases) EXPECT_FALSE(ParseSize(text).ok()) << text;
}

TEST(Units, SizesPrintInTheUnitThatLosesNothing) {
  const struct {
    int64_t bytes;
    const char* text;
  } cases[] = {{0, "0B"},
               {1, "1B"},
               {1023, "1023B"},
               {1024, "1KiB"},
               {1000, "1KB"},
               {300'000, "300KB"},
               {3ll << 29, "1536MiB"},
               {1ll << 30, "1GiB"},
               {1'024'000'000, "1024MB"},
               {1'024'000, "1000KiB"},
               {kMax, "9223372036854775807B"}};
  for (const auto& c : cases) EXPECT_EQ(FormatSize(c.bytes), c.text);
}

TEST(Units, DurationsParse) {
  const struct {
    const char* text;
    int64_t ms;
  } cases[] = {{"0", 0},
               {"0s", 0},
               {"30s", 30'000},
               {"250ms", 250},
               {"1h30m", 5'400'000},
               {"7d", 604'800'000},
               {"1.5s", 1'500},
               {"1d12h", 129'600'000},
               {"1H30M", 5'400'000},
               {"1s500ms", 1'500},
               {"0.25h", 900'000},
               {"90m", 5'400'000},
               {"1.001s", 1'001}};
  for (const auto& c : cases) {
    const auto parsed = ParseDuration(c.text);
    ASSERT_TRUE(parsed.ok()) << c.text << ": " << parsed.status().ToString();
    EXPECT_EQ(*parsed, c.ms) << c.text;
  }
}

TEST(Units, DurationsWithoutUnitOrSenseAreRefused) {
  const char* cases[] = {"",        "1",     "30",     "-1s",    "s",
                         "1s1s",    "1s1h",  "1m30",   "1h 5m",  "0.5ms",
                         "1.0001s", "1week", "1.5.5s", "1s.5ms", "999999999999999d"};
  for (const char* text : cases) EXPECT_FALSE(ParseDuration(text).ok()) << text;
}

TEST(Units, WhatIsPrintedParsesBack) {
  for (int64_t n = 1; n < kMax / 7; n = n * 7 / 3 + 1) {
    EXPECT_EQ(ParseSize(FormatSize(n)).ValueOr(-1), n);
    EXPECT_EQ(ParseDuration(FormatDuration(n)).ValueOr(-1), n);
    EXPECT_EQ(ParseDecimal(FormatDecimal(n, 6), 6).ValueOr(-1), n);
  }
  EXPECT_EQ(ParseSize(FormatSize(kMax)).ValueOr(-1), kMax);
  EXPECT_EQ(ParseDuration(FormatDuration(kMax)).ValueOr(-1), kMax);
}

TEST(Units, DecimalsAreExact) {
  EXPECT_EQ(ParseDecimal("0.25", 6).ValueOr(-1), 250'000);
  EXPECT_EQ(ParseDecimal("1", 6).ValueOr(-1), 1'000'000);
  EXPECT_FALSE(ParseDecimal("0.0000001", 6).ok());
  EXPECT_FALSE(ParseDecimal("-1", 6).ok());
  EXPECT_FALSE(ParseDecimal("999999999999999999", 6).ok());
  EXPECT_EQ(FormatDecimal(0, 6), "0");
  EXPECT_EQ(FormatDecimal(-250'000, 6), "-0.25");
  EXPECT_EQ(FormatDecimal(std::numeric_limits<int64_t>::min(), 0), "-9223372036854775808");
}

TEST(Units, ReadableFormsAreShort) {
  EXPECT_EQ(ReadableSize(812), "812 B");
  EXPECT_EQ(ReadableSize(3ll << 29), "1.5 GiB");
  EXPECT_EQ(ReadableDuration(950), "950 ms");
  EXPECT_EQ(ReadableDuration(12'400), "12 s");
  EXPECT_EQ(ReadableDuration(200'000), "3 min 20 s");
  EXPECT_EQ(ReadableDuration(7'500'000), "2 h 5 min");
  EXPECT_EQ(ReadableDuration(86'400'000), "1 d");
  EXPECT_EQ(ReadableCount(0), "0");
  EXPECT_EQ(ReadableCount(999), "999");
  EXPECT_EQ(ReadableCount(1'234'567), "1,234,567");
  EXPECT_EQ(ReadableCount(-1'234), "-1,234");
  EXPECT_EQ(ReadableCount(-123), "-123");
}

TEST(Units, OneOfAThingIsNotSeveral) {
  EXPECT_EQ(ReadableCount(0, "page"), "0 pages");
  EXPECT_EQ(ReadableCount(1, "page"), "1 page");
  EXPECT_EQ(ReadableCount(1'234, "new URL"), "1,234 new URLs");
}

}  // namespace
}  // namespace trawl
