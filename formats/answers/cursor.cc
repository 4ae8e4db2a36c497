#include "formats/answers/cursor.h"

#include <charconv>

#include "formats/answers/base64url.h"

namespace trawl {

namespace {

// The number before the next space, as std::to_string writes it; takes both off.
template <typename Number>
bool TakeNumber(std::string_view* text, Number* number) {
  const size_t end = text->find(' ');
  if (end == std::string_view::npos || end == 0) return false;
  const std::string_view digits = text->substr(0, end);
  if (digits[0] == '-' || (digits[0] == '0' && digits.size() > 1)) return false;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), *number);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return false;
  text->remove_prefix(end + 1);
  return true;
}

}  // namespace

std::string TextOf(const Cursor& cursor) {
  return Base64UrlOf(std::to_string(cursor.snapshot) + " " + std::to_string(cursor.slot) + " " + cursor.key);
}

std::optional<Cursor> ParseCursor(std::string_view text) {
  const std::optional<std::string> bytes = BytesOfBase64Url(text);
  if (!bytes) return std::nullopt;
  std::string_view rest = *bytes;
  Cursor cursor;
  if (!TakeNumber(&rest, &cursor.snapshot) || !TakeNumber(&rest, &cursor.slot)) return std::nullopt;
  cursor.key = std::string(rest);
  return cursor;
}

}  // namespace trawl
