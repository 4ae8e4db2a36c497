#include "runtime/terminal/units.h"

#include <array>
#include <cstdio>
#include <limits>

#include "arrow/status.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Wide enough for the product of any number of kMaxDigits digits and any unit.
__extension__ typedef __int128 Wide;

constexpr int kMaxDigits = 19;  // every uint64_t with at most this number of digits is exact
constexpr int64_t kMaxInt = std::numeric_limits<int64_t>::max();

struct Unit {
  std::string_view name;
  int64_t factor;
};

// Printing takes the unit with the smallest count; among equals the first, so the binary ones come first.
constexpr std::array<Unit, 9> kSizeUnits = {{{"TiB", 1ll << 40},
                                             {"GiB", 1ll << 30},
                                             {"MiB", 1ll << 20},
                                             {"KiB", 1ll << 10},
                                             {"TB", 1'000'000'000'000},
                                             {"GB", 1'000'000'000},
                                             {"MB", 1'000'000},
                                             {"KB", 1'000},
                                             {"B", 1}}};

constexpr std::array<Unit, 5> kTimeUnits = {
    {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
char LowerAscii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool EqualIgnoringCase(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (LowerAscii(a[i]) != LowerAscii(b[i])) return false;
  }
  return true;
}

int64_t PowerOfTen(int digits) {
  int64_t power = 1;
  while (digits-- > 0) power *= 10;
  return power;
}

// digits × 10^-decimals.
struct Decimal {
  uint64_t digits = 0;
  int decimals = 0;
};

// Takes a number off the front of `text`; false where there is no number or it has too many digits.
bool TakeDecimal(std::string_view* text, Decimal* out) {
  size_t at = 0;
  int count = 0;
  bool in_fraction = false;
  *out = Decimal();
  for (; at < text->size(); ++at) {
    const char c = (*text)[at];
    if (c == '.' && !in_fraction && count > 0) {
      in_fraction = true;
      continue;
    }
    if (!IsDigit(c)) break;
    if (++count > kMaxDigits) return false;
    out->digits = out->digits * 10 + static_cast<uint64_t>(c - '0');
    out->decimals += in_fraction ? 1 : 0;
  }
  if (count == 0 || (in_fraction && out->decimals == 0)) return false;
  text->remove_prefix(at);
  return true;
}

// Takes the name of a unit off the front of `text`: everything before the next digit.
std::string_view TakeUnitName(std::string_view* text) {
  size_t end = 0;
  while (end < text->size() && !IsDigit((*text)[end])) ++end;
  const std::string_view name = text->substr(0, end);
  text->remove_prefix(end);
  return name;
}

template <size_t N>
const Unit* FindUnit(const std::array<Unit, N>& units, std::string_view name) {
  for (const Unit& unit : units) {
    if (EqualIgnoringCase(unit.name, name)) return &unit;
  }
  return nullptr;
}

Status NotASize(std::string_view text) {
  return Status::Invalid("'", text,
                         "' is not a size; write a number and B, KB, MB, GB, TB, KiB, MiB, GiB or TiB, like 64MiB");
}

Status NotADuration(std::string_view text) {
  return Status::Invalid("'", text, "' is not a duration; write numbers with d, h, m, s or ms, like 30s or 1h30m");
}

}  // namespace

Result<int64_t> ParseSize(std::string_view text) {
  if (text == "0") return 0;
  std::string_view rest = text;
  Decimal number;
  if (!TakeDecimal(&rest, &number)) return NotASize(text);
  const Unit* unit = FindUnit(kSizeUnits, rest);
  if (unit == nullptr) return NotASize(text);
  const Wide bytes = static_cast<Wide>(number.digits) * unit->factor / PowerOfTen(number.decimals);
  if (bytes > kMaxInt) return Status::Invalid("'", text, "' is too large a size");
  return static_cast<int64_t>(bytes);
}

std::string FormatSize(int64_t bytes) {
  const Unit* best = &kSizeUnits.back();
  if (bytes != 0) {
    for (const Unit& unit : kSizeUnits) {
      if (bytes % unit.factor == 0 && unit.factor > best->factor) best = &unit;
    }
  }
  return std::to_string(bytes / best->factor) + std::string(best->name);
}

Result<int64_t> ParseDuration(std::string_view text) {
  if (text == "0") return 0;
  if (text.empty()) return NotADuration(text);
  std::string_view rest = text;
  Wide total = 0;
  int64_t previous_factor = kMaxInt;
  while (!rest.empty()) {
    Decimal number;
    if (!TakeDecimal(&rest, &number)) return NotADuration(text);
    const Unit* unit = FindUnit(kTimeUnits, TakeUnitName(&rest));
    if (unit == nullptr || unit->factor >= previous_factor) return NotADuration(text);
    previous_factor = unit->factor;
    const Wide scaled = static_cast<Wide>(number.digits) * unit->factor;
    const int64_t divisor = PowerOfTen(number.decimals);
    if (scaled % divisor != 0) return Status::Invalid("'", text, "' is not a whole number of milliseconds");
    total += scaled / divisor;
  }
  if (total > kMaxInt) return Status::Invalid("'", text, "' is too long a duration");
  return static_cast<int64_t>(total);
}

std::string FormatDuration(int64_t ms) {
  if (ms == 0) return "0s";
  std::string out;
  for (const Unit& unit : kTimeUnits) {
    const int64_t count = ms / unit.factor;
    if (count > 0) out += std::to_string(count) + std::string(unit.name);
    ms %= unit.factor;
  }
  return out;
}

Result<int64_t> ParseDecimal(std::string_view text, int digits) {
  std::string_view rest = text;
  Decimal number;
  if (!TakeDecimal(&rest, &number) || !rest.empty()) return Status::Invalid("'", text, "' is not a decimal number");
  if (number.decimals > digits) return Status::Invalid("'", text, "' has more than ", digits, " decimals");
  const Wide scaled = static_cast<Wide>(number.digits) * PowerOfTen(digits - number.decimals);
  if (scaled > kMaxInt) return Status::Invalid("'", text, "' is too large");
  return static_cast<int64_t>(scaled);
}

std::string FormatDecimal(int64_t value, int digits) {
  const uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  std::string text = std::to_string(magnitude);
  const size_t decimals = static_cast<size_t>(digits);
  if (text.size() <= decimals) text.insert(0, decimals + 1 - text.size(), '0');
  std::string fraction = text.substr(text.size() - decimals);
  text.resize(text.size() - decimals);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  if (!fraction.empty()) text += "." + fraction;
  return (value < 0 ? "-" : "") + text;
}

std::string ReadableSize(int64_t bytes) {
  for (const Unit& unit : kSizeUnits) {
    const bool is_binary = unit.name.size() == 3;
    if (!is_binary || bytes < unit.factor) continue;
    char buffer[32];
    std::snprintf(buffer, sizeof(buffer), "%.1f ", static_cast<double>(bytes) / static_cast<double>(unit.factor));
    return buffer + std::string(unit.name);
  }
  return std::to_string(bytes) + " B";
}

std::string ReadableDuration(int64_t ms) {
  if (ms < 1000) return std::to_string(ms) + " ms";
  const int64_t seconds = ms / 1000;
  const auto both = [](int64_t large, const char* large_name, int64_t small, const char* small_name) {
    std::string out = std::to_string(large) + large_name;
    if (small > 0) out += " " + std::to_string(small) + small_name;
    return out;
  };
  if (seconds < 60) return std::to_string(seconds) + " s";
  if (seconds < 3600) return both(seconds / 60, " min", seconds % 60, " s");
  if (seconds < 86400) return both(seconds / 3600, " h", seconds % 3600 / 60, " min");
  return both(seconds / 86400, " d", seconds % 86400 / 3600, " h");
}

std::string ReadableCount(int64_t count) {
  std::string out = std::to_string(count);
  const size_t first = count < 0 ? 1 : 0;
  for (size_t at = out.size(); at > first + 3;) {
    at -= 3;
    out.insert(at, 1, ',');
  }
  return out;
}

std::string ReadableCount(int64_t count, std::string_view noun) {
  return ReadableCount(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace trawl
