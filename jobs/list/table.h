// Lays out rows of cells as a table that fits a terminal. Pure; one thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace trawl {

struct TableColumn {
  std::string title;
  bool is_right = false;   // numbers stand on the right of their column
  bool gives_way = false;  // it is cut first where the table is too wide
  // Its cells are copied into other commands, so they are never cut: a long one makes its line longer than the others. A
  // URL stands in the last column for this reason.
  bool is_whole = false;
};

// The widths of the columns for these rows, `columns` in all with two spaces between them. Columns that give way are
// cut first, the widest first; then the others; last columns for which there is no place have width 0. A column of
// whole cells has at most half of the line, and in the last place what is left.
std::vector<size_t> TableWidths(const std::vector<TableColumn>& table,
                                const std::vector<std::vector<std::string>>& rows, size_t columns);

// One line of the table, without blanks at its end.
std::string TableLine(const std::vector<TableColumn>& table, const std::vector<size_t>& widths,
                      const std::vector<std::string>& cells);
std::string TableHead(const std::vector<TableColumn>& table, const std::vector<size_t>& widths);

}  // namespace trawl
