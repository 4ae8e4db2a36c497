#include "formats/charts/numbers.h"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace trawl {

namespace {

struct Step {
  double size;
  const char* name;
};

// The largest unit that the value reaches; the first where it reaches none.
template <size_t kCount>
std::string InUnits(double value, const std::array<Step, kCount>& units, int decimals) {
  const Step* unit = &units.front();
  for (const Step& candidate : units) {
    if (std::fabs(value) >= candidate.size) unit = &candidate;
  }
  return Decimals(value / unit->size, decimals) + unit->name;
}

constexpr std::array<Step, 4> kThousands = {{{1, ""}, {1e3, " k"}, {1e6, " M"}, {1e9, " G"}}};
constexpr std::array<Step, 5> kBytes = {
    {{1, " B"}, {1024, " KiB"}, {1048576, " MiB"}, {1073741824, " GiB"}, {1099511627776, " TiB"}}};
constexpr std::array<Step, 5> kTimes = {{{1, " ms"}, {1e3, " s"}, {6e4, " min"}, {3.6e6, " h"}, {8.64e7, " d"}}};

// Rounds to three digits, but never cuts digits before the point.
int DecimalsOf(double value) { return std::fabs(value) >= 100 ? 0 : std::fabs(value) >= 10 ? 1 : 2; }

std::string WithCommas(double value) {
  std::string digits = Decimals(std::fabs(value), 0);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return (value < 0 && digits != "0" ? "-" : "") + digits;
}

}  // namespace

std::string Decimals(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  std::string out = text;
  if (out.find('.') != std::string::npos) {
    out.erase(out.find_last_not_of('0') + 1);
    if (out.back() == '.') out.pop_back();
  }
  return out == "-0" ? "0" : out;
}

std::string ShortNumber(double value, ChartUnit unit) {
  if (!std::isfinite(value)) return std::isnan(value) ? "unknown" : "more";
  switch (unit) {
    case ChartUnit::kCount:
      return InUnits(value, kThousands, 1);
    case ChartUnit::kBytes:
      return InUnits(value, kBytes, 1);
    case ChartUnit::kMs:
      return InUnits(value, kTimes, 1);
    case ChartUnit::kPercent:
      return Decimals(value, 1) + " %";
    case ChartUnit::kPerSecond:
      return InUnits(value, kThousands, DecimalsOf(value)) + "/s";
    case ChartUnit::kRatio:
      return Decimals(value, DecimalsOf(value));
  }
  return "";
}

std::string ChartNumber(double value, ChartUnit unit) {
  if (std::isfinite(value) && unit == ChartUnit::kCount) return WithCommas(value);
  return ShortNumber(value, unit);
}

CivilTime CivilOf(int64_t at_ms) {
  using std::chrono::days;
  using std::chrono::milliseconds;
  using std::chrono::sys_time;
  const sys_time<milliseconds> time{milliseconds(at_ms)};
  const auto day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day));
  return {.year = static_cast<int>(date.year()),
          .month = static_cast<unsigned>(date.month()),
          .day = static_cast<unsigned>(date.day()),
          .hour = static_cast<unsigned>(clock.hours().count()),
          .minute = static_cast<unsigned>(clock.minutes().count()),
          .second = static_cast<unsigned>(clock.seconds().count())};
}

int64_t MonthBeginMs(int year, unsigned month) {
  const auto date = std::chrono::year(year) / std::chrono::month(1) / std::chrono::day(1);
  const auto later = date + std::chrono::months(static_cast<int>(month) - 1);
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::sys_days(later).time_since_epoch()).count();
}

const char* MonthName(unsigned month) {
  static constexpr std::array<const char*, 12> kNames = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  return kNames[(month + 11) % 12];
}

std::string ChartTime(int64_t at_ms) {
  const CivilTime time = CivilOf(at_ms);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u %02u:%02u", time.year, time.month, time.day, time.hour, time.minute);
  return text;
}

}  // namespace trawl
