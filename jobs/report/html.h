// Pieces of the report's page. Every text that comes in is escaped here. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trawl {

// A cell of a table: text, or a URL, which becomes a link.
struct Cell {
  std::string text;
  bool is_url = false;
  bool is_number = false;  // stands at the right
};

struct TableOf {
  std::string caption;
  std::vector<std::string> heads;
  std::vector<std::vector<Cell>> rows;
};

// Empty where there are no rows.
std::string TableHtml(const TableOf& table);
// Names with their values.
std::string FactsHtml(const std::vector<std::pair<std::string, std::string>>& facts);
// A paragraph.
std::string NoteHtml(std::string_view text);
// Charts beside each other, as far as there is room.
std::string GridHtml(const std::vector<std::string>& parts);

struct Section {
  std::string id;
  std::string title;
  std::string html;
};

// The whole file: a Content-Security-Policy that allows its own style alone, contents, and the sections.
std::string PageHtml(const std::string& title, const std::string& intro, const std::vector<Section>& sections);

}  // namespace trawl
