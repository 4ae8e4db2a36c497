#include "formats/http/date.h"

#include <gtest/gtest.h>

#include "formats/http/date_scanner.h"

namespace trawl {
namespace {

constexpr int64_t kNow = 1'790'000'000'000;  // 2026-09-21

struct DateCase {
  const char* text;
  std::optional<int64_t> seconds;
};

std::optional<int64_t> InMs(std::optional<int64_t> seconds) {
  return seconds ? std::optional(*seconds * 1000) : std::nullopt;
}

// RFC 9110 section 5.6.7: "A recipient that parses a timestamp value in an HTTP field MUST accept all three HTTP-date
// formats."
TEST(HttpDate, AllThreeFormsAreRead) {
  const DateCase cases[] = {
      {"Sun, 06 Nov 1994 08:49:37 GMT", 784111777}, {"Sunday, 06-Nov-94 08:49:37 GMT", 784111777},
      {"Sun Nov  6 08:49:37 1994", 784111777},      {"Thu, 01 Jan 1970 00:00:00 GMT", 0},
      {"Tue, 29 Feb 2000 23:59:59 GMT", 951868799}, {"Wed, 31 Dec 1969 23:59:59 GMT", -1},
      {"Sat Dec 31 23:59:60 2016", 1483228800},     {"Fri, 31 Dec 9999 23:59:59 GMT", 253402300799},
  };
  for (const DateCase& c : cases) EXPECT_EQ(ParseHttpDateMs(c.text, kNow), InMs(c.seconds)) << c.text;
}

TEST(HttpDate, WhatIsCloseToThemIsRead) {
  const DateCase cases[] = {
      {"  Sun, 06 Nov 1994 08:49:37 GMT ", 784111777},      {"06 Nov 1994 08:49:37 GMT", 784111777},
      {"Mon, 06 Nov 1994 08:49:37 GMT", 784111777},         {"sun, 6 nov 1994 08:49:37 gmt", 784111777},
      {"Sun, 06-Nov-1994 08:49:37 GMT", 784111777},         {"Sun, 06 Nov 1994 08:49:37", 784111777},
      {"Sun, 06 Nov 1994 08:49:37 UTC", 784111777},         {"Sun Nov 06 08:49:37 1994 GMT", 784111777},
      {"Sun, 06 Nov 1994 09:49:37 +0100", 784111777},       {"Sun 06 Nov 1994 8:49:37 GMT", 784111777},
      {"Sunday, 06 November 1994 08:49:37 GMT", 784111777},
  };
  for (const DateCase& c : cases) EXPECT_EQ(ParseHttpDateMs(c.text, kNow), InMs(c.seconds)) << c.text;
}

TEST(HttpDate, AnythingElseIsNoDate) {
  for (const char* text : {"",
                           "0",
                           "-1",
                           "784111777",
                           "now",
                           "Sun",
                           "Sun, ",
                           "Sun, 06 Nov",
                           "Sun, 06 Nov 1994",
                           "Sun, 00 Nov 1994 08:49:37 GMT",
                           "Sun, 31 Nov 1994 08:49:37 GMT",
                           "Wed, 29 Feb 1995 08:49:37 GMT",
                           "Sun, 06 Nov 1994 24:00:00 GMT",
                           "Sun, 06 Nov 1994 08:60:37 GMT",
                           "Sun, 06 Nov 1994 08:49:61 GMT",
                           "Sun, 06 Nov 1994 08:49 GMT",
                           "Sun, 06 Xyz 1994 08:49:37 GMT",
                           "Sun, 06 Nov 194 08:49:37 GMT",
                           "Sun, 06 Nov 19945 08:49:37 GMT",
                           "Sun, 06 Nov 1994 08:49:37 GMT+1",
                           "Sun, 06 Nov 1994 08:49:37 GMT x",
                           "Sun, 06 Nov 1994 08:49:37 XYZ",
                           "Sun, 06 Nov 1994 00:49:37 PST",
                           "Sun, 006 Nov 1994 08:49:37 GMT",
                           "Sun, 06Nov1994 08:49:37 GMT",
                           "1994-11-06T08:49:37Z"}) {
    EXPECT_EQ(ParseHttpDateMs(text, kNow), std::nullopt) << text;
  }
}

// RFC 9110 section 5.6.7: "Recipients of a timestamp value in rfc850-date format, which uses a two-digit year, MUST
// interpret a timestamp that appears to be more than 50 years in the future as representing the most recent year in the
// past that had the same last two digits."
TEST(HttpDate, TwoDigitYearIsAtMostFiftyYearsAhead) {
  const auto year_of = [](const char* text, int64_t now_ms) { return YearOfMs(*ParseHttpDateMs(text, now_ms)); };
  EXPECT_EQ(year_of("Sunday, 06-Nov-94 08:49:37 GMT", kNow), 1994);
  EXPECT_EQ(year_of("Sunday, 06-Nov-26 08:49:37 GMT", kNow), 2026);
  EXPECT_EQ(year_of("Sunday, 06-Nov-75 08:49:37 GMT", kNow), 2075);
  EXPECT_EQ(year_of("Sunday, 20-Sep-76 08:49:37 GMT", kNow), 2076);
  EXPECT_EQ(year_of("Sunday, 23-Sep-76 08:49:37 GMT", kNow), 1976);
  EXPECT_EQ(year_of("Sunday, 06-Nov-00 08:49:37 GMT", kNow), 2000);
  EXPECT_EQ(year_of("Sunday, 06-Nov-94 08:49:37 GMT", 784111777000), 1994);
}

// https://www.w3.org/TR/NOTE-datetime
TEST(HttpDate, W3cDatesOfEveryPrecisionAreRead) {
  const DateCase cases[] = {
      {"1997", 852076800},
      {"1997-07", 867715200},
      {"1997-07-16", 869011200},
      {"1997-07-16T19:20+01:00", 869077200},
      {"1997-07-16T19:20:30+01:00", 869077230},
      {"1997-07-16T19:20:30Z", 869080830},
      {"1997-07-16T19:20:30", 869080830},
      {"1997-07-16t19:20:30z", 869080830},
      {"1997-07-16 19:20:30 +0100", 869077230},
      {"1997-07-16T19:20:30+01", 869077230},
      {" 1997-07-16 ", 869011200},
  };
  for (const DateCase& c : cases) EXPECT_EQ(ParseW3cDateMs(c.text), InMs(c.seconds)) << c.text;
  EXPECT_EQ(ParseW3cDateMs("1997-07-16T19:20:30.45+01:00"), 869077230450);
  EXPECT_EQ(ParseW3cDateMs("1997-07-16T19:20:30.123456789Z"), 869080830123);
}

TEST(HttpDate, AnythingElseIsNoW3cDate) {
  for (const char* text : {"", "97", "19970716", "1997-7-16", "1997-13", "1997-02-30", "1997-07-16T", "1997-07-16T19",
                           "1997-07-16T25:00Z", "1997-07-16T19:20:30+99:00", "1997-07-16T19:20:30Zx", "1997-07-16x",
                           "1997-07-16T19:20:30.Z", "16-07-1997", "Sun, 06 Nov 1994 08:49:37 GMT"}) {
    EXPECT_EQ(ParseW3cDateMs(text), std::nullopt) << text;
  }
}

TEST(HttpDate, ElsewhereEitherKindAndAmericanZonesAreTaken) {
  EXPECT_EQ(ParseAnyDateMs("Sun, 06 Nov 1994 00:49:37 PST", kNow), 784111777000);
  EXPECT_EQ(ParseAnyDateMs("1997-07-16", kNow), 869011200000);
  EXPECT_EQ(ParseAnyDateMs("soon", kNow), std::nullopt);
}

TEST(HttpDate, YearsTurnAtMidnight) {
  EXPECT_EQ(YearOfMs(946684800000), 2000);
  EXPECT_EQ(YearOfMs(946684799999), 1999);
  EXPECT_EQ(YearOfMs(-1), 1969);
  EXPECT_EQ(YearOfMs(0), 1970);
}

}  // namespace
}  // namespace trawl
