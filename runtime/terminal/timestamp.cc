#include "runtime/terminal/timestamp.h"

#include <charconv>
#include <chrono>
#include <cstdio>

#include "arrow/status.h"
#include "formats/rows/times.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr TimeMs kFirstMs = -62'167'219'200'000;  // 0000-01-01T00:00:00Z
constexpr TimeMs kEndMs = 253'402'300'800'000;    // 10000-01-01T00:00:00Z

// Reads the fixed-width parts of a timestamp from left to right; after a part that does not fit, the whole fails.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  int Digits(size_t width, int min, int max) {
    int value = 0;
    if (rest_.size() < width) return Fail();
    for (size_t i = 0; i < width; ++i) {
      if (rest_[i] < '0' || rest_[i] > '9') return Fail();
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(width);
    return value < min || value > max ? Fail() : value;
  }

  // Reads one of `choices`; NUL on failure.
  char OneOf(std::string_view choices) {
    if (rest_.empty() || choices.find(rest_.front()) == std::string_view::npos) {
      failed_ = true;
      return '\0';
    }
    const char found = rest_.front();
    rest_.remove_prefix(1);
    return found;
  }

  // Reads "." and digits, of which the first three count; 0 where they are absent.
  int FractionMs() {
    if (rest_.empty() || rest_.front() != '.') return 0;
    rest_.remove_prefix(1);
    int value = 0, place = 100;
    size_t width = 0;
    for (; width < rest_.size() && rest_[width] >= '0' && rest_[width] <= '9'; ++width, place /= 10) {
      value += (rest_[width] - '0') * place;
    }
    rest_.remove_prefix(width);
    return width == 0 ? Fail() : value;
  }

  // Returns minutes east of UTC.
  int Offset() {
    const char sign = OneOf("Zz+-");
    if (sign != '+' && sign != '-') return 0;
    const int hours = Digits(2, 0, 23);
    OneOf(":");
    const int minutes = hours * 60 + Digits(2, 0, 59);
    return sign == '+' ? minutes : -minutes;
  }

  bool DoneWell() const { return !failed_ && rest_.empty(); }

 private:
  int Fail() {
    failed_ = true;
    return 0;
  }

  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace

Result<TimeMs> ParseTimestamp(std::string_view text) {
  TimeMs number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;

  Scanner scan(text);
  const std::chrono::year year(scan.Digits(4, 0, 9999));
  scan.OneOf("-");
  const std::chrono::month month(static_cast<unsigned>(scan.Digits(2, 1, 12)));
  scan.OneOf("-");
  const std::chrono::day day(static_cast<unsigned>(scan.Digits(2, 1, 31)));
  scan.OneOf("Tt ");
  const int hour = scan.Digits(2, 0, 23);
  scan.OneOf(":");
  const int minute = scan.Digits(2, 0, 59);
  scan.OneOf(":");
  const int second = std::min(scan.Digits(2, 0, 60), 59);
  const int fraction_ms = scan.FractionMs();
  const int offset_minutes = scan.Offset();
  const std::chrono::year_month_day date(year, month, day);
  if (!scan.DoneWell() || !date.ok()) {
    return Status::Invalid("'", text,
                           "' is not a time; write one like 2026-03-01T12:00:00Z, or milliseconds since 1970");
  }
  const TimeMs days = std::chrono::sys_days(date).time_since_epoch().count();
  return days * kDayMs + ((hour * 60 + minute - offset_minutes) * 60 + second) * TimeMs{1000} + fraction_ms;
}

std::string FormatTimestamp(TimeMs time) {
  if (time < kFirstMs || time >= kEndMs) return std::to_string(time);
  const TimeMs in_day = (time % kDayMs + kDayMs) % kDayMs;
  const std::chrono::sys_days day{std::chrono::days((time - in_day) / kDayMs)};
  const std::chrono::year_month_day date(day);
  char buffer[48];
  std::snprintf(buffer, sizeof(buffer), "%04d-%02u-%02uT%02d:%02d:%02d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(in_day / kHourMs), static_cast<int>(in_day / 60'000 % 60),
                static_cast<int>(in_day / 1000 % 60));
  std::string out = buffer;
  if (in_day % 1000 != 0) {
    std::snprintf(buffer, sizeof(buffer), ".%03d", static_cast<int>(in_day % 1000));
    out += buffer;
  }
  return out + "Z";
}

}  // namespace trawl
