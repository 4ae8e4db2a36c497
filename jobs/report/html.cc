#include "jobs/report/html.h"

#include "formats/charts/charts.h"
#include "formats/charts/escape.h"
#include "formats/digests/digest.h"

namespace trawl {

namespace {

// What is longer is cut: a page of the web must not make the report long.
constexpr size_t kMostText = 100;
constexpr size_t kMostUrl = 100;
constexpr size_t kMostLinkBytes = 400;  // a longer URL is no link

constexpr std::string_view kStyle = R"css(
*{box-sizing:border-box}
body{margin:0 auto;max-width:76em;padding:1em;font:16px/1.5 system-ui,sans-serif;background:var(--chart-paper);color:var(--chart-ink)}
h1{font-size:1.6em;margin:.2em 0}h2{font-size:1.25em;margin:2em 0 .6em;border-bottom:1px solid var(--chart-rule)}
a{color:var(--chart-1)}a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--chart-1);outline-offset:2px}
nav ol{display:flex;flex-wrap:wrap;gap:.2em 1.2em;padding:0;margin:1em 0;list-style-position:inside}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,27em),1fr));gap:1.5em 2.5em;align-items:start}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,16em),1fr));gap:.8em 1.5em;margin:0 0 1.2em}
dt{color:var(--chart-soft);font-size:.875em}dd{margin:0;font-size:1.05em;overflow-wrap:anywhere}
.listing{overflow-x:auto;margin:0 0 1em}.listing table{border-collapse:collapse;font-size:.92em;font-variant-numeric:tabular-nums}
.listing caption{text-align:left;font-weight:bold;padding:.3em 0}
.listing th,.listing td{text-align:left;vertical-align:top;padding:.25em 1em .25em 0;border-bottom:1px solid var(--chart-rule);overflow-wrap:anywhere}
.listing .n{text-align:right;white-space:nowrap}
@media print{body{max-width:none}details{display:none}}
)css";

std::string Base64(std::string_view bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j)
      group = group << 8 | (i + j < bytes.size() ? static_cast<uint8_t>(bytes[i + j]) : 0U);
    for (size_t j = 0; j < 4; ++j) out += i + j <= bytes.size() ? kDigits[group >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

std::string CellHtml(const Cell& cell, bool is_head) {
  const bool is_link = cell.is_url && cell.text.size() <= kMostLinkBytes;
  const std::string text = is_link ? UrlHtml(cell.text, kMostUrl) : EscapeHtml(ShortText(cell.text, kMostText));
  const std::string style = cell.is_number ? " class=\"n\"" : "";
  return is_head ? "<th scope=\"row\"" + style + ">" + text + "</th>" : "<td" + style + ">" + text + "</td>";
}

}  // namespace

std::string TableHtml(const TableOf& table) {
  if (table.rows.empty()) return "";
  std::string html = "<div class=\"listing\" tabindex=\"0\" role=\"group\" aria-label=\"" + EscapeHtml(table.caption) +
                     "\"><table><caption>" + EscapeHtml(table.caption) + "</caption><thead><tr>";
  for (size_t i = 0; i < table.heads.size(); ++i) {
    const bool is_number = i < table.rows[0].size() && table.rows[0][i].is_number;
    html +=
        std::string("<th scope=\"col\"") + (is_number ? " class=\"n\">" : ">") + EscapeHtml(table.heads[i]) + "</th>";
  }
  html += "</tr></thead><tbody>";
  for (const std::vector<Cell>& row : table.rows) {
    html += "<tr>";
    for (size_t i = 0; i < row.size(); ++i) html += CellHtml(row[i], i == 0);
    html += "</tr>";
  }
  return html + "</tbody></table></div>";
}

std::string FactsHtml(const std::vector<std::pair<std::string, std::string>>& facts) {
  std::string html = "<dl>";
  for (const auto& [name, value] : facts) {
    html += "<div><dt>" + EscapeHtml(name) + "</dt><dd>" + EscapeHtml(ShortText(value, kMostText)) + "</dd></div>";
  }
  return html + "</dl>";
}

std::string NoteHtml(std::string_view text) { return "<p>" + EscapeHtml(text) + "</p>"; }

std::string GridHtml(const std::vector<std::string>& parts) {
  std::string html = "<div class=\"grid\">";
  for (const std::string& part : parts) html += part.empty() ? "" : "<div>" + part + "</div>";
  return html + "</div>";
}

std::string PageHtml(const std::string& title, const std::string& intro, const std::vector<Section>& sections) {
  const std::string style = std::string(ChartStyle()) + std::string(kStyle);
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-" +
      Base64(Sha256Of(style)) +
      "'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n<title>" +
      EscapeHtml(title) + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n<header><h1>" + EscapeHtml(title) +
      "</h1>" + intro + "</header>\n<nav aria-label=\"Contents\"><ol>";
  for (const Section& section : sections) {
    html += "<li><a href=\"#" + section.id + "\">" + EscapeHtml(section.title) + "</a></li>";
  }
  html += "</ol></nav>\n<main>\n";
  for (const Section& section : sections) {
    html +=
        "<section id=\"" + section.id + "\"><h2>" + EscapeHtml(section.title) + "</h2>" + section.html + "</section>\n";
  }
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace trawl
