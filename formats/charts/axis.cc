#include "formats/charts/axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "formats/charts/numbers.h"

namespace trawl {

namespace {

constexpr double kMostTicks = 5;  // so that their labels have room on a phone
constexpr int64_t kSecond = 1000, kMinute = 60 * kSecond, kHour = 60 * kMinute, kDay = 24 * kHour;

// The smallest of 1, 2 and 5 times a power of ten that is at least `least`.
double RoundStep(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (times * power >= least * (1 - 1e-9)) return times * power;
  }
  return 10 * power;
}

constexpr std::array<int64_t, 26> kTimeSteps = {1,
                                                2,
                                                5,
                                                10,
                                                20,
                                                50,
                                                100,
                                                200,
                                                500,
                                                kSecond,
                                                2 * kSecond,
                                                5 * kSecond,
                                                10 * kSecond,
                                                15 * kSecond,
                                                30 * kSecond,
                                                kMinute,
                                                2 * kMinute,
                                                5 * kMinute,
                                                10 * kMinute,
                                                15 * kMinute,
                                                30 * kMinute,
                                                kHour,
                                                3 * kHour,
                                                6 * kHour,
                                                12 * kHour,
                                                kDay};

// The smallest step of a clock that is at least `least`; whole days, rounded, beyond a day.
double RoundTimeStep(double least) {
  for (const int64_t step : kTimeSteps) {
    if (static_cast<double>(step) >= least) return static_cast<double>(step);
  }
  return RoundStep(least / kDay) * kDay;
}

double StepFor(double most, ChartUnit unit) {
  const double least = most / (kMostTicks - 1);
  if (unit == ChartUnit::kMs) return RoundTimeStep(least);
  if (unit == ChartUnit::kCount) return std::max(RoundStep(least), 1.0);
  if (unit != ChartUnit::kBytes) return RoundStep(least);
  double scale = 1;
  while (least / scale >= 1000) scale *= 1024;
  return std::max(RoundStep(least / scale), scale == 1 ? 1.0 : 0.0) * scale;
}

std::string Clock(const CivilTime& time, bool with_seconds) {
  char text[48];
  if (with_seconds) {
    std::snprintf(text, sizeof text, "%02u:%02u:%02u", time.hour, time.minute, time.second);
  } else {
    std::snprintf(text, sizeof text, "%02u:%02u", time.hour, time.minute);
  }
  return text;
}

std::string DayText(const CivilTime& time) { return std::to_string(time.day) + " " + MonthName(time.month); }

// Ticks at multiples of a step that is a part of a day or whole days.
std::vector<Tick> ClockTicks(int64_t from_ms, int64_t to_ms, int64_t step) {
  std::vector<Tick> ticks;
  std::string before;
  for (int64_t at = (from_ms + step - 1) / step * step; at <= to_ms; at += step) {
    const CivilTime time = CivilOf(at);
    Tick tick = {.value = static_cast<double>(at)};
    tick.label = step < kDay ? Clock(time, step < kMinute) : DayText(time);
    const std::string second = step < kDay ? DayText(time) : std::to_string(time.year);
    if (second != before) tick.second = second;
    before = second;
    ticks.push_back(std::move(tick));
  }
  return ticks;
}

std::vector<Tick> MonthTicks(int64_t from_ms, int64_t to_ms, unsigned months) {
  std::vector<Tick> ticks;
  const int year = CivilOf(from_ms).year;
  int before = 0;
  for (unsigned month = 1;; month += months) {
    const int64_t at = MonthBeginMs(year, month);
    if (at > to_ms) return ticks;
    if (at < from_ms) continue;
    const CivilTime time = CivilOf(at);
    ticks.push_back({.value = static_cast<double>(at),
                     .label = MonthName(time.month),
                     .second = time.year == before ? "" : std::to_string(time.year)});
    before = time.year;
  }
}

}  // namespace

double Axis::Place(double value) const {
  if (!(value > from)) return 0;  // also where it is not a number
  if (value >= to) return 1;
  if (is_logarithmic) return std::log(value / from) / std::log(to / from);
  return (value - from) / (to - from);
}

Axis ValueAxis(double most, ChartUnit unit) {
  if (!(most > 0) || !std::isfinite(most)) most = 1;
  const double step = StepFor(most, unit);
  Axis axis;
  const auto count = static_cast<int>(std::ceil(most / step - 1e-9));
  axis.to = count * step;
  for (int i = 0; i <= count; ++i) axis.ticks.push_back({.value = i * step, .label = ShortNumber(i * step, unit)});
  return axis;
}

Axis LogarithmicAxis(double least, double most, ChartUnit unit) {
  const double first = std::floor(std::log10(least) + 1e-9);
  const double last = std::max(std::ceil(std::log10(most) - 1e-9), first + 1);
  Axis axis = {.from = std::pow(10, first), .to = std::pow(10, last), .is_logarithmic = true};
  const double step = std::ceil((last - first) / kMostTicks);
  for (double power = first; power <= last; power += step) {
    axis.ticks.push_back({.value = std::pow(10, power), .label = ShortNumber(std::pow(10, power), unit)});
  }
  return axis;
}

Axis TimeAxis(int64_t from_ms, int64_t to_ms) {
  constexpr int64_t kYear9999 = 253'402'300'799'000;  // what a calendar of four digits can show
  from_ms = std::clamp<int64_t>(from_ms, 0, kYear9999);
  to_ms = std::clamp<int64_t>(to_ms, 0, kYear9999);
  Axis axis = {.from = static_cast<double>(from_ms), .to = static_cast<double>(std::max(to_ms, from_ms + 1))};
  const double least = static_cast<double>(to_ms - from_ms) / kMostTicks;
  for (const int64_t step : kTimeSteps) {
    if (step < kSecond || static_cast<double>(step) < least) continue;
    axis.ticks = ClockTicks(from_ms, to_ms, step);
    return axis;
  }
  for (const int64_t days : {2, 7, 14}) {
    if (static_cast<double>(days * kDay) < least) continue;
    axis.ticks = ClockTicks(from_ms, to_ms, days * kDay);
    return axis;
  }
  unsigned months = 1;
  while (static_cast<double>(months) * 31.0 * kDay < least)
    months = months < 3 ? 3 : months < 6 ? 6 : months < 12 ? 12 : months * 2;
  axis.ticks = MonthTicks(from_ms, to_ms, months);
  return axis;
}

}  // namespace trawl
