// A table of a page: with a caption, headers that say what they head, and a box of its own that scrolls where the table is
// wider than the screen. Pure.
//
//   HtmlTable table("The slowest hosts", {{"Host"}, {"Answers", ColumnKind::kNumber}});
//   table.Add({HostLink(host), {Number(answers), answers}});
//   page += table.Finish("No host has answered yet.");
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/widgets/markup.h"

namespace trawl {

// kLong holds URLs and sentences, and keeps some width.
enum class ColumnKind { kText, kNumber, kLong };

struct HtmlColumn {
  std::string_view title;
  ColumnKind kind = ColumnKind::kText;
};

// `order` is what a cell is sorted by where that is not its text.
struct HtmlCell {
  HtmlCell(const Markup& shown) : html(shown) {}  // NOLINT(google-explicit-constructor)
  template <size_t kSize>
  HtmlCell(const char (&literal)[kSize]) : html(literal) {}  // NOLINT(google-explicit-constructor)
  HtmlCell(const Markup& shown, int64_t by) : html(shown), order(std::to_string(by)) {}
  Markup html;
  std::string order;
};

class HtmlTable {
 public:
  HtmlTable(Markup caption, std::vector<HtmlColumn> columns);

  // One cell per column; the first one heads the row. `kind` marks the row, which must also say so in words.
  void Add(const std::vector<HtmlCell>& cells, NoteKind kind = NoteKind::kPlain);
  size_t rows() const { return rows_; }
  // `id` must be the only one of its page.
  Markup Finish(std::string_view id, const Markup& when_empty) const;

 private:
  Markup caption_;
  std::vector<HtmlColumn> columns_;
  Markup body_;
  size_t rows_ = 0;
};

}  // namespace trawl
