#include "runtime/terminal_text.h"

namespace trawl {

namespace {

bool StartsCodePoint(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }
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
