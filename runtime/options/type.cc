#include "runtime/options/type.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "arrow/status.h"
#include "runtime/options/value_kind.h"
#include "runtime/terminal/timestamp.h"
#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

Result<bool> ParseBool(std::string_view text) {
  for (const char* yes : {"true", "yes", "on", "1"}) {
    if (text == yes) return true;
  }
  for (const char* no : {"false", "no", "off", "0"}) {
    if (text == no) return false;
  }
  return Status::Invalid("not true or false");
}

template <typename Number>
Result<Number> ParseNumber(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return Status::Invalid("not a number");
  return value;
}

// Reads "0.25" and "-0.25" in units of 10^-decimals.
Result<int64_t> ParseFixed(std::string_view text, int decimals) {
  const bool is_negative = !text.empty() && text.front() == '-';
  ARROW_ASSIGN_OR_RAISE(const int64_t magnitude, ParseDecimal(is_negative ? text.substr(1) : text, decimals));
  return is_negative ? -magnitude : magnitude;
}

// Reads a text with a unit, or a bare number where the option's name says what it counts.
Result<int64_t> ParseMeasure(const OptionType& type, std::string_view text) {
  if (type.bare_unit != 0 && !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos) {
    ARROW_ASSIGN_OR_RAISE(const int64_t count, ParseNumber<int64_t>(text));
    if (count > kHighest / type.bare_unit) return Status::Invalid("too large");
    return count * type.bare_unit;
  }
  return type.kind == OptionKind::kSize ? ParseSize(text) : ParseDuration(text);
}

Result<int64_t> ParseChoice(const OptionType& type, std::string_view text) {
  for (const OptionChoice& choice : type.choices) {
    if (choice.name == text) return choice.value;
  }
  return Status::Invalid("not among the choices");
}

Result<std::vector<std::string>> ParseList(std::string_view text) {
  std::vector<std::string> items;
  if (text.empty()) return items;
  items.emplace_back();
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == ',' || text[i + 1] == '\\');
    if (is_escape) {
      items.back() += text[++i];
    } else if (text[i] == ',') {
      items.emplace_back();
    } else {
      items.back() += text[i];
    }
  }
  for (const std::string& item : items) {
    if (item.empty()) return Status::Invalid("an item is empty");
  }
  return items;
}

std::string PrintList(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) {
    if (!out.empty()) out += ',';
    for (const char c : item) {
      if (c == ',' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out;
}

Result<int64_t> ParseWhole(const OptionType& type, std::string_view text) {
  switch (type.kind) {
    case OptionKind::kFixed:
      return ParseFixed(text, type.decimals);
    case OptionKind::kSize:
    case OptionKind::kDuration:
      return ParseMeasure(type, text);
    case OptionKind::kTime:
      return text.empty() ? Result<int64_t>(kNoTime) : ParseTimestamp(text);
    case OptionKind::kChoice:
      return ParseChoice(type, text);
    default:
      return ParseNumber<int64_t>(text);
  }
}

Result<OptionValue> ParseItems(const OptionType& type, std::string_view text) {
  ARROW_ASSIGN_OR_RAISE(auto items, ParseList(text));
  const std::vector<std::string> known = ItemsOf(type);
  for (const std::string& item : items) {
    if (!known.empty() && std::find(known.begin(), known.end(), item) == known.end())
      return Status::Invalid("not among the items");
  }
  return items;
}

Result<OptionValue> ParseAny(const OptionType& type, std::string_view text) {
  switch (type.kind) {
    case OptionKind::kBool:
      return ParseBool(text);
    case OptionKind::kText:
      return std::string(text);
    case OptionKind::kList:
      return ParseItems(type, text);
    case OptionKind::kReal: {
      ARROW_ASSIGN_OR_RAISE(const double value, ParseNumber<double>(text));
      const bool is_in_range = std::isfinite(value) && value >= type.real_min && value <= type.real_max;
      return is_in_range ? Result<OptionValue>(value) : Status::Invalid("out of range");
    }
    default: {
      ARROW_ASSIGN_OR_RAISE(const int64_t value, ParseWhole(type, text));
      if (type.kind == OptionKind::kChoice) return value;
      const bool is_in_range = value >= type.min && value <= type.max;
      return is_in_range ? Result<OptionValue>(value) : Status::Invalid("out of range");
    }
  }
}

std::string PrintWhole(const OptionType& type, int64_t value) {
  switch (type.kind) {
    case OptionKind::kFixed:
      return FormatDecimal(value, type.decimals);
    case OptionKind::kSize:
    case OptionKind::kDuration:
      if (type.bare_unit != 0 && value % type.bare_unit == 0) return std::to_string(value / type.bare_unit);
      return type.kind == OptionKind::kSize ? FormatSize(value) : FormatDuration(value);
    case OptionKind::kTime:
      return value == kNoTime ? "" : FormatTimestamp(value);
    case OptionKind::kChoice:
      for (const OptionChoice& choice : type.choices) {
        if (choice.value == value) return choice.name;
      }
      return std::to_string(value);
    default:
      return std::to_string(value);
  }
}

std::string PrintReal(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return error == std::errc() ? std::string(buffer, end) : "nan";
}

// Returns " from 1 to 10", " of at least 1", " up to 10" or nothing.
std::string DescribeRange(OptionType type) {
  type.bare_unit = 0;  // "up to 1d" reads better than "up to 86400000"
  const bool is_real = type.kind == OptionKind::kReal;
  // A size or a time is never negative: a lower end of 0 need not be printed.
  const bool is_measure = type.kind == OptionKind::kSize || type.kind == OptionKind::kDuration;
  const bool has_min = is_real ? type.real_min != std::numeric_limits<double>::lowest()
                               : type.min != kLowest && !(is_measure && type.min <= 0);
  const bool has_max = is_real ? type.real_max != std::numeric_limits<double>::max() : type.max != kHighest;
  const std::string min = is_real ? PrintReal(type.real_min) : PrintWhole(type, has_min ? type.min : 0);
  const std::string max = is_real ? PrintReal(type.real_max) : PrintWhole(type, has_max ? type.max : 0);
  if (has_min && has_max) return " from " + min + " to " + max;
  if (has_min) return " of at least " + min;
  return has_max ? " up to " + max : "";
}

std::string DescribeChoices(const OptionType& type) {
  std::string out;
  for (size_t i = 0; i < type.choices.size(); ++i) {
    if (i > 0) out += i + 1 == type.choices.size() ? " or " : ", ";
    out += type.choices[i].name;
  }
  return out;
}

std::string DescribeItems(const OptionType& type) {
  const std::vector<std::string> items = ItemsOf(type);
  std::string out;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += i + 1 == items.size() ? " or " : ", ";
    out += items[i];
  }
  return out.empty() ? "texts with commas between them" : out + ", with commas between several";
}

std::string DescribeMeasure(const OptionType& type) {
  const bool is_size = type.kind == OptionKind::kSize;
  std::string out = is_size ? "a size like 64MiB" : "a duration like 30s or 1h30m";
  if (type.bare_unit != 0) {
    const char* unit = is_size ? "bytes" : type.bare_unit == 1 ? "milliseconds" : "seconds";
    out = std::string("a number of ") + unit + ", or " + out;
  }
  const std::string range = DescribeRange(type);
  return range.empty() ? out : out + "," + range;
}

}  // namespace

Result<OptionValue> ParseOptionText(const OptionType& type, std::string_view text) {
  constexpr size_t kShown = 200;
  Result<OptionValue> value = ParseAny(type, text);
  if (value.ok()) return value;
  return Status::Invalid("'", text.substr(0, kShown), text.size() > kShown ? "…" : "", "' is not allowed; write ",
                         DescribeAllowed(type));
}

std::string PrintOptionValue(const OptionType& type, const OptionValue& value) {
  switch (type.kind) {
    case OptionKind::kBool:
      return std::get<bool>(value) ? "true" : "false";
    case OptionKind::kText:
      return std::get<std::string>(value);
    case OptionKind::kList:
      return PrintList(std::get<std::vector<std::string>>(value));
    case OptionKind::kReal:
      return PrintReal(std::get<double>(value));
    default:
      return PrintWhole(type, std::get<int64_t>(value));
  }
}

std::string DescribeAllowed(const OptionType& type) {
  switch (type.kind) {
    case OptionKind::kBool:
      return "true or false";
    case OptionKind::kInt:
      return "a whole number" + DescribeRange(type);
    case OptionKind::kReal:
      return "a number" + DescribeRange(type);
    case OptionKind::kFixed:
      return "a number with up to " + std::to_string(type.decimals) + " decimals" + DescribeRange(type);
    case OptionKind::kText:
      return "a text";
    case OptionKind::kSize:
    case OptionKind::kDuration:
      return DescribeMeasure(type);
    case OptionKind::kTime:
      return "a time like 2026-03-01T12:00:00Z, or milliseconds since 1970";
    case OptionKind::kChoice:
      return DescribeChoices(type);
    case OptionKind::kList:
      return DescribeItems(type);
  }
  return "";
}

}  // namespace trawl
