// /api/v1/pages: pages with a stored body, and what is stored of them.
#include <algorithm>

#include "formats/answers/schemas.h"
#include "formats/digests/digest.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/api/endpoints.h"
#include "jobs/page/page.h"
#include "jobs/page/page_json.h"
#include "jobs/segment/held_domains.h"
#include "jobs/segment/pages.h"
#include "jobs/stats/totals.h"
#include "jobs/verb/row_json.h"
#include "jobs/verb/url_arguments.h"
#include "jobs/views/failure.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

using arrow::Result;

namespace {

// segment/file#row: where the body lies.
Json StoragePath(const UrlRow& row) {
  if (!HasBody(row)) return nullptr;
  return row.body_segment + "/" + row.body_file + "#" + std::to_string(row.body_row);
}

Json PageItem(const UrlRow& row, Json title) {
  return {{"id", IdOfKey(row.key)},
          {"url", UrlOrNull(row.key)},
          {"domain", HostOfKey(row.key)},
          {"status_code", row.status == 0 ? Json() : Json(row.status)},
          {"content_type", TextOrNull(row.content_type)},
          {"content_hash", TextOrNull(ToHex(std::string_view(row.body_digest)))},
          {"content_length", row.bytes},
          {"title", std::move(title)},
          {"crawled_at", TimeJson(row.fetched_ms)},
          {"response_time_ms", row.response_ms},
          {"storage_path", StoragePath(row)},
          {"changed_at", TimeJson(row.changed_ms)},
          {"state", TextOf(row.state)}};
}

// -- the list ---------------------------------------------------------------------------------------------------------

Result<TimeMs> TimeOf(const ApiCall& call, const char* name) {
  return call.Has(name) ? ParseTimestamp(call.Text(name)) : TimeMs{0};
}

struct PagesWanted {
  std::string beginning;  // of the key: hosts below a registrable domain
  std::string type, hash;
  int64_t status = 0;
  TimeMs after_ms = 0, before_ms = 0, changed_ms = 0;

  bool Takes(const UrlRow& row) const {
    if (!HasBody(row) || !IsOfDomain(row.key)) return false;
    if (status != 0 && row.status != status) return false;
    if (!type.empty() && !row.content_type.starts_with(type)) return false;
    if (!hash.empty() && row.body_digest != hash) return false;
    if (after_ms != 0 && row.fetched_ms <= after_ms) return false;
    if (before_ms != 0 && row.fetched_ms >= before_ms) return false;
    return changed_ms == 0 || row.changed_ms > changed_ms;
  }

 private:
  bool IsOfDomain(const std::string& key) const {
    if (beginning.empty()) return true;
    return key.starts_with(beginning) && (key[beginning.size()] == ')' || key[beginning.size()] == ',');
  }
};

Result<PagesWanted> WantedOf(const ApiCall& call, ScanOptions* range) {
  PagesWanted wanted;
  if (call.Has("domain")) {
    ARROW_ASSIGN_OR_RAISE(const std::string part, HostPartOfName(call.Text("domain"), call.view->normal_form()));
    wanted.beginning = part;
    if (HoldingDomainOf(part) != part) {
      ARROW_ASSIGN_OR_RAISE(const KeyRange keys, KeyRangeOfHost(HostOfKey(part)));
      *range = RangeOfKeys(keys);
    }
  }
  if (call.Has("url_prefix")) {
    const Result<KeyRange> keys = KeysOfPrefix(call.Text("url_prefix"), call.view->normal_form());
    if (!keys.ok()) return Unknown("no URL begins with this prefix; write it like https://host/path");
    *range = RangeOfKeys(*keys);
  }
  if (call.Has("content_type")) wanted.type = call.Text("content_type");
  if (call.Has("content_hash") && !FromHex(call.Text("content_hash"), &wanted.hash)) {
    return Unknown("content_hash is the SHA-256 of a body in hexadecimal digits");
  }
  if (call.Has("status_code")) wanted.status = call.Number("status_code");
  ARROW_ASSIGN_OR_RAISE(wanted.after_ms, TimeOf(call, "crawled_after"));
  ARROW_ASSIGN_OR_RAISE(wanted.before_ms, TimeOf(call, "crawled_before"));
  ARROW_ASSIGN_OR_RAISE(wanted.changed_ms, TimeOf(call, "changed_after"));
  return wanted;
}

Result<ApiAnswer> GetPage(ApiCall& call);

Result<ApiAnswer> ListPages(ApiCall& call) {
  if (call.Has("url")) return GetPage(call);
  ScanOptions range;
  ARROW_ASSIGN_OR_RAISE(const PagesWanted wanted, WantedOf(call, &range));
  ARROW_ASSIGN_OR_RAISE(const auto table, call.view->Open<UrlRow>());
  const bool with_title = call.Has("include");
  NewestPages texts(call.view->store());
  return ListRows<UrlRow>(call, "pages", table, range, [&](const UrlRow& row) -> Result<std::optional<Json>> {
    if (!wanted.Takes(row)) return std::nullopt;
    Json title;
    if (with_title) {
      ParseRow parsed;
      ARROW_ASSIGN_OR_RAISE(const bool found, texts.Find(row, &parsed));
      if (found) title = parsed.title;
    }
    return PageItem(row, std::move(title));
  });
}

// -- one page ---------------------------------------------------------------------------------------------------------

// 404 where the crawl does not have the URL.
Result<Page> PageOfCall(const ApiCall& call, const PageParts& parts) {
  ARROW_ASSIGN_OR_RAISE(const std::string key, KeyOfCall(call));
  const PageContext context = {.store = call.view->store(),
                               .snapshot = &call.view->manifest(),
                               .options = call.view->options().texts(),
                               .now_ms = call.now_ms};
  ARROW_ASSIGN_OR_RAISE(Page page, ReadPage(context, key, parts));
  if (!page.is_known())
    return Unknown(page.url + " is not in the crawl" + (page.was_removed ? ": it was removed" : ""));
  return page;
}

Result<ApiAnswer> GetPage(ApiCall& call) {
  ARROW_ASSIGN_OR_RAISE(const Page page, PageOfCall(call, {.answer = true, .text = true}));
  const ParseRow unread;
  const ParseRow& parsed = page.parsed ? *page.parsed : unread;
  Json facts = ToJson(page);
  facts.erase("links");
  facts.erase("links_note");
  const bool with_text = call.Has("include") && call.Text("include") == "text";
  if (!with_text) facts.erase("text");
  ApiAnswer answer;
  answer.body = PageItem(*page.row, page.parsed ? Json(parsed.title) : Json());
  answer.body["headers"] = facts["headers"];
  answer.body["language"] = facts["language"];
  answer.body["charset"] = TextOrNull(parsed.charset);
  answer.body["description"] = facts["description"];
  answer.body["canonical_url"] = facts["canonical"];
  answer.body["directives"] = facts["directives"];
  answer.body["simhash"] = parsed.has_simhash ? Json(ToHex(static_cast<uint64_t>(parsed.simhash))) : Json();
  answer.body["truncated"] = facts["truncated"];
  answer.body["needs_js"] = facts["needs_js"];
  answer.body["content_digest"] = TextOrNull(ToHex(std::string_view(page.row->content_digest)));
  for (const auto& [name, value] : facts.items()) {
    if (!answer.body.contains(name)) answer.body[name] = value;
  }
  return answer;
}

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

Json PageItemSchema() {
  return ObjectSchema({{"id", TextSchema()},
                       {"url", TextOrNullSchema()},
                       {"domain", TextSchema()},
                       {"status_code", IntegerOrNullSchema()},
                       {"content_type", TextOrNullSchema()},
                       {"content_hash", TextOrNullSchema()},
                       {"content_length", IntegerSchema()},
                       {"title", TextOrNullSchema()},
                       {"crawled_at", TimeOrNullSchema()},
                       {"response_time_ms", IntegerSchema()},
                       {"storage_path", TextOrNullSchema()},
                       {"changed_at", TimeOrNullSchema()},
                       {"state", TextSchema()}});
}

Json HeadersSchema() { return ListSchema(ListSchema(TextSchema())); }

Json WholePageSchema() {
  Json schema = SchemaWith({{"headers", HeadersSchema()},
                            {"language", TextOrNullSchema()},
                            {"charset", TextOrNullSchema()},
                            {"description", TextOrNullSchema()},
                            {"canonical_url", TextOrNullSchema()},
                            {"directives", ListSchema(TextSchema())},
                            {"simhash", TextOrNullSchema()},
                            {"truncated", TextOrNullSchema()},
                            {"needs_js", FlagSchema()}},
                           PageItemSchema());
  schema["properties"]["text"] = TextOrNullSchema();
  return schema;
}

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
                                                         SchemaLike(ToJson(PastFetch()))))}});
}

Parameter TimeParameter(const char* name, const char* description) {
  return {.name = name, .schema = {{"type", "string"}, {"format", "date-time"}}, .description = description};
}

std::vector<Parameter> ListParameters() {
  return WithListParameters(
      {UrlParameter(),
       {.name = "url_prefix",
        .schema = {{"type", "string"}, {"minLength", 1}},
        .description = "Only pages whose URL begins so: https://host/path.",
        .example = "https://www.example.com/"},
       {.name = "domain",
        .schema = {{"type", "string"}, {"minLength", 1}, {"maxLength", 300}},
        .description = "Only pages of this host, or of this registrable domain with all its hosts.",
        .example = "www.example.com"},
       {.name = "status_code",
        .schema = {{"type", "integer"}, {"minimum", 100}, {"maximum", 999}},
        .description = "Only pages whose last answer had this status."},
       {.name = "content_type",
        .schema = {{"type", "string"}, {"minLength", 1}, {"maxLength", 200}},
        .description = "Only pages whose content type begins so: text/html."},
       TimeParameter("crawled_after", "Only pages that were asked for after this time."),
       TimeParameter("crawled_before", "Only pages that were asked for before this time."),
       TimeParameter("changed_after", "Only pages whose content was new after this time."),
       {.name = "content_hash",
        .schema = {{"type", "string"}, {"minLength", 1}, {"maxLength", 200}},
        .description = "Only pages with this body: its SHA-256 in hexadecimal digits."},
       {.name = "include",
        .schema = ChoiceSchema({"title", "text"}),
        .description = "`title`: with the titles, which takes longer. `text`, with `url`: the page's text."}});
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

}  // namespace

std::vector<Endpoint> PageEndpoints() {
  Endpoint page = OfPage("", "getPage", "One page: what is known of its last answer and its content", WholePageSchema(),
                         GetPage, Freshness::kTime);
  page.parameters.push_back(
      {.name = "include", .schema = ChoiceSchema({"title", "text"}), .description = "`text`: also its text."});
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
  return {{.method = "GET",
           .path = "/api/v1/pages",
           .operation = "listPages",
           .summary = "Pages with a stored body, or the one that ?url= names",
           .tag = "pages",
           .parameters = ListParameters(),
           .answer = Schema(EitherSchema({ScannedListSchema("pages", PageItemSchema()), WholePageSchema()})),
           .freshness = Freshness::kTime,
           .call = ListPages},
          std::move(page),
          std::move(content),
          std::move(text),
          std::move(history),
          std::move(links)};
}

}  // namespace trawl
