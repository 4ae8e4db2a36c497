// Numbers and times as charts show them. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "formats/charts/charts.h"

namespace trawl {

// `value` with at most `decimals` decimals, without zeros at the end: "12.5", "3", "-0.25".
std::string Decimals(double value, int decimals);

// A value as axes and bars show it, shorter than ChartNumber: "1.2 k", "20 MiB", "2.5 s".
std::string ShortNumber(double value, ChartUnit unit);

// A time of the civil calendar in UTC.
struct CivilTime {
  int year = 1970;
  unsigned month = 1, day = 1, hour = 0, minute = 0, second = 0;
};
CivilTime CivilOf(int64_t at_ms);
// The beginning of a month; `month` may be past 12.
int64_t MonthBeginMs(int year, unsigned month);
const char* MonthName(unsigned month);

}  // namespace trawl
