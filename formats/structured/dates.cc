#include "formats/structured/dates.h"

#include "formats/http/date.h"
#include "formats/http/date_scanner.h"
#include "formats/markup/markup.h"
#include "formats/text/ascii.h"

namespace trawl {
namespace {

constexpr int64_t kYear1990Ms = 631'152'000'000;
constexpr size_t kMostDateBytes = 64;

std::optional<int64_t> Within(std::optional<int64_t> date_ms, int64_t latest_ms) {
  return date_ms && *date_ms >= kYear1990Ms && *date_ms <= latest_ms ? date_ms : std::nullopt;
}

// "2 January 2026", "2. Jan. 2026", "January 2, 2026", "Jan 2nd 2026", each with nothing after it.
std::optional<int64_t> DayWithMonthName(std::string_view text) {
  DateScanner scanner(text);
  CivilDate date;
  const auto skip = [&scanner] {
    while (scanner.SkipSpace() || scanner.Take(',') || scanner.Take('.') || scanner.Take('-')) {
    }
  };
  const auto take_month = [&] {
    date.month = MonthNamed(scanner.TakeWord());
    skip();
    return date.month != 0;
  };
  const auto take_day = [&] {
    const std::optional<int> day = scanner.TakeNumber(1, 2);
    const std::string_view ending = scanner.PeekWord();
    if (ending == "st" || ending == "nd" || ending == "rd" || ending == "th") scanner.TakeWord();
    skip();
    date.day = day.value_or(0);
    return day.has_value();
  };
  skip();
  if (IsWeekdayName(scanner.PeekWord())) {
    scanner.TakeWord();
    skip();
  }
  const bool month_first = !scanner.PeekWord().empty();
  if (month_first ? !take_month() || !take_day() : !take_day() || !take_month()) return std::nullopt;
  const std::optional<int> year = scanner.TakeNumber(4, 4);
  scanner.SkipSpace();
  if (!year || !scanner.AtEnd()) return std::nullopt;
  date.year = *year;
  return CivilToMs(date, {}, 0);
}

// "2026/01/02", alone or before a time.
std::optional<int64_t> DayWithSlashes(std::string_view text) {
  DateScanner scanner(text);
  const std::optional<int> year = scanner.TakeNumber(4, 4);
  if (!year || !scanner.Take('/')) return std::nullopt;
  const std::optional<int> month = scanner.TakeNumber(1, 2);
  if (!month || !scanner.Take('/')) return std::nullopt;
  const std::optional<int> day = scanner.TakeNumber(1, 2);
  if (!day) return std::nullopt;
  TimeOfDay time;
  if (scanner.SkipSpace() && !scanner.AtEnd()) {
    const std::optional<TimeOfDay> written = scanner.TakeTime(true);
    if (!written) return std::nullopt;
    time = *written;
  }
  scanner.SkipSpace();
  return scanner.AtEnd() ? CivilToMs({*year, *month, *day}, time, 0) : std::nullopt;
}

bool IsPathSeparator(char c) { return c == '/' || c == '-' || c == '_'; }

}  // namespace

std::optional<int64_t> PageDateMs(std::string_view text, int64_t latest_ms) {
  text = StripHtmlSpace(text);
  // A year alone or a month is a date for W3C, but no day on which a page came out.
  if (text.size() < 8 || text.size() > kMostDateBytes) return std::nullopt;
  std::optional<int64_t> date = ParseAnyDateMs(text, latest_ms);
  if (!date) date = DayWithMonthName(text);
  if (!date) date = DayWithSlashes(text);
  return Within(date, latest_ms);
}

std::optional<int64_t> DateOfPathMs(std::string_view path, int64_t latest_ms) {
  for (size_t at = 0; at + 8 < path.size(); ++at) {
    if (!IsPathSeparator(path[at]) || !IsAsciiDigit(path[at + 1])) continue;
    DateScanner scanner(path.substr(at + 1));
    const std::optional<int> year = scanner.TakeNumber(4, 4);
    const char separator = path[at + 5];
    if (!year || !IsPathSeparator(separator) || !scanner.Take(separator)) continue;
    const std::string_view word = scanner.PeekWord();
    const std::optional<int> month = word.empty() ? scanner.TakeNumber(1, 2) : MonthNamed(scanner.TakeWord());
    if (!month || !scanner.Take(separator)) continue;
    const std::optional<int> day = scanner.TakeNumber(1, 2);
    if (!day) continue;
    const bool ends = scanner.AtEnd() || scanner.Take('/') || scanner.Take('-') || scanner.Take('_') ||
                      scanner.Take('.') || scanner.TakeLetter('t');
    if (!ends) continue;
    const std::optional<int64_t> date = Within(CivilToMs({*year, *month, *day}, {}, 0), latest_ms);
    if (date) return date;
  }
  return std::nullopt;
}

}  // namespace trawl
