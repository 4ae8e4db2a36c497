#include "formats/answers/target.h"

#include "arrow/status.h"
#include "formats/text/ascii.h"
#include "formats/text/utf8.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

Result<std::string> Decoded(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '+' && plus_is_space) {
      out += ' ';
    } else if (c != '%') {
      out += c;
    } else {
      const int high = i + 2 < text.size() ? HexDigitValue(text[i + 1]) : -1;
      const int low = high >= 0 ? HexDigitValue(text[i + 2]) : -1;
      if (low < 0) return Status::Invalid("a percent sign needs two hexadecimal digits after it");
      out += static_cast<char>(high << 4 | low);
      i += 2;
    }
  }
  if (ValidUtf8Prefix(out) != out.size()) return Status::Invalid("its text is not UTF-8");
  return out;
}

}  // namespace

Result<NamedValues> ParseForm(std::string_view text) {
  NamedValues values;
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(pair.size() + 1, text.size()));
    if (pair.empty()) continue;
    if (values.size() == kMostNamedValues) {
      return Status::Invalid("it has more than ", kMostNamedValues, " fields");
    }
    const size_t equals = std::min(pair.find('='), pair.size());
    ARROW_ASSIGN_OR_RAISE(std::string name, Decoded(pair.substr(0, equals), true));
    ARROW_ASSIGN_OR_RAISE(std::string value, Decoded(pair.substr(std::min(equals + 1, pair.size())), true));
    values.emplace_back(std::move(name), std::move(value));
  }
  return values;
}

Result<RequestTarget> ParseTarget(std::string_view target) {
  if (target.size() > kMostTargetBytes) return Status::Invalid("it is longer than ", kMostTargetBytes, " bytes");
  if (target.empty() || target[0] != '/') return Status::Invalid("it does not begin with /");
  for (const char c : target) {
    if (static_cast<unsigned char>(c) <= ' ' || c == '\x7f' || c == '#') {
      return Status::Invalid("a character in it must be percent-encoded");
    }
  }
  RequestTarget parsed;
  const size_t query = std::min(target.find('?'), target.size());
  parsed.path = target.substr(0, query);
  for (std::string_view rest = parsed.path; !rest.empty();) {
    rest.remove_prefix(1);
    const std::string_view segment = rest.substr(0, rest.find('/'));
    ARROW_ASSIGN_OR_RAISE(std::string decoded, Decoded(segment, false));
    parsed.segments.push_back(std::move(decoded));
    rest.remove_prefix(segment.size());
  }
  if (query < target.size()) {
    ARROW_ASSIGN_OR_RAISE(parsed.query, ParseForm(target.substr(query + 1)));
  }
  return parsed;
}

std::string PercentEncoded(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (IsAsciiLetter(c) || IsAsciiDigit(c) || c == '-' || c == '_' || c == '.' || c == '~') {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', kHex[byte >> 4], kHex[byte & 15]};
  }
  return out;
}

std::string FormOf(const NamedValues& values) {
  std::string text;
  for (const auto& [name, value] : values) {
    text += (text.empty() ? "" : "&") + PercentEncoded(name) + "=" + PercentEncoded(value);
  }
  return text;
}

}  // namespace trawl
