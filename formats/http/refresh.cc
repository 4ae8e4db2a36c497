#include "formats/http/refresh.h"

#include <limits>

#include "formats/text/ascii.h"

namespace trawl {

namespace {

void SkipWhitespace(std::string_view* rest) {
  while (!rest->empty() && IsAsciiWhitespace(rest->front())) rest->remove_prefix(1);
}

// A number of seconds that is too large becomes the largest.
int64_t TakeSeconds(std::string_view* rest) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  int64_t seconds = 0;
  for (; !rest->empty() && IsAsciiDigit(rest->front()); rest->remove_prefix(1)) {
    const int digit = rest->front() - '0';
    seconds = seconds > (kMax - digit) / 10 ? kMax : seconds * 10 + digit;
  }
  return seconds;
}

// Takes "url=" and the white space around it. In the standard's steps each part may be there only after the part before
// it. Where a part is missing, all of it belongs to the URL.
void SkipUrlName(std::string_view* rest) {
  std::string_view ahead = *rest;
  for (const char letter : {'u', 'r', 'l'}) {
    if (ahead.empty() || AsciiLower(ahead.front()) != letter) return;
    ahead.remove_prefix(1);
  }
  SkipWhitespace(&ahead);
  if (!ahead.starts_with('=')) return;
  ahead.remove_prefix(1);
  SkipWhitespace(&ahead);
  *rest = ahead;
}

std::string_view TakeUrl(std::string_view rest) {
  SkipUrlName(&rest);
  if (!rest.starts_with('"') && !rest.starts_with('\'')) return rest;
  const char quote = rest.front();
  rest.remove_prefix(1);
  return rest.substr(0, rest.find(quote));
}

}  // namespace

std::optional<Refresh> ParseRefresh(std::string_view rest) {
  SkipWhitespace(&rest);
  if (rest.empty() || (!IsAsciiDigit(rest.front()) && rest.front() != '.')) return std::nullopt;
  Refresh refresh;
  refresh.delay_s = TakeSeconds(&rest);
  while (!rest.empty() && (IsAsciiDigit(rest.front()) || rest.front() == '.')) rest.remove_prefix(1);
  if (rest.empty()) return refresh;
  if (rest.front() != ';' && rest.front() != ',' && !IsAsciiWhitespace(rest.front())) return std::nullopt;
  SkipWhitespace(&rest);
  if (rest.starts_with(';') || rest.starts_with(',')) rest.remove_prefix(1);
  SkipWhitespace(&rest);
  refresh.url = TakeUrl(rest);
  return refresh;
}

}  // namespace trawl
