#include "formats/markup/entities.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "formats/markup/markup.h"
#include "formats/text/utf8.h"

namespace trawl {
namespace {

// Whether a name counts without its semicolon (kBare) or not (kClosed).
enum Form : uint8_t { kClosed, kBare };

struct Entity {
  std::string_view name;
  uint16_t code_point;
  Form form;
};

// Sorted by name. The names are those of HTML 4.01, section 24. The code points are those of the HTML Standard, which has
// other brackets for lang and rang.
constexpr Entity kEntities[] = {
    {"AElig", 0xC6, kBare},      {"AMP", 0x26, kBare},         {"Aacute", 0xC1, kBare},
    {"Acirc", 0xC2, kBare},      {"Agrave", 0xC0, kBare},      {"Alpha", 0x391, kClosed},
    {"Aring", 0xC5, kBare},      {"Atilde", 0xC3, kBare},      {"Auml", 0xC4, kBare},
    {"Beta", 0x392, kClosed},    {"COPY", 0xA9, kBare},        {"Ccedil", 0xC7, kBare},
    {"Chi", 0x3A7, kClosed},     {"Dagger", 0x2021, kClosed},  {"Delta", 0x394, kClosed},
    {"ETH", 0xD0, kBare},        {"Eacute", 0xC9, kBare},      {"Ecirc", 0xCA, kBare},
    {"Egrave", 0xC8, kBare},     {"Epsilon", 0x395, kClosed},  {"Eta", 0x397, kClosed},
    {"Euml", 0xCB, kBare},       {"GT", 0x3E, kBare},          {"Gamma", 0x393, kClosed},
    {"Iacute", 0xCD, kBare},     {"Icirc", 0xCE, kBare},       {"Igrave", 0xCC, kBare},
    {"Iota", 0x399, kClosed},    {"Iuml", 0xCF, kBare},        {"Kappa", 0x39A, kClosed},
    {"LT", 0x3C, kBare},         {"Lambda", 0x39B, kClosed},   {"Mu", 0x39C, kClosed},
    {"Ntilde", 0xD1, kBare},     {"Nu", 0x39D, kClosed},       {"OElig", 0x152, kClosed},
    {"Oacute", 0xD3, kBare},     {"Ocirc", 0xD4, kBare},       {"Ograve", 0xD2, kBare},
    {"Omega", 0x3A9, kClosed},   {"Omicron", 0x39F, kClosed},  {"Oslash", 0xD8, kBare},
    {"Otilde", 0xD5, kBare},     {"Ouml", 0xD6, kBare},        {"Phi", 0x3A6, kClosed},
    {"Pi", 0x3A0, kClosed},      {"Prime", 0x2033, kClosed},   {"Psi", 0x3A8, kClosed},
    {"QUOT", 0x22, kBare},       {"REG", 0xAE, kBare},         {"Rho", 0x3A1, kClosed},
    {"Scaron", 0x160, kClosed},  {"Sigma", 0x3A3, kClosed},    {"THORN", 0xDE, kBare},
    {"Tau", 0x3A4, kClosed},     {"Theta", 0x398, kClosed},    {"Uacute", 0xDA, kBare},
    {"Ucirc", 0xDB, kBare},      {"Ugrave", 0xD9, kBare},      {"Upsilon", 0x3A5, kClosed},
    {"Uuml", 0xDC, kBare},       {"Xi", 0x39E, kClosed},       {"Yacute", 0xDD, kBare},
    {"Yuml", 0x178, kClosed},    {"Zeta", 0x396, kClosed},     {"aacute", 0xE1, kBare},
    {"acirc", 0xE2, kBare},      {"acute", 0xB4, kBare},       {"aelig", 0xE6, kBare},
    {"agrave", 0xE0, kBare},     {"alefsym", 0x2135, kClosed}, {"alpha", 0x3B1, kClosed},
    {"amp", 0x26, kBare},        {"and", 0x2227, kClosed},     {"ang", 0x2220, kClosed},
    {"apos", 0x27, kClosed},     {"aring", 0xE5, kBare},       {"asymp", 0x2248, kClosed},
    {"atilde", 0xE3, kBare},     {"auml", 0xE4, kBare},        {"bdquo", 0x201E, kClosed},
    {"beta", 0x3B2, kClosed},    {"brvbar", 0xA6, kBare},      {"bull", 0x2022, kClosed},
    {"cap", 0x2229, kClosed},    {"ccedil", 0xE7, kBare},      {"cedil", 0xB8, kBare},
    {"cent", 0xA2, kBare},       {"chi", 0x3C7, kClosed},      {"circ", 0x2C6, kClosed},
    {"clubs", 0x2663, kClosed},  {"cong", 0x2245, kClosed},    {"copy", 0xA9, kBare},
    {"crarr", 0x21B5, kClosed},  {"cup", 0x222A, kClosed},     {"curren", 0xA4, kBare},
    {"dArr", 0x21D3, kClosed},   {"dagger", 0x2020, kClosed},  {"darr", 0x2193, kClosed},
    {"deg", 0xB0, kBare},        {"delta", 0x3B4, kClosed},    {"diams", 0x2666, kClosed},
    {"divide", 0xF7, kBare},     {"eacute", 0xE9, kBare},      {"ecirc", 0xEA, kBare},
    {"egrave", 0xE8, kBare},     {"empty", 0x2205, kClosed},   {"emsp", 0x2003, kClosed},
    {"ensp", 0x2002, kClosed},   {"epsilon", 0x3B5, kClosed},  {"equiv", 0x2261, kClosed},
    {"eta", 0x3B7, kClosed},     {"eth", 0xF0, kBare},         {"euml", 0xEB, kBare},
    {"euro", 0x20AC, kClosed},   {"exist", 0x2203, kClosed},   {"fnof", 0x192, kClosed},
    {"forall", 0x2200, kClosed}, {"frac12", 0xBD, kBare},      {"frac14", 0xBC, kBare},
    {"frac34", 0xBE, kBare},     {"frasl", 0x2044, kClosed},   {"gamma", 0x3B3, kClosed},
    {"ge", 0x2265, kClosed},     {"gt", 0x3E, kBare},          {"hArr", 0x21D4, kClosed},
    {"harr", 0x2194, kClosed},   {"hearts", 0x2665, kClosed},  {"hellip", 0x2026, kClosed},
    {"iacute", 0xED, kBare},     {"icirc", 0xEE, kBare},       {"iexcl", 0xA1, kBare},
    {"igrave", 0xEC, kBare},     {"image", 0x2111, kClosed},   {"infin", 0x221E, kClosed},
    {"int", 0x222B, kClosed},    {"iota", 0x3B9, kClosed},     {"iquest", 0xBF, kBare},
    {"isin", 0x2208, kClosed},   {"iuml", 0xEF, kBare},        {"kappa", 0x3BA, kClosed},
    {"lArr", 0x21D0, kClosed},   {"lambda", 0x3BB, kClosed},   {"lang", 0x27E8, kClosed},
    {"laquo", 0xAB, kBare},      {"larr", 0x2190, kClosed},    {"lceil", 0x2308, kClosed},
    {"ldquo", 0x201C, kClosed},  {"le", 0x2264, kClosed},      {"lfloor", 0x230A, kClosed},
    {"lowast", 0x2217, kClosed}, {"loz", 0x25CA, kClosed},     {"lrm", 0x200E, kClosed},
    {"lsaquo", 0x2039, kClosed}, {"lsquo", 0x2018, kClosed},   {"lt", 0x3C, kBare},
    {"macr", 0xAF, kBare},       {"mdash", 0x2014, kClosed},   {"micro", 0xB5, kBare},
    {"middot", 0xB7, kBare},     {"minus", 0x2212, kClosed},   {"mu", 0x3BC, kClosed},
    {"nabla", 0x2207, kClosed},  {"nbsp", 0xA0, kBare},        {"ndash", 0x2013, kClosed},
    {"ne", 0x2260, kClosed},     {"ni", 0x220B, kClosed},      {"not", 0xAC, kBare},
    {"notin", 0x2209, kClosed},  {"nsub", 0x2284, kClosed},    {"ntilde", 0xF1, kBare},
    {"nu", 0x3BD, kClosed},      {"oacute", 0xF3, kBare},      {"ocirc", 0xF4, kBare},
    {"oelig", 0x153, kClosed},   {"ograve", 0xF2, kBare},      {"oline", 0x203E, kClosed},
    {"omega", 0x3C9, kClosed},   {"omicron", 0x3BF, kClosed},  {"oplus", 0x2295, kClosed},
    {"or", 0x2228, kClosed},     {"ordf", 0xAA, kBare},        {"ordm", 0xBA, kBare},
    {"oslash", 0xF8, kBare},     {"otilde", 0xF5, kBare},      {"otimes", 0x2297, kClosed},
    {"ouml", 0xF6, kBare},       {"para", 0xB6, kBare},        {"part", 0x2202, kClosed},
    {"permil", 0x2030, kClosed}, {"perp", 0x22A5, kClosed},    {"phi", 0x3C6, kClosed},
    {"pi", 0x3C0, kClosed},      {"piv", 0x3D6, kClosed},      {"plusmn", 0xB1, kBare},
    {"pound", 0xA3, kBare},      {"prime", 0x2032, kClosed},   {"prod", 0x220F, kClosed},
    {"prop", 0x221D, kClosed},   {"psi", 0x3C8, kClosed},      {"quot", 0x22, kBare},
    {"rArr", 0x21D2, kClosed},   {"radic", 0x221A, kClosed},   {"rang", 0x27E9, kClosed},
    {"raquo", 0xBB, kBare},      {"rarr", 0x2192, kClosed},    {"rceil", 0x2309, kClosed},
    {"rdquo", 0x201D, kClosed},  {"real", 0x211C, kClosed},    {"reg", 0xAE, kBare},
    {"rfloor", 0x230B, kClosed}, {"rho", 0x3C1, kClosed},      {"rlm", 0x200F, kClosed},
    {"rsaquo", 0x203A, kClosed}, {"rsquo", 0x2019, kClosed},   {"sbquo", 0x201A, kClosed},
    {"scaron", 0x161, kClosed},  {"sdot", 0x22C5, kClosed},    {"sect", 0xA7, kBare},
    {"shy", 0xAD, kBare},        {"sigma", 0x3C3, kClosed},    {"sigmaf", 0x3C2, kClosed},
    {"sim", 0x223C, kClosed},    {"spades", 0x2660, kClosed},  {"sub", 0x2282, kClosed},
    {"sube", 0x2286, kClosed},   {"sum", 0x2211, kClosed},     {"sup", 0x2283, kClosed},
    {"sup1", 0xB9, kBare},       {"sup2", 0xB2, kBare},        {"sup3", 0xB3, kBare},
    {"supe", 0x2287, kClosed},   {"szlig", 0xDF, kBare},       {"tau", 0x3C4, kClosed},
    {"there4", 0x2234, kClosed}, {"theta", 0x3B8, kClosed},    {"thetasym", 0x3D1, kClosed},
    {"thinsp", 0x2009, kClosed}, {"thorn", 0xFE, kBare},       {"tilde", 0x2DC, kClosed},
    {"times", 0xD7, kBare},      {"trade", 0x2122, kClosed},   {"uArr", 0x21D1, kClosed},
    {"uacute", 0xFA, kBare},     {"uarr", 0x2191, kClosed},    {"ucirc", 0xFB, kBare},
    {"ugrave", 0xF9, kBare},     {"uml", 0xA8, kBare},         {"upsih", 0x3D2, kClosed},
    {"upsilon", 0x3C5, kClosed}, {"uuml", 0xFC, kBare},        {"weierp", 0x2118, kClosed},
    {"xi", 0x3BE, kClosed},      {"yacute", 0xFD, kBare},      {"yen", 0xA5, kBare},
    {"yuml", 0xFF, kBare},       {"zeta", 0x3B6, kClosed},     {"zwj", 0x200D, kClosed},
    {"zwnj", 0x200C, kClosed},
};
constexpr size_t kLongestName = 8;
// The length with its "&#". A number of this length or less overflows nothing.
constexpr size_t kLongestSureNumber = 10;

// The meaning of the numbers 0x80 to 0x9F: a character of windows-1252, or the number itself (13.2.5.80).
constexpr uint16_t kWindows1252[32] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                       0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                       0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                       0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

const Entity* FindEntity(std::string_view name) {
  const Entity* found =
      std::lower_bound(std::begin(kEntities), std::end(kEntities), name,
                       [](const Entity& entity, std::string_view wanted) { return entity.name < wanted; });
  return found != std::end(kEntities) && found->name == name ? found : nullptr;
}

bool IsNameCharacter(char c) { return IsAsciiLetter(c) || IsAsciiDigit(c); }

int DigitValue(char c, bool hexadecimal) {
  const int value = HexDigitValue(c);
  return hexadecimal || value < 10 ? value : -1;
}

// The length in bytes of the reference "&#…" at the front of `text`; 0 if there is no reference.
size_t ReadNumber(std::string_view text, std::string* out) {
  const bool hexadecimal = text.size() > 2 && (text[2] == 'x' || text[2] == 'X');
  const size_t first = hexadecimal ? 3 : 2;
  size_t at = first;
  uint32_t value = 0;
  for (; at < text.size() && DigitValue(text[at], hexadecimal) >= 0; ++at) {
    if (value <= 0x10FFFF)
      value = value * (hexadecimal ? 16 : 10) + static_cast<uint32_t>(DigitValue(text[at], hexadecimal));
  }
  if (at == first) return 0;
  if (value >= 0x80 && value <= 0x9F) value = kWindows1252[value - 0x80];
  AppendCodePoint(value == 0 ? 0xFFFD : value, out);
  return at < text.size() && text[at] == ';' ? at + 1 : at;
}

// The same for a reference "&name".
size_t ReadName(std::string_view text, bool in_attribute, std::string* out) {
  size_t end = 1;
  while (end < text.size() && end <= kLongestName + 1 && IsNameCharacter(text[end])) ++end;
  if (end < text.size() && text[end] == ';') {
    if (const Entity* entity = FindEntity(text.substr(1, end - 1)); entity != nullptr) {
      AppendCodePoint(entity->code_point, out);
      return end + 1;
    }
  }
  for (size_t at = end; at > 2; --at) {
    const Entity* entity = FindEntity(text.substr(1, at - 1));
    if (entity == nullptr || entity->form != kBare) continue;
    if (in_attribute && at < text.size() && (text[at] == '=' || IsNameCharacter(text[at]))) return 0;
    AppendCodePoint(entity->code_point, out);
    return at;
  }
  return 0;
}

// Whether the reference at the front of `text` is one for which gumbo's replacement is known here.
bool IsKnown(std::string_view text) {
  size_t end = 1;
  if (text.size() > 1 && text[1] == '#') {
    ++end;
    while (end < text.size() && (HexDigitValue(text[end]) >= 0 || text[end] == 'x' || text[end] == 'X')) ++end;
    return end <= kLongestSureNumber;
  }
  while (end < text.size() && IsNameCharacter(text[end])) ++end;
  return end == 1 || end == text.size() || text[end] != ';' || FindEntity(text.substr(1, end - 1)) != nullptr;
}

}  // namespace

bool AppendSurelyUnescaped(std::string_view text, bool in_attribute, std::string* out) {
  for (size_t at = 0; (at = text.find('&', at)) != std::string_view::npos; ++at) {
    if (!IsKnown(text.substr(at))) return false;
  }
  AppendUnescaped(text, in_attribute, out);
  return true;
}

void AppendUnescaped(std::string_view text, bool in_attribute, std::string* out) {
  size_t at = 0;
  while (true) {
    const size_t ampersand = std::min(text.find('&', at), text.size());
    out->append(text.substr(at, ampersand - at));
    if (ampersand == text.size()) return;
    const std::string_view rest = text.substr(ampersand);
    size_t taken = 0;
    if (rest.size() > 1) taken = rest[1] == '#' ? ReadNumber(rest, out) : ReadName(rest, in_attribute, out);
    if (taken == 0) {
      out->push_back('&');
      taken = 1;
    }
    at = ampersand + taken;
  }
}

std::vector<std::string_view> KnownReferences() {
  std::vector<std::string_view> names;
  for (const Entity& entity : kEntities) names.push_back(entity.name);
  return names;
}

}  // namespace trawl
