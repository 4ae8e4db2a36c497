// Says which texts an option takes, how they become values, and their one canonical form.
//
// Part of runtime/options/options.h, which declares options; start there. Pure; any thread.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "arrow/result.h"
#include "runtime/process/clock.h"

namespace trawl {

// The value of a time option that nobody has set: its text is empty.
inline constexpr TimeMs kNoTime = std::numeric_limits<TimeMs>::min();

enum class OptionKind {
  kBool,
  kInt,
  kReal,
  kFixed,  // a decimal number kept as an integer of 10^-decimals
  kText,
  kSize,      // bytes
  kDuration,  // milliseconds
  kTime,      // milliseconds since 1970, or kNoTime
  kChoice,    // one of a list of names, kept as the number in the enumeration
  kList,      // texts; written with commas between them, `\,` for a comma within one
};

struct OptionChoice {
  std::string name;
  int64_t value = 0;
};

struct OptionType {
  OptionKind kind = OptionKind::kText;
  // Both inclusive. They apply to the stored number: for kFixed in units of 10^-decimals, for kSize bytes, for
  // kDuration milliseconds.
  int64_t min = std::numeric_limits<int64_t>::min();
  int64_t max = std::numeric_limits<int64_t>::max();
  double real_min = std::numeric_limits<double>::lowest();
  double real_max = std::numeric_limits<double>::max();
  int decimals = 0;
  // The unit of a bare number, in bytes or milliseconds, given by the option's name; 0 where a unit is needed.
  int64_t bare_unit = 0;
  std::vector<OptionChoice> choices = {};
  // Stands for the value in the help text: "N", "SIZE", "FILE".
  std::string placeholder = {};
};

// Bool, text and list are themselves; real is a double; everything else an int64_t.
using OptionValue = std::variant<bool, int64_t, double, std::string, std::vector<std::string>>;

// Invalid, with the text and the allowed values, where `text` makes no sense for `type`.
arrow::Result<OptionValue> ParseOptionText(const OptionType& type, std::string_view text);

// The canonical text: it parses back to the same value.
std::string PrintOptionValue(const OptionType& type, const OptionValue& value);

// Describes the allowed values: "a whole number from 1 to 4096", "host, domain or any".
std::string DescribeAllowed(const OptionType& type);

}  // namespace trawl
