// The pieces of a written date, taken from left to right, and the calendar. For date.cc and structured/dates.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace trawl {

// A day of the proleptic Gregorian calendar.
struct CivilDate {
  int64_t year = 1970;
  int month = 1;
  int day = 1;
};
struct TimeOfDay {
  int hour = 0;
  int minute = 0;
  int second = 0;
  int millisecond = 0;
};

// Nothing where there is no such day or time. A leap second counts as the second after it.
std::optional<int64_t> CivilToMs(const CivilDate& date, const TimeOfDay& time, int offset_minutes);
// The year of a moment, in UTC.
int64_t YearOfMs(int64_t time_ms);

class DateScanner {
 public:
  explicit DateScanner(std::string_view text) : rest_(text) {}

  bool AtEnd() const { return rest_.empty(); }
  // True where something was skipped.
  bool SkipSpace();
  bool Take(char c);
  // Takes the letter in either case.
  bool TakeLetter(char lower_case);
  // A run of `least` to `most` digits; `*digits` becomes their number.
  std::optional<int> TakeNumber(int least, int most, int* digits = nullptr);
  // The letters ahead; may be empty.
  std::string_view TakeWord();
  std::string_view PeekWord() const;
  // "08:49:37"; the seconds may be missing where `seconds_optional`, and may have a fraction.
  std::optional<TimeOfDay> TakeTime(bool seconds_optional);
  // "+01:00", "-0800", "+01".
  std::optional<int> TakeOffsetMinutes();

 private:
  std::string_view rest_;
};

// 1 for "Jan" or "January" in any case; 0 for no month's name.
int MonthNamed(std::string_view word);
bool IsWeekdayName(std::string_view word);
// The offset in minutes east of UTC of a zone that RFC 822 names, and of "UTC"; nothing for another word.
std::optional<int> ZoneNamed(std::string_view word);

}  // namespace trawl
