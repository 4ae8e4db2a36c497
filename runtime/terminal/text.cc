#include "runtime/terminal/text.h"

#include "arrow/util/utf8.h"

namespace trawl {

namespace {

bool StartsCodePoint(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }
// Number of bytes of the character that begins with this byte.
size_t CharacterBytes(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}
bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

}  // namespace

size_t CountColumns(std::string_view text) {
  size_t columns = 0;
  for (const char c : text) columns += StartsCodePoint(c) ? 1 : 0;
  return columns;
}

std::string CutToColumns(std::string_view text, size_t columns) {
  if (columns == 0) return "";
  std::string out;
  const bool fits = CountColumns(text) <= columns;
  size_t used = 0;
  for (const char c : text) {
    if (StartsCodePoint(c) && !fits && ++used == columns) return out + "…";
    out += IsControl(c) ? ' ' : c;
  }
  return out;
}

namespace {

// Whether the character makes a terminal show other text than there is: marks, embeddings, overrides and isolates of
// writing directions.
bool TurnsText(std::string_view character) {
  return character == "\u061C" || (character >= "\u200E" && character <= "\u200F") ||
         (character >= "\u202A" && character <= "\u202E") || (character >= "\u2066" && character <= "\u2069");
}

}  // namespace

std::string Printable(std::string_view text) {
  arrow::util::InitializeUTF8();
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::string_view character = text.substr(0, CharacterBytes(text.front()));
    const bool is_whole = arrow::util::ValidateUTF8(character);
    // U+0080 to U+009F are also control characters for terminals that decode UTF-8 first.
    const bool is_control = IsControl(character[0]) || (is_whole && character < "\xC2\xA0" && character >= "\xC2\x80");
    if (!is_whole) {
      out += "\xEF\xBF\xBD";
    } else if (TurnsText(character)) {
      // Left out.
    } else if (character == "\u2028" || character == "\u2029") {
      out += ' ';
    } else if (is_control && character != "\n" && character != "\t") {
      out += ' ';
    } else {
      out += character;
    }
    text.remove_prefix(is_whole ? character.size() : 1);
  }
  return out;
}

std::string PadRight(std::string_view text, size_t columns) {
  const size_t used = CountColumns(text);
  return std::string(text) + std::string(used < columns ? columns - used : 1, ' ');
}

std::string WrapText(std::string_view text, size_t columns, size_t indent) {
  std::string out;
  size_t used = 0;
  while (!text.empty()) {
    const size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const size_t width = CountColumns(word);
    if (width == 0) continue;
    if (used > 0 && used + 1 + width > columns) {
      out += "\n" + std::string(indent, ' ');
      used = 0;
    }
    if (used > 0) out += ' ';
    out += word;
    used += width + (used > 0 ? 1 : 0);
  }
  return out;
}

}  // namespace trawl
