#include "formats/http/date_scanner.h"

#include <algorithm>
#include <array>

#include "formats/text/ascii.h"

namespace trawl {

namespace {

constexpr int64_t kMsPerDay = 86'400'000;

constexpr std::array<std::string_view, 12> kMonths = {"january",   "february", "march",    "april",
                                                      "may",       "june",     "july",     "august",
                                                      "september", "october",  "november", "december"};
constexpr std::array<std::string_view, 7> kWeekdays = {"monday", "tuesday",  "wednesday", "thursday",
                                                       "friday", "saturday", "sunday"};

// The whole name, or its beginning of at least three letters ("Sept", "Tues").
bool IsNameOrShort(std::string_view word, std::string_view name) {
  return word.size() >= 3 && word.size() <= name.size() && EqualsIgnoringAsciiCase(word, name.substr(0, word.size()));
}

bool IsLeapYear(int64_t year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

int DaysInMonth(int64_t year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && IsLeapYear(year) ? 29 : kDays[month - 1];
}

// Days from 1970-01-01. Years are counted from March on, so that the leap day is the last day of a year.
int64_t DaysFromCivil(const CivilDate& date) {
  const int64_t year = date.month <= 2 ? date.year - 1 : date.year;
  const int64_t era = (year >= 0 ? year : year - 399) / 400;
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * ((date.month + 9) % 12) + 2) / 5 + date.day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

bool Exists(const CivilDate& date) {
  return date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= DaysInMonth(date.year, date.month);
}

bool Exists(const TimeOfDay& time) { return time.hour < 24 && time.minute < 60 && time.second <= 60; }

}  // namespace

std::optional<int64_t> CivilToMs(const CivilDate& date, const TimeOfDay& time, int offset_minutes) {
  if (!Exists(date) || !Exists(time)) return std::nullopt;
  const int64_t minutes = int64_t{time.hour} * 60 + time.minute - offset_minutes;
  return DaysFromCivil(date) * kMsPerDay + (minutes * 60 + time.second) * 1000 + time.millisecond;
}

int64_t YearOfMs(int64_t time_ms) {
  // This guess is within a day of the right year; the calendar then corrects it.
  int64_t year = 1970 + static_cast<int64_t>(static_cast<double>(time_ms) / kMsPerDay / 365.2425);
  while (DaysFromCivil({year, 1, 1}) * kMsPerDay > time_ms) --year;
  while (DaysFromCivil({year + 1, 1, 1}) * kMsPerDay <= time_ms) ++year;
  return year;
}

bool DateScanner::SkipSpace() {
  const size_t before = rest_.size();
  while (!rest_.empty() && IsAsciiWhitespace(rest_.front())) rest_.remove_prefix(1);
  return rest_.size() != before;
}

bool DateScanner::Take(char c) {
  if (!rest_.starts_with(c)) return false;
  rest_.remove_prefix(1);
  return true;
}

bool DateScanner::TakeLetter(char lower_case) {
  if (rest_.empty() || AsciiLower(rest_.front()) != lower_case) return false;
  rest_.remove_prefix(1);
  return true;
}

std::optional<int> DateScanner::TakeNumber(int least, int most, int* digits) {
  int value = 0;
  int count = 0;
  while (count < static_cast<int>(rest_.size()) && count <= most && IsAsciiDigit(rest_[count])) {
    if (count < most) value = value * 10 + (rest_[count] - '0');
    ++count;
  }
  if (count < least || count > most) return std::nullopt;
  rest_.remove_prefix(count);
  if (digits != nullptr) *digits = count;
  return value;
}

std::string_view DateScanner::PeekWord() const {
  const auto end = std::find_if_not(rest_.begin(), rest_.end(), IsAsciiLetter);
  return rest_.substr(0, static_cast<size_t>(end - rest_.begin()));
}

std::string_view DateScanner::TakeWord() {
  const std::string_view word = PeekWord();
  rest_.remove_prefix(word.size());
  return word;
}

std::optional<TimeOfDay> DateScanner::TakeTime(bool seconds_optional) {
  TimeOfDay time;
  const std::optional<int> hour = TakeNumber(1, 2);
  if (!hour || !Take(':')) return std::nullopt;
  const std::optional<int> minute = TakeNumber(2, 2);
  if (!minute) return std::nullopt;
  time.hour = *hour;
  time.minute = *minute;
  if (!Take(':')) return seconds_optional ? std::optional(time) : std::nullopt;
  const std::optional<int> second = TakeNumber(2, 2);
  if (!second) return std::nullopt;
  time.second = *second;
  if (!Take('.') && !Take(',')) return time;
  if (rest_.empty() || !IsAsciiDigit(rest_.front())) return std::nullopt;
  for (int unit_ms = 100; !rest_.empty() && IsAsciiDigit(rest_.front()); rest_.remove_prefix(1), unit_ms /= 10) {
    time.millisecond += (rest_.front() - '0') * unit_ms;
  }
  return time;
}

std::optional<int> DateScanner::TakeOffsetMinutes() {
  const bool west = rest_.starts_with('-');
  if (!Take('+') && !Take('-')) return std::nullopt;
  int digits = 0;
  const std::optional<int> number = TakeNumber(2, 4, &digits);
  if (!number || digits == 3) return std::nullopt;
  const int hours = digits == 4 ? *number / 100 : *number;
  int minutes = digits == 4 ? *number % 100 : 0;
  if (digits == 2 && Take(':')) {
    const std::optional<int> rest = TakeNumber(2, 2);
    if (!rest) return std::nullopt;
    minutes = *rest;
  }
  if (hours > 23 || minutes > 59) return std::nullopt;
  const int offset = hours * 60 + minutes;
  return west ? -offset : offset;
}

int MonthNamed(std::string_view word) {
  for (size_t i = 0; i < kMonths.size(); ++i) {
    if (IsNameOrShort(word, kMonths[i])) return static_cast<int>(i) + 1;
  }
  return 0;
}

bool IsWeekdayName(std::string_view word) {
  return std::any_of(kWeekdays.begin(), kWeekdays.end(),
                     [&](std::string_view name) { return IsNameOrShort(word, name); });
}

std::optional<int> ZoneNamed(std::string_view word) {
  static constexpr struct {
    std::string_view name;
    int hours;
  } kZones[] = {{"gmt", 0},  {"utc", 0},  {"ut", 0},   {"z", 0},    {"est", -5}, {"edt", -4},
                {"cst", -6}, {"cdt", -5}, {"mst", -7}, {"mdt", -6}, {"pst", -8}, {"pdt", -7}};
  for (const auto& zone : kZones) {
    if (EqualsIgnoringAsciiCase(word, zone.name)) return zone.hours * 60;
  }
  return std::nullopt;
}

}  // namespace trawl
