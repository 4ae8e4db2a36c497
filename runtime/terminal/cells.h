// Foreign text as a cell of a table on a terminal: one line, of a known width. Pure; any thread.
//
// runtime/terminal/text.h counts one column per code point, which is right for our own words. A title from the web may
// be Chinese (two columns per character), have marks that stand on the character before, or try to turn the line
// around.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trawl {

// The columns that a terminal uses for the text: 2 for a wide character, 0 for a mark on the one before.
size_t CountCells(std::string_view text);

// The text as one line: control characters, line breaks and tabs become spaces, runs of spaces one space. Characters
// that only direct the writing (U+202E and its like) and bytes that are not UTF-8 are left out.
std::string CellText(std::string_view text);

// Cuts what CellText made to `columns`; where something was cut, the last column is "…".
std::string CutCell(std::string_view text, size_t columns);

}  // namespace trawl
