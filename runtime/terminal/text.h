// Text laid out in columns: help, progress lines. One code point counts as one column. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trawl {

size_t CountColumns(std::string_view text);

// Returns the text at most `columns` wide, the last column "…" where something was cut. Control characters become
// spaces, so that the result is always one line.
std::string CutToColumns(std::string_view text, size_t columns);

// Makes foreign text safe for every reader and terminal: bytes that are not UTF-8 become U+FFFD; control characters but
// line feeds and tabs become spaces.
std::string Printable(std::string_view text);

// Fills `text` with spaces up to `columns`, to stand before the next column; at least one space where it is as long
// itself.
std::string PadRight(std::string_view text, size_t columns);

// Fills words into lines of at most `columns` (a longer word stands alone); each line but the first is indented by
// `indent` spaces.
std::string WrapText(std::string_view text, size_t columns, size_t indent);

}  // namespace trawl
