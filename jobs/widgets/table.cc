#include "jobs/widgets/table.h"

#include <utility>

namespace trawl {

namespace {

Markup ClassOf(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kNumber:
      return " class=\"number\"";
    case ColumnKind::kLong:
      return " class=\"long\"";
    case ColumnKind::kText:
      break;
  }
  return {};
}

}  // namespace

HtmlTable::HtmlTable(Markup caption, std::vector<HtmlColumn> columns)
    : caption_(std::move(caption)), columns_(std::move(columns)) {}

void HtmlTable::Add(const std::vector<HtmlCell>& cells, NoteKind kind) {
  ++rows_;
  body_ += kind == NoteKind::kBad       ? Markup("<tr class=\"bad\">")
           : kind == NoteKind::kWarning ? Markup("<tr class=\"warning\">")
                                        : Markup("<tr>");
  for (size_t i = 0; i < cells.size() && i < columns_.size(); ++i) {
    body_ += i == 0 ? Markup("<th scope=\"row\"") : Markup("<td");
    body_ += ClassOf(columns_[i].kind);
    if (!cells[i].order.empty()) body_ += " data-order=\"" + Text(cells[i].order) + "\"";
    body_ += ">" + cells[i].html + (i == 0 ? Markup("</th>") : Markup("</td>"));
  }
  body_ += "</tr>\n";
}

Markup HtmlTable::Finish(std::string_view id, const Markup& when_empty) const {
  if (rows_ == 0) return "<p class=\"quiet\">" + when_empty + "</p>\n";
  Markup head;
  for (const HtmlColumn& column : columns_) {
    head += "<th scope=\"col\"" + ClassOf(column.kind) + ">" + Text(column.title) + "</th>";
  }
  // The box can be reached by Tab, or nobody could scroll it without a mouse.
  return "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-labelledby=\"" + Text(id) +
         "\">\n<table>\n<caption id=\"" + Text(id) + "\">" + caption_ + "</caption>\n<thead><tr>" + head +
         "</tr></thead>\n<tbody>\n" + body_ + "</tbody>\n</table>\n</div>\n";
}

}  // namespace trawl
