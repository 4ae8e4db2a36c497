// Text that is laid out in columns: help, progress lines. One code point counts as one column. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trawl {

size_t CountColumns(std::string_view text);

// At most `columns` wide, the last of them "…" where something was cut. Control characters become spaces, so that it
// stays one line whatever is in it.
std::string CutToColumns(std::string_view text, size_t columns);

// The text as every reader and terminal takes it, whatever others wrote into it: what is not UTF-8 becomes U+FFFD,
// control characters but line feeds and tabs become spaces.
std::string Printable(std::string_view text);

// What stands before the next column: `text` and spaces, `columns` wide, at least one space where it is as long itself.
std::string PadRight(std::string_view text, size_t columns);

// Words filled into lines of at most `columns` (a longer word stands alone), each but the first indented by `indent`
// spaces.
std::string WrapText(std::string_view text, size_t columns, size_t indent);

}  // namespace trawl
