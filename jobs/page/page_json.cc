#include "jobs/page/page_json.h"

#include "formats/digests/digest.h"
#include "formats/http/raw_headers.h"
#include "formats/rows/directives.h"
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

Json ToJson(const LinkRow& link) {
  return {{"url", link.url.empty() ? UrlOrNull(link.to) : Json(link.url)},
          {"text", link.text},
          {"how", link.how},
          {"rel", link.rel},
          {"enters", link.enters},
          {"nofollow", link.nofollow}};
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

ListShape LinksShape() {
  return {.columns = {{.member = "url", .gives_way = true},
                      {.member = "how"},
                      {.member = "rel", .gives_way = true},
                      {.member = "enters"},
                      {.member = "text", .gives_way = true}},
          .empty = ToJson(LinkRow())};
}

ListShape HistoryShape() {
  const auto whole_seconds = [](const Json& row) {
    const std::string time = row["fetched_at"].is_string() ? row["fetched_at"].get<std::string>() : "";
    return TextOrNull(time.find('.') == std::string::npos ? time : time.substr(0, time.find('.')) + "Z");
  };
  const auto outcome = [](const Json& row) {
    const std::string text = row["outcome"].is_string() ? row["outcome"].get<std::string>() : "";
    return TextOrNull(row["reason"].is_string() ? text + ": " + row["reason"].get<std::string>() : text);
  };
  return {.columns = {{.member = "fetched_at", .kind = CellKind::kTime, .value = whole_seconds},
                      {.member = "status", .kind = CellKind::kNumber},
                      {.member = "bytes", .kind = CellKind::kBytes},
                      {.member = "segment"},
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
  json["content_type"] = TextOrNull(row.content_type);
  json["bytes"] = row.bytes;
  json["truncated"] = TextOrNull(TextOf(row.truncated));
  json["body_sha256"] = TextOrNull(ToHex(std::string_view(row.body_digest)));
  json["body_segment"] = TextOrNull(row.body_segment);
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
  json["directives"] = page.parsed ? Json(DirectivesOf(*page.parsed)) : Json::array();
  json["needs_js"] = page.parsed && page.parsed->needs_js;
  json["text"] = has_text ? Json(page.parsed->text) : Json();
  json["links"] = Json::array();
  for (const LinkRow& link : page.links) json["links"].push_back(ToJson(link));
  json["reason"] = TextOrNull(page.no_text);
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
    text += LineOf("links", ReadableCount(static_cast<int64_t>(page.links.size())));
  }
  if (page.no_text.empty()) return page.parsed ? text + "\n" + Printable(page.parsed->text) + "\n" : text;
  return text + LineOf("no text", page.no_text) + LineOf("what helps", page.advice);
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
