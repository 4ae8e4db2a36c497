#include "formats/charts/drawing.h"
#include "formats/charts/escape.h"

namespace trawl {

namespace {

std::string Swatch(const std::string& content) {
  return "<svg class=\"swatch\" viewBox=\"0 0 24 12\" aria-hidden=\"true\">" + content + "</svg>";
}

std::string Caption(const ChartText& text) {
  std::string caption = "<figcaption><b>" + EscapeHtml(text.title) + "</b>";
  if (!text.description.empty()) caption += " <span>" + EscapeHtml(text.description) + "</span>";
  return caption + "</figcaption>";
}

std::string TableHtml(const ChartText& text, const ChartTable& table) {
  std::string html =
      "<details><summary>Numbers</summary><div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"" +
      EscapeHtml("Numbers: " + text.title) + "\"><table><caption>" +
      EscapeHtml(text.title + (table.note.empty() ? "" : "; " + table.note)) + "</caption><thead><tr>";
  for (const std::string& head : table.heads) html += "<th scope=\"col\">" + EscapeHtml(head) + "</th>";
  html += "</tr></thead><tbody>";
  for (const std::vector<std::string>& row : table.rows) {
    html += "<tr>";
    for (size_t i = 0; i < row.size(); ++i) {
      html += i == 0 ? "<th scope=\"row\">" + EscapeHtml(row[i]) + "</th>" : "<td>" + EscapeHtml(row[i]) + "</td>";
    }
    html += "</tr>";
  }
  return html + "</tbody></table></div></details>";
}

}  // namespace

std::string FilledSwatch(const std::string& chart_id, size_t series) {
  const std::string number = std::to_string(series % kMostSeries + 1);
  const std::string fill =
      series % kMostSeries == 0 ? "" : " fill=\"url(#" + EscapeHtml(chart_id) + "-f" + number + ")\"";
  return Swatch("<rect class=\"" + std::string(fill.empty() ? "s1" : "edge") + "\"" + fill +
                " width=\"24\" height=\"12\"/>");
}

std::string LineSwatch(size_t series) {
  const std::string dash = Drawing::Dash(series);
  return Swatch("<path class=\"l" + std::to_string(series % kMostSeries + 1) + "\"" + (dash.empty() ? "" : " " + dash) +
                " d=\"M0 6h24\"/>");
}

std::string MarkSwatch() { return Swatch("<path class=\"mark\" d=\"M0 6h24\"/>"); }

std::string CrossSwatch() { return Swatch("<path class=\"wrong\" d=\"M8 2l8 8m0-8l-8 8\"/>"); }

std::string Figure(const ChartText& text, const std::string& svg, const std::vector<LegendItem>& legend,
                   const ChartTable& table) {
  std::string html = "<figure class=\"chart\">" + Caption(text) + svg;
  if (!legend.empty()) {
    html += "<ul class=\"legend\">";
    for (const LegendItem& item : legend) html += "<li>" + item.swatch + EscapeHtml(item.text) + "</li>";
    html += "</ul>";
  }
  return html + TableHtml(text, table) + "</figure>";
}

std::string EmptyFigure(const ChartText& text) {
  return "<figure class=\"chart\">" + Caption(text) + "<p>There is nothing to show here.</p></figure>";
}

}  // namespace trawl
