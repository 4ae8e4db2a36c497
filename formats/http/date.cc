#include "formats/http/date.h"

#include "formats/http/date_scanner.h"

namespace trawl {

namespace {

// RFC 9110 section 5.6.7: fifty years, of 365.2425 days.
constexpr int64_t kFiftyYearsMs = 1'577'847'600'000;

struct Year {
  int64_t number = 0;
  bool has_century = true;
};

std::optional<Year> TakeYear(DateScanner* scanner) {
  int digits = 0;
  const std::optional<int> number = scanner->TakeNumber(2, 4, &digits);
  if (!number || digits == 3) return std::nullopt;
  return Year{*number, digits == 4};
}

// Puts the parts of a date together once all of it has been read.
std::optional<int64_t> ToMs(const Year& year, int month, int day, const TimeOfDay& time, int offset, int64_t now_ms) {
  if (year.has_century) return CivilToMs({year.number, month, day}, time, offset);
  const int64_t this_year = YearOfMs(now_ms);
  const int64_t full = this_year - this_year % 100 + year.number;
  const std::optional<int64_t> in_this_century = CivilToMs({full, month, day}, time, offset);
  if (in_this_century && *in_this_century - now_ms <= kFiftyYearsMs) return in_this_century;
  return CivilToMs({full - 100, month, day}, time, offset);
}

// RFC 9111 section 4.2: a zone abbreviation other than GMT makes a date invalid. Elsewhere the web uses RFC 822's
// zones.
enum class Zones { kHttp, kRfc822 };

// The end of a date: a zone, an offset, or nothing, which means GMT.
std::optional<int> TakeZone(DateScanner* scanner, Zones zones) {
  scanner->SkipSpace();
  if (scanner->AtEnd()) return 0;
  const std::string_view word = scanner->TakeWord();
  const std::optional<int> offset = word.empty() ? scanner->TakeOffsetMinutes() : ZoneNamed(word);
  if (zones == Zones::kHttp && !word.empty() && offset != 0) return std::nullopt;
  scanner->SkipSpace();
  return scanner->AtEnd() ? offset : std::nullopt;
}

bool TakeDateSeparator(DateScanner* scanner) {
  const bool spaced = scanner->SkipSpace();
  return scanner->Take('-') || spaced;
}

// "06 Nov 1994 08:49:37 GMT", "06-Nov-94 08:49:37 GMT": IMF-fixdate and RFC 850 after the weekday.
std::optional<int64_t> DayFirst(DateScanner scanner, int64_t now_ms, Zones zones) {
  const std::optional<int> day = scanner.TakeNumber(1, 2);
  if (!day || !TakeDateSeparator(&scanner)) return std::nullopt;
  const int month = MonthNamed(scanner.TakeWord());
  if (month == 0 || !TakeDateSeparator(&scanner)) return std::nullopt;
  const std::optional<Year> year = TakeYear(&scanner);
  if (!year || !scanner.SkipSpace()) return std::nullopt;
  const std::optional<TimeOfDay> time = scanner.TakeTime(/*seconds_optional=*/false);
  if (!time) return std::nullopt;
  const std::optional<int> offset = TakeZone(&scanner, zones);
  if (!offset) return std::nullopt;
  return ToMs(*year, month, *day, *time, *offset, now_ms);
}

// "Nov  6 08:49:37 1994": asctime after the weekday.
std::optional<int64_t> MonthFirst(DateScanner scanner, int64_t now_ms, Zones zones) {
  const int month = MonthNamed(scanner.TakeWord());
  if (month == 0 || !scanner.SkipSpace()) return std::nullopt;
  const std::optional<int> day = scanner.TakeNumber(1, 2);
  if (!day || !scanner.SkipSpace()) return std::nullopt;
  const std::optional<TimeOfDay> time = scanner.TakeTime(/*seconds_optional=*/false);
  if (!time || !scanner.SkipSpace()) return std::nullopt;
  const std::optional<Year> year = TakeYear(&scanner);
  if (!year) return std::nullopt;
  const std::optional<int> offset = TakeZone(&scanner, zones);
  if (!offset) return std::nullopt;
  return ToMs(*year, month, *day, *time, *offset, now_ms);
}

// "Z", an offset, or nothing, which means UTC.
std::optional<int> TakeW3cZone(DateScanner* scanner) {
  scanner->SkipSpace();
  if (scanner->AtEnd()) return 0;
  const std::optional<int> offset = scanner->TakeLetter('z') ? std::optional(0) : scanner->TakeOffsetMinutes();
  scanner->SkipSpace();
  return scanner->AtEnd() ? offset : std::nullopt;
}

std::optional<int64_t> ParseDateWithNames(std::string_view text, int64_t now_ms, Zones zones) {
  DateScanner scanner(text);
  scanner.SkipSpace();
  if (IsWeekdayName(scanner.PeekWord())) {
    scanner.TakeWord();
    scanner.Take(',');
    scanner.SkipSpace();
  }
  return scanner.PeekWord().empty() ? DayFirst(scanner, now_ms, zones) : MonthFirst(scanner, now_ms, zones);
}

}  // namespace

std::optional<int64_t> ParseHttpDateMs(std::string_view text, int64_t now_ms) {
  return ParseDateWithNames(text, now_ms, Zones::kHttp);
}

std::optional<int64_t> ParseW3cDateMs(std::string_view text) {
  DateScanner scanner(text);
  scanner.SkipSpace();
  CivilDate date;
  const std::optional<int> year = scanner.TakeNumber(4, 4);
  if (!year) return std::nullopt;
  date.year = *year;
  for (int* part : {&date.month, &date.day}) {
    if (!scanner.Take('-')) {
      scanner.SkipSpace();
      return scanner.AtEnd() ? CivilToMs(date, {}, 0) : std::nullopt;
    }
    const std::optional<int> number = scanner.TakeNumber(2, 2);
    if (!number) return std::nullopt;
    *part = *number;
  }
  const bool has_t = scanner.TakeLetter('t');
  if (!has_t) scanner.SkipSpace();
  if (scanner.AtEnd()) return has_t ? std::nullopt : CivilToMs(date, {}, 0);
  const std::optional<TimeOfDay> time = scanner.TakeTime(/*seconds_optional=*/true);
  if (!time) return std::nullopt;
  const std::optional<int> offset = TakeW3cZone(&scanner);
  if (!offset) return std::nullopt;
  return CivilToMs(date, *time, *offset);
}

std::optional<int64_t> ParseAnyDateMs(std::string_view text, int64_t now_ms) {
  const std::optional<int64_t> with_names = ParseDateWithNames(text, now_ms, Zones::kRfc822);
  return with_names ? with_names : ParseW3cDateMs(text);
}

}  // namespace trawl
