// /api/v1/urls: rows of the urls table, and why they are as they are.
#include <algorithm>
#include <optional>

#include "formats/answers/schemas.h"
#include "formats/rows/url_row.h"
#include "formats/url/key.h"
#include "jobs/api/endpoints.h"
#include "jobs/policy/advice.h"
#include "jobs/read/explain.h"
#include "jobs/schemas/schemas.h"
#include "jobs/schemas/words.h"
#include "jobs/verb/row_json.h"
#include "jobs/verb/url_arguments.h"
#include "jobs/views/crawl_counts.h"
#include "jobs/views/failure.h"
#include "runtime/tables/key_lookup.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

using arrow::Result;

namespace {

Json UrlItem(const UrlRow& row) {
  Json json = {{"id", IdOfKey(row.key)}};
  json.update(UrlJson(row));
  return json;
}

Result<Json> Explained(const ApiCall& call, const std::string& key, const UrlRow* row, const std::string& url) {
  const ExplainContext explain = {.store = call.view->store(),
                                  .snapshot = &call.view->manifest(),
                                  .options = call.view->options().texts(),
                                  .now_ms = call.now_ms,
                                  .counts_before = !call.Has("rank") || call.parameters.at("rank") == true};
  ARROW_ASSIGN_OR_RAISE(auto lines, ExplainUrl(explain, key, row));
  for (Explanation& line : lines) line.text = WithRootAndUrl(line.text, "", url);
  return ToJson(lines);
}

Result<ApiAnswer> GetUrl(ApiCall& call) {
  ARROW_ASSIGN_OR_RAISE(const std::string key, KeyOfCall(call));
  ARROW_ASSIGN_OR_RAISE(const auto table, call.view->Open<UrlRow>());
  ARROW_ASSIGN_OR_RAISE(const auto share, call.surroundings.memory->Take(BytesOfLookup(*table), call.stop));
  ARROW_ASSIGN_OR_RAISE(const std::optional<UrlRow> row, FindRow<UrlRow>(*table, key));
  ARROW_ASSIGN_OR_RAISE(const std::string url, UrlOfKey(key));
  const bool is_known = row && !row->removed;
  const bool by_id = call.Has("id") && call.Text("id") != "_";
  const std::string why = row ? "removed" : "not known";
  if (!is_known && by_id)
    return Unknown(url + " is not in the crawl (" + why + "); ?url= explains what would bring it");
  ApiAnswer answer;
  if (is_known) {
    answer.body = UrlItem(*row);
  } else {
    answer.body = {{"id", IdOfKey(key)}, {"url", url}, {"key", key}, {"state", nullptr}, {"reason", why}};
  }
  answer.body["known"] = is_known;
  if (!call.Has("explain") || call.parameters.at("explain") == true) {
    ARROW_ASSIGN_OR_RAISE(answer.body["explain"], Explained(call, key, is_known ? &*row : nullptr, url));
  }
  return answer;
}

// The filters of the list.
struct UrlWanted {
  std::string state;
  int64_t status = 0;
  TimeMs due_before_ms = 0;
  std::string type;

  bool Takes(const UrlRow& row) const {
    return (state.empty() || TextOf(row.state) == state) && (status == 0 || row.status == status) &&
           (due_before_ms == 0 || row.due_ms < due_before_ms) && row.content_type.starts_with(type);
  }
};

Result<ApiAnswer> ListUrls(ApiCall& call) {
  if (call.Has("url")) return GetUrl(call);
  ScanOptions range;
  if (call.Has("prefix")) {
    const Result<KeyRange> keys = KeysOfPrefix(call.Text("prefix"), call.view->normal_form());
    if (!keys.ok()) return Unknown("no URL begins with this prefix; write it like https://host/path");
    range = RangeOfKeys(*keys);
  }
  UrlWanted wanted;
  if (call.Has("state")) wanted.state = call.Text("state");
  if (call.Has("status_code")) wanted.status = call.Number("status_code");
  if (call.Has("content_type")) wanted.type = call.Text("content_type");
  if (call.Has("due_before")) {
    ARROW_ASSIGN_OR_RAISE(wanted.due_before_ms, ParseTimestamp(call.Text("due_before")));
  }
  ARROW_ASSIGN_OR_RAISE(const auto table, call.view->Open<UrlRow>());
  const RowsWanted<UrlRow> rows = {.range = range,
                                   .looked_at = {"key", "state", "status", "due_ms", "content_type"},
                                   .takes = [&wanted](const UrlRow& row) { return wanted.Takes(row); }};
  return ListRows<UrlRow>(call, "urls", table, rows, [](const UrlRow& row) -> Result<Json> { return UrlItem(row); });
}

Result<ApiAnswer> GetPending(ApiCall& call) {
  if (!call.Has("snapshot")) {
    ARROW_ASSIGN_OR_RAISE(call.view, call.views.Prepared(call.stop));
  }
  ARROW_ASSIGN_OR_RAISE(const auto counts, CountsOf(*call.view, call.now_ms, call.stop));
  Json by_priority = Json::object();
  for (int tier = 0; tier < kTiers; ++tier) {
    by_priority[NameOf(static_cast<UrlTier>(tier))] = counts->pending_by_tier[static_cast<size_t>(tier)];
  }
  const TimeMs next_ms = counts->due.NextAfter(call.now_ms);
  ApiAnswer answer;
  answer.body = {{"pending", counts->urls.OfState(UrlState::kUnfetched)},
                 {"due", counts->due.DueAt(call.now_ms)},
                 {"hosts", counts->urls.frontier_hosts},
                 {"domains", counts->urls.frontier_domains},
                 {"by_priority", std::move(by_priority)},
                 {"next_due", TimeJson(next_ms)},
                 {"due_by_hour", {{"at", TimeJson(call.now_ms)}, {"counts", counts->due.ByHour(call.now_ms)}}},
                 {"counted_at", TimeJson(counts->at_ms)}};
  return answer;
}

Json UrlItemSchema() { return SchemaWith({{"id", TextSchema()}}, SchemaPart("url")); }

Json OneUrlSchema() {
  Json schema = ObjectSchema(
      {{"id", TextSchema()}, {"url", TextSchema()}, {"known", FlagSchema()}, {"state", TextOrNullSchema()}});
  schema["properties"]["explain"] = SchemaPart("explanations");
  return schema;
}

// A page as the list has it, for the document.
Json UrlExample() {
  constexpr TimeMs kNowMs = 1'767'268'800'000;  // 2026-01-01T12:00:00Z
  UrlRow row;
  row.key = "com,example,www)/a.html";
  row.kind = UrlKind::kPage;
  row.state = UrlState::kFetched;
  row.status = 200;
  row.outcome = Outcome::kFetched;
  row.depth = 1;
  row.score = 250'000;
  row.due_ms = kNowMs + 6 * kHourMs;
  row.interval_ms = kDayMs;
  row.discovered_ms = kNowMs - 3 * kDayMs;
  row.via = "com,example,www)/";
  row.fetched_ms = row.changed_ms = kNowMs - 18 * kHourMs;
  row.fetches = 3;
  row.response_ms = 85;
  row.content_type = "text/html; charset=utf-8";
  row.bytes = 20'480;
  row.inlinks = 4;
  return UrlItem(row);
}

Json OneUrlExample() {
  Json json = {{"snapshot", 42}};
  json.update(UrlExample());
  json["known"] = true;
  json["explain"] = ToJson(std::vector<Explanation>{
      {.about = "state", .time_ms = 1'767'204'000'000, .text = "fetched, asked 3 times, status 200"},
      {.about = "rule", .text = "fetched, unchanged (rule 4): asked again after 1 d"},
      {.about = "due", .time_ms = 1'767'290'400'000, .text = "in 6 h"},
      {.about = "scope", .text = "accepted: no check refuses it"},
      {.about = "robots", .time_ms = 1'767'265'200'000, .text = "allowed: no line is against it"}});
  return json;
}

Parameter ExplainParameter() {
  return {.name = "explain",
          .schema = {{"type", "boolean"}, {"default", true}},
          .description = "Also say why it is as it is, and when it is asked for next."};
}

Parameter RankParameter() {
  return {.name = "rank",
          .schema = {{"type", "boolean"}, {"default", true}},
          .description =
              "Count the URLs that come before a due one. False: only say that there may be some; to count them "
              "may read the whole table."};
}

}  // namespace

std::vector<Endpoint> UrlEndpoints() {
  return {
      {.method = "GET",
       .path = "/api/v1/urls/pending",
       .operation = "getPendingUrls",
       .summary = "What was never fetched, and what is due",
       .description =
           "`due` and `next_due` are right to a second in the hour after `counted_at`, and to a minute later.",
       .tag = "urls",
       .answer = Schema(ObjectSchema(
           {{"pending", IntegerSchema()},
            {"due", IntegerSchema()},
            {"hosts", IntegerSchema()},
            {"domains", IntegerSchema()},
            {"by_priority",
             ObjectSchema({{"high", IntegerSchema()}, {"medium", IntegerSchema()}, {"low", IntegerSchema()}})},
            {"next_due", TimeOrNullSchema()},
            {"due_by_hour", ObjectSchema({{"at", TimeOrNullSchema()}, {"counts", ListSchema(IntegerSchema())}})},
            {"counted_at", TimeOrNullSchema()}})),
       .answer_example = {{"snapshot", 42},
                          {"pending", 1200},
                          {"due", 300},
                          {"hosts", 7},
                          {"domains", 5},
                          {"by_priority", {{"high", 10}, {"medium", 1000}, {"low", 190}}},
                          {"next_due", "2026-01-01T12:00:01Z"},
                          {"due_by_hour", {{"at", "2026-01-01T12:00:00Z"}, {"counts", Json::array({4, 0, 9})}}},
                          {"counted_at", "2026-01-01T12:00:00Z"}},
       .freshness = Freshness::kTime,
       .call = GetPending},
      {.method = "GET",
       .path = "/api/v1/urls",
       .operation = "listUrls",
       .summary = "The URLs of the crawl, or the one that ?url= names",
       .tag = "urls",
       .parameters = WithListParameters(
           {UrlParameter(),
            ExplainParameter(),
            RankParameter(),
            {.name = "prefix",
             .schema = {{"type", "string"}, {"minLength", 1}},
             .description = "Only URLs that begin so: https://host/path.",
             .example = "https://www.example.com/"},
            {.name = "state", .schema = ChoiceSchema(WordsNamed("states")), .description = "Only URLs in this state."},
            {.name = "status_code",
             .schema = {{"type", "integer"}, {"minimum", 100}, {"maximum", 999}},
             .description = "Only URLs whose last answer had this status."},
            {.name = "content_type",
             .schema = {{"type", "string"}, {"minLength", 1}, {"maxLength", 200}},
             .description = "Only URLs whose stored type begins so: text/html.",
             .example = "text/html"},
            {.name = "due_before",
             .schema = {{"type", "string"}, {"format", "date-time"}},
             .description = "Only URLs that are due before this time."}}),
       .answer = Schema(EitherSchema({ScannedListSchema("urls", UrlItemSchema()), OneUrlSchema()})),
       .answer_example = {{"snapshot", 42},
                          {"urls", Json::array({UrlExample()})},
                          {"looked_to", "https://www.example.com/b.html"},
                          {"looked_at", 1},
                          {"next",
                           TextOf(Cursor{42, SlotOfKey("com,example,www)/b.html"), "com,example,www)/b.html"})}},
       .freshness = Freshness::kTime,
       .call = ListUrls},
      {.method = "GET",
       .path = "/api/v1/urls/{id}",
       .operation = "getUrl",
       .summary = "One URL, and why it is fetched or not",
       .tag = "urls",
       .parameters = {IdParameter(), UrlParameter(), ExplainParameter(), RankParameter()},
       .answer = Schema(OneUrlSchema()),
       .answer_example = OneUrlExample(),
       .freshness = Freshness::kTime,
       .call = GetUrl},
  };
}

}  // namespace trawl
