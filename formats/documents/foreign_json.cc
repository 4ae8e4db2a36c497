#include "formats/documents/foreign_json.h"

#include <algorithm>
#include <string>

#include "formats/text/ascii.h"

namespace trawl {

using arrow::Result;

namespace {

// The code unit of the "\\uXXXX" at `at`, or -1 where no such escape stands.
int EscapedUnit(std::string_view text, size_t at) {
  if (text.substr(at, 2) != "\\u" || at + 6 > text.size()) return -1;
  int unit = 0;
  for (size_t i = at + 2; i < at + 6; ++i) {
    const int digit = HexDigitValue(text[i]);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

bool IsLead(int unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool IsTrail(int unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

// Backslashes stand only in strings, so nothing else of the syntax need be known.
std::string WithoutLoneSurrogates(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const size_t backslash = std::min(text.find('\\', at), text.size());
    out.append(text.substr(at, backslash - at));
    at = backslash;
    const int unit = EscapedUnit(text, at);
    const bool is_pair = IsLead(unit) && IsTrail(EscapedUnit(text, at + 6));
    if (!is_pair && (IsLead(unit) || IsTrail(unit))) {
      out.append("\\ufffd");
      at += 6;
    } else {
      const std::string_view escape = text.substr(at, is_pair ? 12 : 2);
      out.append(escape);
      at += escape.size();
    }
  }
  return out;
}

}  // namespace

Result<Json> ParseForeignJson(std::string_view text) {
  Result<Json> parsed = ParseJson(text);
  return parsed.ok() ? parsed : ParseJson(WithoutLoneSurrogates(text));
}

}  // namespace trawl
