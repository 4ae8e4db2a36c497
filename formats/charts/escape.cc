#include "formats/charts/escape.h"

#include <cstdint>

#include "formats/text/ascii.h"
#include "formats/text/utf8.h"

namespace trawl {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

// The length of the character at the front of well-formed UTF-8.
size_t LengthOfFirst(std::string_view text) {
  const auto lead = static_cast<uint8_t>(text.front());
  return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

uint32_t CodePointOf(std::string_view character) {
  const auto byte = [character](size_t i) { return static_cast<uint32_t>(static_cast<uint8_t>(character[i])); };
  switch (character.size()) {
    case 1:
      return byte(0);
    case 2:
      return (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f);
    case 3:
      return (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
    default:
      return (byte(0) & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f);
  }
}

// Whether a page must not have it: it is no text, or it would turn the text after it around.
bool IsUnfit(uint32_t code_point) {
  if (code_point == '\t' || code_point == '\n') return false;
  if (code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0)) return true;
  if (code_point >= 0x202a && code_point <= 0x202e) return true;
  if (code_point >= 0x2066 && code_point <= 0x2069) return true;
  return (code_point & 0xfffe) == 0xfffe || (code_point >= 0xfdd0 && code_point <= 0xfdef);
}

void AppendCharacter(std::string_view character, std::string* out) {
  switch (character.front()) {
    case '&':
      *out += "&amp;";
      return;
    case '<':
      *out += "&lt;";
      return;
    case '>':
      *out += "&gt;";
      return;
    case '"':
      *out += "&quot;";
      return;
    case '\'':
      *out += "&#39;";
      return;
    default:
      *out += IsUnfit(CodePointOf(character)) ? kReplacement : character;
  }
}

}  // namespace

void AppendHtml(std::string_view text, std::string* out) {
  std::string repaired;
  if (ValidUtf8Prefix(text) != text.size()) {
    AppendRepairedUtf8(text, &repaired);
    text = repaired;
  }
  out->reserve(out->size() + text.size());
  while (!text.empty()) {
    const size_t length = LengthOfFirst(text);
    AppendCharacter(text.substr(0, length), out);
    text.remove_prefix(length);
  }
}

std::string EscapeHtml(std::string_view text) {
  std::string out;
  AppendHtml(text, &out);
  return out;
}

std::string ShortText(std::string_view text, size_t most) {
  std::string repaired;
  AppendRepairedUtf8(text, &repaired);
  std::string_view rest = repaired;
  size_t end_of_kept = 0, end = 0;
  for (size_t characters = 0; !rest.empty(); ++characters) {
    if (characters == most) return repaired.substr(0, end_of_kept) + "…";
    const size_t length = LengthOfFirst(rest);
    end += length;
    if (characters + 1 < most) end_of_kept = end;
    rest.remove_prefix(length);
  }
  return repaired;
}

std::string UrlHtml(std::string_view url, size_t most) {
  const std::string text = EscapeHtml(ShortText(url, most));
  const std::string scheme = AsciiLower(url.substr(0, url.find("://")));
  if (scheme.size() == url.size() || (scheme != "http" && scheme != "https")) return text;
  return "<a href=\"" + EscapeHtml(url) + "\" rel=\"noreferrer noopener nofollow\">" + text + "</a>";
}

}  // namespace trawl
