#include "jobs/list/table.h"

#include <algorithm>
#include <optional>

#include "runtime/terminal/cells.h"

namespace trawl {

namespace {

constexpr size_t kGap = 2;
// A column is not cut below this, nor below its title.
constexpr size_t kLeastWidth = 6;
// Columns that give way leave so much of the line to a last one of whole cells.
constexpr size_t kLeastWholeWidth = 24;

size_t TotalOf(const std::vector<size_t>& widths) {
  size_t total = 0;
  for (const size_t width : widths) total += width > 0 ? width + kGap : 0;
  return total > 0 ? total - kGap : 0;
}

// Cuts the widest column of that kind by one; false where none can be cut.
bool CutWidest(const std::vector<TableColumn>& table, bool gives_way, std::vector<size_t>* widths) {
  std::optional<size_t> widest;
  for (size_t i = 0; i < table.size(); ++i) {
    const size_t least = std::max(kLeastWidth, CountCells(table[i].title));
    const bool stays = table[i].is_right || table[i].is_whole;
    if (table[i].gives_way != gives_way || stays || (*widths)[i] <= least) continue;
    if (!widest || (*widths)[i] > (*widths)[*widest]) widest = i;
  }
  if (widest) --(*widths)[*widest];
  return widest.has_value();
}

}  // namespace

std::vector<size_t> TableWidths(const std::vector<TableColumn>& table,
                                const std::vector<std::vector<std::string>>& rows, size_t columns) {
  std::vector<size_t> widths;
  for (size_t i = 0; i < table.size(); ++i) {
    size_t width = std::max<size_t>(CountCells(table[i].title), 1);
    for (const auto& row : rows) width = std::max(width, CountCells(row[i]));
    // Wider than any terminal is no use, and each step below cuts one column.
    width = std::min(width, std::max<size_t>(columns, 1));
    if (table[i].is_whole) {
      const size_t least = i + 1 == table.size() ? kLeastWholeWidth : columns / 2;
      width = std::min(width, std::max(least, CountCells(table[i].title)));
    }
    widths.push_back(width);
  }
  while (TotalOf(widths) > columns && CutWidest(table, true, &widths)) {
  }
  if (TotalOf(widths) > columns && table.back().is_whole) widths.back() = CountCells(table.back().title);
  while (TotalOf(widths) > columns && CutWidest(table, false, &widths)) {
  }
  for (size_t i = widths.size(); i > 1 && TotalOf(widths) > columns; --i) {
    if (!table[i - 1].is_whole) widths[i - 1] = 0;
  }
  return widths;
}

std::string TableLine(const std::vector<TableColumn>& table, const std::vector<size_t>& widths,
                      const std::vector<std::string>& cells) {
  std::string line;
  for (size_t i = 0; i < table.size(); ++i) {
    if (widths[i] == 0) continue;
    // A number that is cut says something else, and a URL that is cut leads nowhere.
    const bool stays = table[i].is_right || table[i].is_whole;
    const std::string cell = stays ? cells[i] : CutCell(cells[i], widths[i]);
    const std::string blanks(widths[i] - std::min(widths[i], CountCells(cell)), ' ');
    if (i > 0) line.append(kGap, ' ');
    line += table[i].is_right ? blanks + cell : cell + blanks;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string TableHead(const std::vector<TableColumn>& table, const std::vector<size_t>& widths) {
  std::vector<std::string> titles;
  for (const TableColumn& column : table) titles.push_back(column.title);
  return TableLine(table, widths, titles);
}

}  // namespace trawl
