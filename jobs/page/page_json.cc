#include "jobs/page/page_json.h"

#include <algorithm>

#include "formats/digests/digest.h"
#include "formats/http/raw_headers.h"
#include "formats/rows/directives.h"
#include "formats/rows/link_list.h"
#include "jobs/verb/row_json.h"
#include "runtime/terminal/cells.h"
#include "runtime/terminal/text.h"
#include "runtime/terminal/timestamp.h"
#include "runtime/terminal/units.h"

namespace trawl {

namespace {

constexpr size_t kNameColumns = 16;

Json NumberOrNull(int64_t number) { return number == 0 ? Json() : Json(number); }

std::string LineOf(const std::string& name, const std::string& value) {
  const std::string cell = CellText(value);
  return cell.empty() ? "" : PadRight(name, kNameColumns) + cell + "\n";
}

// "200, fetched", "304, not_modified".
std::string AnswerText(const FetchRow& row) {
  std::string text = row.status == 0 ? "" : std::to_string(row.status) + ", ";
  text += TextOf(row.outcome);
  return row.reason.empty() ? text : text + ": " + row.reason;
}

// "12, 3 of them do not enter the crawl".
std::string LinksText(const Page& page) {
  const auto kept_out =
      std::count_if(page.links->begin(), page.links->end(), [](const PageLink& link) { return !link.reason.empty(); });
  std::string text = ReadableCount(static_cast<int64_t>(page.links->size()));
  if (kept_out > 0)
    text += ", " + ReadableCount(kept_out) + " of them " + (kept_out == 1 ? "does" : "do") + " not enter the crawl";
  return page.links_note.empty() ? text : text + "; " + page.links_note;
}

std::string HeaderLines(const std::string& raw) {
  const size_t end = raw.find('\n');
  std::string text = end == std::string::npos ? "" : CellText(raw.substr(0, end)) + "\n";
  const HeaderList headers = ParseRawHeaders(raw);
  for (const auto& [name, value] : headers.fields()) text += CellText(name) + ": " + CellText(value) + "\n";
  return text;
}

}  // namespace

Json HeadersJson(const std::string& raw) {
  Json list = Json::array();
  const HeaderList headers = ParseRawHeaders(raw);
  for (const auto& [name, value] : headers.fields()) list.push_back({std::string(name), std::string(value)});
  return list;
}

Json ToJson(const PageLink& link) {
  const LinkRow& row = link.row;
  return {{"url", row.url.empty() ? UrlOrNull(row.to) : Json(row.url)},
          {"text", row.text},
          {"how", row.how},
          {"rel", row.rel},
          {"enters", row.enters},
          {"nofollow", row.nofollow},
          {"reason", TextOrNull(link.reason)}};
}

Json ToJson(const ItemRow& row) {
  return {{"syntax", row.syntax},
          {"type", TextOrNull(row.type)},
          {"id", TextOrNull(row.id)},
          {"json", TextOrNull(row.json)},
          {"block", row.block},
          {"position", row.position},
          {"repaired", TextOrNull(row.repaired)},
          {"problem", TextOrNull(row.problem)}};
}

Json ToJson(const PastFetch& fetch) {
  const FetchRow& row = fetch.row;
  return {{"fetched_at", TimeJson(row.fetched_ms)},
          {"outcome", TextOrNull(TextOf(row.outcome))},
          {"status", NumberOrNull(row.status)},
          {"reason", TextOrNull(row.reason)},
          {"bytes", row.bytes},
          {"total_ms", row.total_ms},
          {"requests", row.requests},
          {"conditional", row.conditional},
          {"redirected_from", UrlOrNull(row.hop_of)},
          {"segment", fetch.segment},
          {"applied", fetch.is_applied}};
}

namespace {

Json InlinkJson(const ListedLink& link) {
  return {{"url", UrlOrNull(std::string(link.key))},
          {"text", std::string(link.text)},
          {"how", std::string(link.how)},
          {"nofollow", link.nofollow}};
}

}  // namespace

arrow::Result<Json> InlinksJson(const Page& page) {
  Json inlinks = Json::array();
  ARROW_RETURN_NOT_OK(ForEachListedLink(page.inlinks.list, [&inlinks](const ListedLink& link) {
    inlinks.push_back(InlinkJson(link));
    return arrow::Status::OK();
  }));
  return Json{{"url", page.url},
              {"inlinks", inlinks},
              {"count", page.inlinks.links},
              {"of_other_hosts", page.inlinks.elsewhere},
              {"graph_snapshot", page.graph_snapshot}};
}

ListShape InlinksShape() {
  return {.columns = {{.member = "url", .gives_way = true},
                      {.member = "how"},
                      {.member = "nofollow"},
                      {.member = "text", .gives_way = true}},
          .empty = InlinkJson({})};
}

ListShape LinksShape() {
  return {.columns = {{.member = "enters"},
                      {.member = "how"},
                      {.member = "rel", .gives_way = true},
                      {.member = "reason", .gives_way = true},
                      {.member = "text", .gives_way = true},
                      {.member = "url", .is_whole = true}},
          .empty = ToJson(PageLink())};
}

ListShape ItemsShape() {
  const auto what = [](const Json& row) { return row["json"].is_null() ? row["problem"] : row["json"]; };
  return {.columns = {{.member = "syntax"},
                      {.member = "type", .gives_way = true},
                      {.member = "repaired", .gives_way = true},
                      {.member = "json", .is_whole = true, .value = what}},
          .empty = ToJson(ItemRow())};
}

ListShape HistoryShape() {
  const auto outcome = [](const Json& row) {
    const std::string text = row["outcome"].is_string() ? row["outcome"].get<std::string>() : "";
    return TextOrNull(row["reason"].is_string() ? text + ": " + row["reason"].get<std::string>() : text);
  };
  return {.columns = {{.member = "fetched_at", .kind = CellKind::kTime},
                      {.member = "status", .kind = CellKind::kNumber},
                      {.member = "bytes", .kind = CellKind::kBytes},
                      {.member = "segment", .is_whole = true},
                      {.member = "outcome", .gives_way = true, .value = outcome}},
          .empty = ToJson(PastFetch())};
}

Json ToJson(const Page& page) {
  Json json = {{"url", page.url}};
  const UrlRow none;
  const UrlRow& row = page.row ? *page.row : none;
  json["state"] = page.row ? Json(TextOf(row.state)) : Json();
  json["status"] = NumberOrNull(row.status);
  json["outcome"] = TextOrNull(TextOf(row.outcome));
  json["fetched_at"] = TimeJson(row.fetched_ms);
  json["changed_at"] = TimeJson(row.changed_ms);
  json["due"] = page.row ? TimeJson(row.due_ms) : Json();
  json["redirect"] = UrlOrNull(row.redirect_to);
  json["duplicate_of"] = UrlOrNull(row.duplicate_of);
  json["near_duplicate_of"] = UrlOrNull(row.near_duplicate_of);
  json["distance"] = row.near_duplicate_of.empty() ? Json() : Json(row.distance);
  json["content_type"] = TextOrNull(row.content_type);
  json["bytes"] = row.bytes;
  json["truncated"] = TextOrNull(TextOf(row.truncated));
  json["body_sha256"] = TextOrNull(ToHex(std::string_view(row.body_digest)));
  json["body_segment"] = TextOrNull(row.body_segment);
  json["shares_body"] = row.shares_body;
  json["headers"] = page.answer ? HeadersJson(page.answer->response_headers) : Json::array();
  // Of an answer that brought no body, such as 304, the headers are not those of the text.
  json["body_headers"] = page.body_answer ? HeadersJson(page.body_answer->response_headers) : Json();
  json["body_fetched_at"] = page.body_answer ? TimeJson(page.body_answer->fetched_ms)
                            : page.parsed    ? TimeJson(page.parsed->fetched_ms)
                                             : Json();
  const bool has_text = page.parsed && page.no_text.empty();
  json["title"] = page.parsed ? Json(page.parsed->title) : Json();
  json["description"] = page.parsed ? TextOrNull(page.parsed->description) : Json();
  json["language"] = page.parsed ? TextOrNull(page.parsed->language) : Json();
  json["canonical"] = !page.parsed                         ? Json()
                      : page.parsed->canonical_url.empty() ? UrlOrNull(page.parsed->canonical_to)
                                                           : Json(page.parsed->canonical_url);
  const ParseRow unread;
  const ParseRow& parsed = page.parsed ? *page.parsed : unread;
  json["directives"] = DirectivesOf(parsed);
  json["unavailable_after"] = TimeJson(parsed.unavailable_after_ms);
  json["content_signal"] = TextOrNull(parsed.content_signal);
  json["tdm_reservation"] = TdmJson(parsed);
  json["tdm_policy"] = TextOrNull(parsed.tdm_policy);
  json["amphtml"] = TextOrNull(parsed.amphtml_url);
  json["alternates"] = AlternatesJson(parsed);
  json["signals"] = UrlJson(row)["signals"];
  json["needs_js"] = page.parsed && page.parsed->needs_js;
  json["text"] = has_text ? Json(page.parsed->text) : Json();
  json["main_text"] = page.facts ? TextOrNull(page.facts->main_text) : Json();
  json["markdown"] = page.facts ? TextOrNull(page.facts->markdown) : Json();
  json.update(FactsJson(page.facts ? &*page.facts : nullptr));
  json["links"] = Json::array();
  for (const PageLink& link : page.links.value_or(std::vector<PageLink>())) json["links"].push_back(ToJson(link));
  json["links_note"] = TextOrNull(page.links_note);
  json["reason"] = TextOrNull(page.no_text.empty() ? page.no_body : page.no_text);
  json["advice"] = TextOrNull(page.advice);
  return json;
}

std::string SummaryText(const Page& page) {
  std::string text = LineOf("url", page.url);
  if (page.row) {
    const UrlRow& row = *page.row;
    const bool is_kept_away =
        row.state == UrlState::kRefused || row.state == UrlState::kDenied || row.state == UrlState::kGone;
    text += LineOf("state", TextOf(row.state) + (is_kept_away ? ": " + ReasonOf(row) : ""));
    text += LineOf("duplicate", DuplicateText(row));
    if (page.answer) {
      text += LineOf("last answer", AnswerText(*page.answer) + ", " + FormatTimestamp(page.answer->fetched_ms));
    } else if (row.fetches > 0) {
      text += LineOf("last answer", (row.status == 0 ? "" : std::to_string(row.status) + ", ") + TextOf(row.outcome) +
                                        ", " + FormatTimestamp(row.fetched_ms) + " (its segment is gone)");
    }
    if (page.body_answer) text += LineOf("text is of", FormatTimestamp(page.body_answer->fetched_ms));
    text += LineOf("type", row.content_type);
    if (row.bytes > 0) {
      const std::string cut = TextOf(row.truncated);
      text += LineOf("size", ReadableSize(row.bytes) + (cut.empty() ? "" : ", cut (" + cut + ")"));
    }
  }
  if (page.parsed) {
    const ParseRow& parsed = *page.parsed;
    text += LineOf("title", parsed.title);
    text += LineOf("description", parsed.description);
    text += LineOf("language", parsed.language);
    std::string directives;
    for (const char* const name : DirectivesOf(parsed))
      directives += (directives.empty() ? "" : ", ") + std::string(name);
    text += LineOf("directives", directives);
    text += LineOf("content signal", parsed.content_signal);
    if (parsed.tdm_reservation == 1) text += LineOf("data mining", "reserved " + parsed.tdm_policy);
  }
  if (page.links) text += LineOf("links", LinksText(page));
  if (!page.no_text.empty()) return text + LineOf("no text", page.no_text) + LineOf("what helps", page.advice);
  if (!page.no_body.empty()) text += LineOf("no body", page.no_body + "; " + page.advice);
  return page.parsed ? text + "\n" + page.parsed->text + "\n" : text;
}

std::string HeadersText(const Page& page) {
  if (!page.answer && !page.body_answer) return "";
  std::string text;
  const auto add = [&](const FetchRow& row, const std::string& what) {
    text += (text.empty() ? "" : "\n") + what + ", " + FormatTimestamp(row.fetched_ms) + "\n" +
            HeaderLines(row.response_headers);
  };
  if (!page.body_answer) return HeaderLines(page.answer->response_headers);
  if (page.answer) add(*page.answer, "the last answer");
  add(*page.body_answer, "the answer with the stored body");
  return text;
}

}  // namespace trawl
