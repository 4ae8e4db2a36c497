// /api/v1/pages: pages with a stored body, and all that is known of one.
#include <algorithm>

#include "formats/answers/schemas.h"
#include "formats/digests/digest.h"
#include "formats/rows/some_columns.h"
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

// What PageItem and NewestPages read.
constexpr Columns<UrlRow> kListed = {"key",         "state",         "status",     "content_type",
                                     "body_digest", "bytes",         "fetched_ms", "changed_ms",
                                     "response_ms", "body_segment",  "body_file",  "body_row",
                                     "shares_body", "parse_segment", "parse_file", "parse_row"};

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
  const RowsWanted<UrlRow> rows = {
      .range = range,
      .looked_at = {"key", "status", "content_type", "body_digest", "fetched_ms", "changed_ms", "body_segment"},
      .shown = kListed,
      .takes = [&wanted](const UrlRow& row) { return wanted.Takes(row); }};
  return ListRows<UrlRow>(call, "pages", table, rows, [&](const UrlRow& row) -> Result<Json> {
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

Result<ApiAnswer> GetPage(ApiCall& call) {
  ARROW_ASSIGN_OR_RAISE(const Page page, PageOfCall(call, {.answer = true, .text = true}));
  const ParseRow unread;
  const ParseRow& parsed = page.parsed ? *page.parsed : unread;
  Json facts = ToJson(page);
  facts.erase("links");
  facts.erase("links_note");
  const bool with_text = call.Has("include") && call.Text("include") == "text";
  if (!with_text) {
    for (const char* name : {"text", "main_text", "markdown"}) facts.erase(name);
  }
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
  for (const char* name : {"text", "main_text", "markdown"}) schema["properties"][name] = TextOrNullSchema();
  return schema;
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

}  // namespace

std::vector<Endpoint> PageEndpoints() {
  Endpoint page = OfPage("", "getPage", "One page: what is known of its last answer and its content", WholePageSchema(),
                         GetPage, Freshness::kTime);
  page.parameters.push_back(
      {.name = "include", .schema = ChoiceSchema({"title", "text"}), .description = "`text`: also its text."});
  return {{.method = "GET",
           .path = "/api/v1/pages",
           .operation = "listPages",
           .summary = "Pages with a stored body, or the one that ?url= names",
           .tag = "pages",
           .parameters = ListParameters(),
           .answer = Schema(EitherSchema({ScannedListSchema("pages", PageItemSchema()), WholePageSchema()})),
           .freshness = Freshness::kTime,
           .call = ListPages},
          std::move(page)};
}

}  // namespace trawl
