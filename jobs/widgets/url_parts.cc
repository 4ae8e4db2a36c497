#include "jobs/widgets/url_parts.h"

#include "formats/answers/base64url.h"
#include "jobs/widgets/table.h"
#include "jobs/widgets/values.h"

namespace trawl {

NoteKind KindOfState(const std::string& state) {
  if (state == "fetched" || state == "not_modified") return NoteKind::kGood;
  if (state == "unfetched" || state == "redirected" || state == "duplicate") return NoteKind::kPlain;
  return NoteKind::kWarning;
}

std::string IdOfUrlRow(const Json& row) {
  const std::string id = TextAt(row, "id");
  return id.empty() ? Base64UrlOf(TextAt(row, "key")) : id;
}

bool HasStoredBody(const Json& row) { return !TextAt(row, "segment").empty(); }

Markup OutwardLinkNamed(std::string_view url, std::string_view name) {
  if (!url.starts_with("http://") && !url.starts_with("https://")) return Text(name);
  return "<a href=\"" + Text(url) + "\" rel=\"noreferrer noopener nofollow\">" + Text(name) + "</a>";
}

Markup LinksTable(const Json& links, std::string_view id, std::string_view caption, std::string_view when_empty) {
  const Json& all = ListAt(links, "links");
  // Links to a page have all entered the crawl.
  const bool may_enter = !all.empty() && HasValue(all[0], "enters");
  std::vector<HtmlColumn> columns = {{"URL", ColumnKind::kLong}, {"Text"}, {"How"}};
  if (may_enter) columns.push_back({"Enters the crawl"});
  HtmlTable table(Text(caption), columns);
  for (const Json& link : all) {
    Markup enters = IsAt(link, "enters") ? Markup("yes") : Markup("no");
    if (!TextAt(link, "reason").empty()) enters += ": " + Foreign(TextAt(link, "reason"));
    const std::string rel = TextAt(link, "rel");
    Markup how = Foreign(TextAt(link, "how"));
    if (!rel.empty()) how += " <small>" + Foreign(rel) + "</small>";
    if (IsAt(link, "nofollow") && rel.find("nofollow") == std::string::npos) how += " <small>nofollow</small>";
    table.Add({UrlLink(TextAt(link, "url")), Foreign(TextAt(link, "text")), how, enters});
  }
  Markup body = table.Finish(id, Text(when_empty));
  if (HasValue(links, "next")) body += "<p class=\"quiet\">There are more; the API lists them all.</p>\n";
  return body;
}

}  // namespace trawl
