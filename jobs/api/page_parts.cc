// What is stored of one page: its bytes, its text, its fetches, its links.
#include <algorithm>

#include "formats/answers/schemas.h"
#include "formats/digests/digest.h"
#include "formats/url/key.h"
#include "jobs/api/endpoints.h"
#include "jobs/page/page_json.h"
#include "jobs/schemas/schemas.h"
#include "jobs/verb/row_json.h"
#include "jobs/views/failure.h"

namespace trawl {

using arrow::Result;

Result<Page> PageOfCall(const ApiCall& call, const PageParts& parts) {
  ARROW_ASSIGN_OR_RAISE(const std::string key, KeyOfCall(call));
  const PageContext context = {.store = call.view->store(),
                               .snapshot = &call.view->manifest(),
                               .options = call.view->options().texts(),
                               .now_ms = call.now_ms};
  ARROW_ASSIGN_OR_RAISE(const auto table, call.view->Open<UrlRow>());
  ARROW_ASSIGN_OR_RAISE(const auto share, call.surroundings.memory->Take(BytesOfLookup(*table), call.stop));
  ARROW_ASSIGN_OR_RAISE(Page page, ReadPage(context, key, parts));
  if (!page.is_known())
    return Unknown(page.url + " is not in the crawl" + (page.was_removed ? ": it was removed" : ""));
  return page;
}

Endpoint OfPage(const char* part, const char* operation, const char* summary, Json schema,
                Result<ApiAnswer> (*call)(ApiCall&), Freshness freshness) {
  return {.method = "GET",
          .path = std::string("/api/v1/pages/{id}") + part,
          .operation = operation,
          .summary = summary,
          .tag = "pages",
          .parameters = {IdParameter(), UrlParameter()},
          .answer = Schema(std::move(schema)),
          .freshness = freshness,
          .call = call};
}

Json HeadersSchema() { return ListSchema(ListSchema(TextSchema())); }

namespace {

// Why there is nothing to send, as a problem.
arrow::Status NothingThere(const Page& page, const std::string& why) {
  return Unknown(page.url + ": " + why + (page.advice.empty() ? "" : "; " + page.advice));
}

Result<ApiAnswer> GetContent(ApiCall& call) {
  ARROW_ASSIGN_OR_RAISE(Page page, PageOfCall(call, {.body = true}));
  if (!page.body) return NothingThere(page, page.no_body);
  ApiAnswer answer;
  answer.raw = RawBody{.bytes = std::move(page.body->body),
                       .content_type = "application/octet-stream",
                       .file_name = "page-" + ToHex(Hash64(page.key)) + ".bin"};
  return answer;
}

Result<ApiAnswer> GetText(ApiCall& call) {
  ARROW_ASSIGN_OR_RAISE(Page page, PageOfCall(call, {.text = true}));
  if (!page.parsed || !page.no_text.empty()) return NothingThere(page, page.no_text);
  ApiAnswer answer;
  answer.raw = RawBody{.bytes = std::move(page.parsed->text),
                       .content_type = "text/plain; charset=utf-8",
                       .file_name = "page-" + ToHex(Hash64(page.key)) + ".txt"};
  return answer;
}

Result<ApiAnswer> GetHistory(ApiCall& call) {
  constexpr size_t kMostWhole = 20;
  ARROW_ASSIGN_OR_RAISE(const Page page, PageOfCall(call, {.history = true}));
  Json history = Json::array();
  for (size_t i = 0; i < std::min(page.history.size(), static_cast<size_t>(call.Number("limit"))); ++i) {
    Json fetch = ToJson(page.history[i]);
    fetch["request_headers"] = nullptr;
    fetch["headers"] = nullptr;
    // Headers lie in rows of their own width: only those of the newest are read.
    if (i < kMostWhole) {
      ARROW_ASSIGN_OR_RAISE(const FetchRow whole, ReadWholeFetch(call.view->store(), page.history[i]));
      fetch["request_headers"] = HeadersJson(whole.request_headers);
      fetch["headers"] = HeadersJson(whole.response_headers);
      fetch["dns_ms"] = whole.dns_ms;
      fetch["connect_ms"] = whole.connect_ms;
      fetch["tls_ms"] = whole.tls_ms;
      fetch["first_byte_ms"] = whole.first_byte_ms;
      fetch["address"] = TextOrNull(whole.address);
      fetch["robots_line"] = whole.robots_line;
      fetch["robots_rule"] = TextOrNull(whole.robots_rule);
    }
    history.push_back(std::move(fetch));
  }
  ApiAnswer answer;
  answer.body = {{"id", IdOfKey(page.key)}, {"url", page.url}, {"history", std::move(history)}};
  return answer;
}

// -- links ------------------------------------------------------------------------------------------------------------

Json WithId(Json link) {
  Json id;
  const Result<std::string> key = link["url"].is_string() ? KeyOfUrl(link["url"].get<std::string>()) : std::string();
  if (key.ok() && !key->empty()) id = IdOfKey(*key);
  Json json = {{"id", std::move(id)}};
  json.update(link);
  return json;
}

// A page of a list that is in memory. A cursor's slot is the number of the first link.
Result<ApiAnswer> PageOfLinks(const ApiCall& call, const Page& page, const Json& links) {
  size_t at = 0;
  if (call.Has("cursor")) {
    const std::optional<Cursor> cursor = ParseCursor(call.Text("cursor"));
    if (!cursor || cursor->key != page.key || cursor->slot > links.size())
      return Unknown("this cursor is none of this list");
    at = cursor->slot;
  }
  const size_t end = std::min(links.size(), at + static_cast<size_t>(call.Number("limit")));
  ApiAnswer answer;
  answer.body = {{"links", Json::array()}, {"url", page.url}};
  for (; at < end; ++at) answer.body["links"].push_back(WithId(links[at]));
  if (end < links.size()) answer.next = TextOf(Cursor{call.view->number(), static_cast<uint32_t>(end), page.key});
  return answer;
}

Result<ApiAnswer> GetLinks(ApiCall& call) {
  const bool is_in = call.Has("direction") && call.Text("direction") == "in";
  ARROW_ASSIGN_OR_RAISE(const Page page, PageOfCall(call, {.links = !is_in, .inlinks = is_in}));
  Json links = Json::array();
  Json more = Json::object();
  if (is_in) {
    ARROW_ASSIGN_OR_RAISE(Json inlinks, InlinksJson(page));
    links = inlinks["inlinks"];
    more = {{"count", inlinks["count"]},
            {"of_other_hosts", inlinks["of_other_hosts"]},
            {"graph_snapshot", inlinks["graph_snapshot"]},
            {"note", page.graph_snapshot < 0 ? Json("the crawl has no graph yet; trawl graph makes it") : Json()}};
  } else {
    for (const PageLink& link : page.links.value_or(std::vector<PageLink>())) links.push_back(ToJson(link));
    more["note"] = TextOrNull(page.links_note.empty() ? page.no_body : page.links_note);
  }
  ARROW_ASSIGN_OR_RAISE(ApiAnswer answer, PageOfLinks(call, page, links));
  answer.body.update(more);
  return answer;
}

// -- schemas ----------------------------------------------------------------------------------------------------------

Json LinksSchema() {
  Json link = ObjectSchema({{"id", TextOrNullSchema()},
                            {"url", TextOrNullSchema()},
                            {"how", TextSchema()},
                            {"text", TextSchema()},
                            {"nofollow", FlagSchema()}});
  link["properties"]["rel"] = TextSchema();
  link["properties"]["enters"] = FlagSchema();
  Json schema = PageOfListSchema("links", std::move(link));
  schema["properties"]["url"] = TextSchema();
  schema["properties"]["note"] = TextOrNullSchema();
  return schema;
}

Json HistorySchema() {
  return ObjectSchema({{"id", TextSchema()},
                       {"url", TextSchema()},
                       {"history", ListSchema(SchemaWith({{"request_headers", OrNull(HeadersSchema())},
                                                          {"headers", OrNull(HeadersSchema())}},
                                                         SchemaPart("past-fetch")))}});
}

}  // namespace

std::vector<Endpoint> PagePartEndpoints() {
  Endpoint content = OfPage("/content", "getPageContent", "The bytes of the stored body, as an attachment",
                            TextSchema(), GetContent, Freshness::kSnapshot);
  content.content_type = "application/octet-stream";
  Endpoint text = OfPage("/text", "getPageText", "The text of the page, as an attachment", TextSchema(), GetText,
                         Freshness::kSnapshot);
  text.content_type = "text/plain; charset=utf-8";
  Endpoint history = OfPage("/history", "getPageHistory", "Every fetch that is still stored, newest first",
                            HistorySchema(), GetHistory, Freshness::kTime);
  history.parameters.push_back({.name = "limit",
                                .schema = {{"type", "integer"}, {"minimum", 1}, {"maximum", 1000}, {"default", 100}},
                                .description = "At most so many."});
  Endpoint links = OfPage("/links", "listPageLinks", "The links of the page, or those to it", LinksSchema(), GetLinks,
                          Freshness::kSnapshot);
  links.parameters.push_back({.name = "direction",
                              .schema = ChoiceSchema({"out", "in"}),
                              .description = "`in`: links to the page, as trawl graph found them."});
  links.parameters = WithListParameters(std::move(links.parameters));
  return {std::move(content), std::move(text), std::move(history), std::move(links)};
}

}  // namespace trawl
