// The door of formats/text: ASCII letters and digits, independent of the process's locale. utf8.h has UTF-8.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace trawl {

constexpr bool IsAsciiDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsAsciiLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
// The white space of the WHATWG standards: tab, LF, form feed, CR, space.
constexpr bool IsAsciiWhitespace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; }
constexpr char AsciiLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c; }

// The value of a hexadecimal digit, or -1.
constexpr int HexDigitValue(char c) {
  if (IsAsciiDigit(c)) return c - '0';
  const char lower = AsciiLower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

inline std::string AsciiLower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = AsciiLower(c);
  return out;
}

inline bool EqualsIgnoringAsciiCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return AsciiLower(x) == AsciiLower(y); });
}

// `text` without the bytes of `any_of` at both ends.
inline std::string_view TrimBytes(std::string_view text, std::string_view any_of) {
  const size_t first = text.find_first_not_of(any_of);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(any_of) - first + 1);
}

}  // namespace trawl
