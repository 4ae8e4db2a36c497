// /api/v1/domains and /hosts: hosts, registrable domains, and the operator's word on them.
#include <algorithm>

#include "formats/answers/schemas.h"
#include "formats/rows/host_row.h"
#include "formats/rows/some_columns.h"
#include "formats/url/key.h"
#include "jobs/api/endpoints.h"
#include "jobs/api/host_item.h"
#include "jobs/export/host_walk.h"
#include "jobs/schemas/schemas.h"
#include "jobs/segment/held_domains.h"
#include "jobs/segment/past_fetches.h"
#include "jobs/segment/tightest_pauses.h"
#include "jobs/sitemaps/known_sitemaps.h"
#include "jobs/sites/parameters.h"
#include "jobs/sites/patterns.h"
#include "jobs/verb/row_json.h"
#include "jobs/views/crawl_counts.h"
#include "jobs/views/failure.h"
#include "jobs/writes/write_jobs.h"
#include "runtime/tables/key_lookup.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// -- lists ------------------------------------------------------------------------------------------------------------

Result<ApiAnswer> ListTop(ApiCall& call) {
  if (!call.Has("snapshot")) {
    ARROW_ASSIGN_OR_RAISE(call.view, call.views.Prepared(call.stop));
  }
  const auto named = std::find(kHostTopNames.begin(), kHostTopNames.end(), call.Text("top"));
  ARROW_ASSIGN_OR_RAISE(const auto counts, CountsOf(*call.view, call.now_ms, call.stop));
  const auto& rows = counts->tops[static_cast<size_t>(named - kHostTopNames.begin())];
  ApiAnswer answer;
  answer.body["domains"] = Json::array();
  for (size_t i = 0; i < std::min(rows.size(), static_cast<size_t>(call.Number("limit"))); ++i) {
    const auto held = counts->held_tops.find(rows[i].key);
    const bool is_held = held != counts->held_tops.end() && held->second.until_ms > call.now_ms;
    const std::optional<HostHold> hold = is_held ? std::optional(held->second) : std::nullopt;
    answer.body["domains"].push_back(HostItem(rows[i], hold, call.now_ms));
  }
  answer.body["counted_at"] = TimeJson(counts->at_ms);
  return answer;
}

struct HostsWanted {
  std::string prefix, hold;
  std::optional<bool> is_blocked;
  std::optional<HoldWalk> walk;  // where rows of hosts do not have the wanted hold
  Status failure;

  explicit HostsWanted(const ApiCall& call) {
    if (call.Has("prefix")) prefix = call.Text("prefix");
    if (call.Has("hold")) hold = call.Text("hold");
    if (call.Has("blocked")) is_blocked = call.parameters.at("blocked").get<bool>();
  }
  // Before Takes.
  Status Open(const ApiCall& call) {
    const bool is_beside_row =
        std::find(std::begin(kMoreHoldKinds), std::end(kMoreHoldKinds), hold) != std::end(kMoreHoldKinds);
    if (!is_beside_row) return Status::OK();
    ARROW_ASSIGN_OR_RAISE(HoldWalk opened, HoldWalk::Open(*call.view, ScanOptions().slots, call.now_ms));
    walk.emplace(std::move(opened));
    return Status::OK();
  }
  // After a failure nothing is taken any more. REQUIRES: hosts come in the order of their table.
  bool Takes(const HostRow& row, TimeMs now_ms) {
    if (is_blocked && *is_blocked != (row.blocked || row.domain.blocked)) return false;
    if (walk) {
      if (!failure.ok()) return false;
      const Result<std::optional<HostHold>> found = walk->Find(row);
      failure = found.status();
      if (!found.ok() || !*found || (*found)->kind != hold) return false;
    } else if (!hold.empty() && !HasHold(row, hold, now_ms)) {
      return false;
    }
    return prefix.empty() || HostOfKey(row.key).starts_with(prefix);
  }
};

// What HostsWanted reads.
constexpr Columns<HostRow> kLookedAt = {"key",
                                        "blocked",
                                        "breaker",
                                        "breaker_until_ms",
                                        "not_before_ms",
                                        "slow_until_ms",
                                        "suspected_trap",
                                        "trap_cleared",
                                        "domain_blocked",
                                        "day_start_ms",
                                        "pages_today",
                                        "pages",
                                        "operator_pages_a_day",
                                        "operator_pages"};

// Hosts with a row of their own. Their table is small beside that of the URLs, so a rare prefix is found soon.
Result<ApiAnswer> ListAsked(ApiCall& call) {
  ARROW_ASSIGN_OR_RAISE(const auto hosts, call.view->Open<HostRow>());
  HostsWanted wanted(call);
  ARROW_RETURN_NOT_OK(wanted.Open(call));
  ARROW_ASSIGN_OR_RAISE(const int64_t beside, HoldWalk::BytesToRead(*call.view));
  const RowsWanted<HostRow> rows_wanted = {.looked_at = kLookedAt,
                                           .takes = [&](const HostRow& row) { return wanted.Takes(row, call.now_ms); }};
  ARROW_ASSIGN_OR_RAISE(const auto share,
                        call.surroundings.memory->Take(BytesOfList(*hosts, rows_wanted) + beside, call.stop));
  ARROW_ASSIGN_OR_RAISE(const FoundKeys found, FindKeys(call, hosts, rows_wanted));
  ARROW_RETURN_NOT_OK(wanted.failure);
  ARROW_ASSIGN_OR_RAISE(const auto rows, FetchRows<HostRow>(hosts, found.keys, {}, call.stop));
  ApiAnswer answer;
  answer.body["domains"] = Json::array();
  ARROW_ASSIGN_OR_RAISE(HoldWalk holds, HoldWalk::Open(*call.view, ScanOptions().slots, call.now_ms));
  for (const std::optional<HostRow>& row : rows) {
    if (!row) continue;
    ARROW_ASSIGN_OR_RAISE(const std::optional<HostHold> held, holds.Find(*row));
    answer.body["domains"].push_back(HostItem(*row, held, call.now_ms));
  }
  if (!found.next.empty()) answer.next = TextOf(Cursor{call.view->number(), SlotOfKey(found.next), found.next});
  return answer;
}

struct WalkedHosts {
  std::vector<std::string> keys;
  std::vector<bool> have_urls;
  std::string next;  // the key of the next page's first host; empty at the end
};

// From the cursor on, at most `limit` of them.
Result<WalkedHosts> WalkHosts(const ApiCall& call, const std::shared_ptr<const Table>& urls,
                              const std::shared_ptr<const Table>& hosts) {
  ARROW_ASSIGN_OR_RAISE(const ScanOptions range, RangeFromCursor(call, {}));
  ARROW_ASSIGN_OR_RAISE(HostWalk walk, HostWalk::OpenColumns(urls, hosts, range, kLookedAt.Flags()));
  HostsWanted wanted(call);
  ARROW_RETURN_NOT_OK(wanted.Open(call));
  const auto limit = static_cast<size_t>(call.Number("limit"));
  // A host may have many URLs, which the walk passes: each counts as many rows.
  constexpr int64_t kRowsOfHost = 20;
  ScanBudget budget(call);
  WalkedHosts walked;
  HostRow row;
  bool has_urls = false;
  while (true) {
    ARROW_RETURN_NOT_OK(call.stop.Check());
    ARROW_ASSIGN_OR_RAISE(const bool more, walk.Next(&row, &has_urls));
    ARROW_RETURN_NOT_OK(wanted.failure);
    if (!more) return walked;
    if (walked.keys.size() == limit || budget.IsUsedUp(kRowsOfHost)) {
      walked.next = row.key;
      return walked;
    }
    if (!wanted.Takes(row, call.now_ms)) continue;
    walked.keys.push_back(row.key);
    walked.have_urls.push_back(has_urls);
  }
}

// Every host that has URLs or a row. A cursor names the next host.
Result<ApiAnswer> ListDomains(ApiCall& call) {
  if (call.Has("top")) return ListTop(call);
  if (call.Has("asked") && call.parameters.at("asked") == true) return ListAsked(call);
  ARROW_ASSIGN_OR_RAISE(const auto urls, call.view->Open<UrlRow>());
  ARROW_ASSIGN_OR_RAISE(const auto hosts, call.view->Open<HostRow>());
  ARROW_ASSIGN_OR_RAISE(const int64_t beside, HoldWalk::BytesToRead(*call.view));
  const int64_t bytes = BytesOfScan(*hosts, kLookedAt.Flags()) + BytesOfScan(*urls, Columns<UrlRow>({"key"}).Flags());
  ARROW_ASSIGN_OR_RAISE(const auto share,
                        call.surroundings.memory->Take(std::max(bytes, BytesOfLookup(*hosts)) + beside, call.stop));
  ARROW_ASSIGN_OR_RAISE(const WalkedHosts walked, WalkHosts(call, urls, hosts));
  ARROW_ASSIGN_OR_RAISE(const auto rows, FetchRows<HostRow>(hosts, walked.keys, {}, call.stop));
  ApiAnswer answer;
  answer.body["domains"] = Json::array();
  ARROW_ASSIGN_OR_RAISE(HoldWalk holds, HoldWalk::Open(*call.view, ScanOptions().slots, call.now_ms));
  for (size_t i = 0; i < rows.size(); ++i) {
    HostRow unknown;
    unknown.key = walked.keys[i];
    const HostRow& row = rows[i] && !rows[i]->removed ? *rows[i] : unknown;
    // A row may tell of a registrable domain alone.
    if (!walked.have_urls[i] && !TellsOfHost(row)) continue;
    ARROW_ASSIGN_OR_RAISE(const std::optional<HostHold> held, holds.Find(row));
    answer.body["domains"].push_back(HostItem(row, held, call.now_ms));
  }
  if (!walked.next.empty()) answer.next = TextOf(Cursor{call.view->number(), SlotOfKey(walked.next), walked.next});
  return answer;
}

// -- one host ---------------------------------------------------------------------------------------------------------

Result<ApiAnswer> GetDomain(ApiCall& call) {
  ApiAnswer answer;
  ARROW_ASSIGN_OR_RAISE(answer.body, WholeHost(call, call.Text("domain")));
  return answer;
}

// The host part of the path's name. 404 where the crawl knows nothing of that host.
Result<std::string> PartOfCall(const ApiCall& call) {
  return HostPartOfName(call.Text("domain"), call.view->normal_form());
}

Result<ApiAnswer> GetPatterns(ApiCall& call) {
  ARROW_ASSIGN_OR_RAISE(const std::string part, PartOfCall(call));
  ApiAnswer answer;
  ARROW_ASSIGN_OR_RAISE(answer.body, HostPatternsJson(call.view->store(), call.view->manifest(), part));
  return answer;
}

Result<ApiAnswer> GetSuggestions(ApiCall& call) {
  ARROW_ASSIGN_OR_RAISE(const std::string part, PartOfCall(call));
  ApiAnswer answer;
  ARROW_ASSIGN_OR_RAISE(answer.body,
                        SuggestionsJson(call.view->store(), call.view->manifest(), HostOfKey(part), call.stop));
  return answer;
}

Result<ApiAnswer> GetSitemaps(ApiCall& call) {
  constexpr size_t kMostSitemaps = 1000;
  ARROW_ASSIGN_OR_RAISE(const std::string part, PartOfCall(call));
  ApiAnswer answer;
  Json sitemaps = Json::array();
  bool is_cut = false;
  ARROW_RETURN_NOT_OK(ForEachSitemap(call.view->store(), call.view->manifest(), part, call.stop, [&](const Json& row) {
    is_cut = sitemaps.size() == kMostSitemaps;
    if (!is_cut) sitemaps.push_back(row);
    return Status::OK();
  }));
  answer.body = {{"host", HostOfKey(part)}, {"sitemaps", std::move(sitemaps)}, {"is_cut", is_cut}};
  return answer;
}

// The last requests, each with the pause before it: from the end of the answer before to its own beginning.
Result<ApiAnswer> GetRequests(ApiCall& call) {
  constexpr size_t kMostSegments = 50;
  ARROW_ASSIGN_OR_RAISE(const std::string part, PartOfCall(call));
  ARROW_ASSIGN_OR_RAISE(const auto hosts, call.view->Open<HostRow>());
  ARROW_ASSIGN_OR_RAISE(const auto host, FindRow<HostRow>(*hosts, part));
  const auto limit = static_cast<size_t>(call.Number("limit"));
  ARROW_ASSIGN_OR_RAISE(const auto fetches,
                        ReadHostFetches(call.view->store(), call.view->manifest(), part, kMostSegments, limit + 1));
  ARROW_ASSIGN_OR_RAISE(const auto pauses, TightestPausesOf(call.view->store(), HostOfKey(part), fetches));
  Json requests = Json::array();
  for (size_t i = 0; i < std::min(limit, fetches.size()); ++i) {
    const FetchRow& row = fetches[i].row;
    std::optional<int64_t> gap_ms;
    if (i + 1 < fetches.size()) {
      gap_ms = std::max<int64_t>(row.fetched_ms - row.total_ms - fetches[i + 1].row.fetched_ms, 0);
    }
    const bool is_last = host && host->delay_ms > 0 && host->answered_ms == row.fetched_ms;
    const std::optional<int64_t> delay_ms =
        DelayBefore(gap_ms, pauses[i], is_last ? std::optional<int64_t>(host->delay_ms) : std::nullopt);
    requests.push_back({{"at", TimeJson(row.fetched_ms)},
                        {"id", IdOfKey(row.key)},
                        {"url", UrlOrNull(row.key)},
                        {"outcome", TextOrNull(TextOf(row.outcome))},
                        {"reason", TextOrNull(row.reason)},
                        {"status", row.status},
                        {"bytes", row.bytes},
                        {"total_ms", row.total_ms},
                        {"gap_ms", gap_ms ? Json(*gap_ms) : Json()},
                        {"delay_ms", delay_ms ? Json(*delay_ms) : Json()},
                        {"robots_line", row.robots_line},
                        {"segment", fetches[i].segment}});
  }
  ApiAnswer answer;
  answer.body = {{"host", HostOfKey(part)}, {"requests", std::move(requests)}};
  return answer;
}

Result<ApiAnswer> GetPolicy(ApiCall& call) {
  ARROW_ASSIGN_OR_RAISE(const std::string part, HostPartOfName(call.Text("host"), call.view->normal_form()));
  ARROW_ASSIGN_OR_RAISE(const auto hosts, call.view->Open<HostRow>());
  ARROW_ASSIGN_OR_RAISE(const auto row, FindRow<HostRow>(*hosts, part));
  ApiAnswer answer;
  answer.body = {{"host", HostOfKey(part)}};
  answer.body.update(PolicyJson(row && !row->removed ? *row : HostRow(), false));
  return answer;
}

// -- schemas ----------------------------------------------------------------------------------------------------------

Json HoldSchema() {
  return OrNull(ObjectSchema({{"kind", TextSchema()}, {"until", TimeOrNullSchema()}, {"text", TextSchema()}}));
}

Json HostItemSchema() {
  return SchemaWith({{"domain", TextSchema()},
                     {"crawl_delay", IntegerSchema()},
                     {"last_crawl_at", TimeOrNullSchema()},
                     {"total_pages", IntegerSchema()},
                     {"avg_page_size", IntegerSchema()},
                     {"is_blocked", FlagSchema()},
                     {"avg_response_ms", IntegerSchema()},
                     {"pages_crawled", IntegerSchema()},
                     {"created_at", TimeOrNullSchema()},
                     {"hold", HoldSchema()},
                     {"addresses", ListSchema(TextSchema())}},
                    SchemaPart("host"));
}

Json WholeHostSchema() {
  return SchemaWith(
      {{"robots_txt", TextOrNullSchema()},
       {"robots_fetched_at", TimeOrNullSchema()},
       {"robots_history", ListSchema(TextSchema())},
       {"robots", ListSchema(Json{{"type", "object"}})},
       {"asked_as", ObjectSchema({{"agent", TextSchema()}, {"user_agent", TextSchema()}, {"contact", TextSchema()}})},
       {"delay", ObjectSchema({{"ms", IntegerSchema()}, {"from", TextSchema()}, {"text", TextSchema()}})},
       {"retry_after", TimeOrNullSchema()},
       {"states", CountsSchema()},
       {"denied_by",
        ListSchema(ObjectSchema({{"text", TextSchema()}, {"line", IntegerSchema()}, {"count", IntegerSchema()}}))},
       {"states_are_cut", FlagSchema()},
       {"mirrors", ListSchema(ObjectSchema({{"kind", TextSchema()}, {"text", TextSchema()}}))}},
      HostItemSchema());
}

Json RequestSchema() {
  return ObjectSchema({{"at", TimeOrNullSchema()},
                       {"id", TextSchema()},
                       {"url", TextOrNullSchema()},
                       {"outcome", TextOrNullSchema()},
                       {"reason", TextOrNullSchema()},
                       {"status", IntegerSchema()},
                       {"bytes", IntegerSchema()},
                       {"total_ms", IntegerSchema()},
                       {"gap_ms", IntegerOrNullSchema()},
                       {"delay_ms", IntegerOrNullSchema()},
                       {"robots_line", IntegerSchema()},
                       {"segment", TextSchema()}});
}

Parameter NameParameter(const char* name) {
  return {.name = name,
          .place = ParameterPlace::kPath,
          .schema = {{"type", "string"}, {"minLength", 1}, {"maxLength", 300}},
          .description = "The name of a host, or of a registrable domain.",
          .example = "www.example.com"};
}

Endpoint OfDomain(const char* path, const char* operation, const char* summary, Json schema,
                  Result<ApiAnswer> (*call)(ApiCall&), Freshness freshness = Freshness::kSnapshot) {
  return {.method = "GET",
          .path = path,
          .operation = operation,
          .summary = summary,
          .tag = "domains",
          .parameters = {NameParameter("domain")},
          .answer = Schema(std::move(schema)),
          .freshness = freshness,
          .call = call};
}

Endpoint HostEndpoint() {
  Endpoint endpoint =
      OfDomain("/api/v1/domains/{domain}", "getDomain", "A host, or a registrable domain with its hosts",
               WholeHostSchema(), GetDomain, Freshness::kTime);
  endpoint.answer_example = {{"snapshot", 42}};
  endpoint.answer_example.update(WholeHostExample());
  return endpoint;
}

Endpoint RequestsEndpoint() {
  Endpoint endpoint = OfDomain("/api/v1/domains/{domain}/requests", "listDomainRequests",
                               "The last requests to a host, newest first, with the pause before each",
                               ObjectSchema({{"host", TextSchema()}, {"requests", ListSchema(RequestSchema())}}),
                               GetRequests, Freshness::kTime);
  endpoint.parameters.push_back({.name = "limit",
                                 .schema = {{"type", "integer"}, {"minimum", 1}, {"maximum", 1000}, {"default", 50}},
                                 .description = "At most so many."});
  return endpoint;
}

std::vector<std::string> AllHoldKinds() {
  std::vector<std::string> kinds(std::begin(kHostHoldKinds), std::end(kHostHoldKinds));
  kinds.insert(kinds.end(), std::begin(kMoreHoldKinds), std::end(kMoreHoldKinds));
  return kinds;
}

}  // namespace

std::vector<Endpoint> DomainEndpoints() {
  return {
      {.method = "GET",
       .path = "/api/v1/domains",
       .operation = "listDomains",
       .summary = "The hosts of the crawl",
       .description = "In the order of the table, or with `top` the first of one kind, as they were when the snapshot "
                      "was counted.",
       .tag = "domains",
       .parameters = WithListParameters(
           {{.name = "prefix",
             .schema = {{"type", "string"}, {"maxLength", 300}},
             .description = "Only hosts whose name begins so."},
            {.name = "blocked", .schema = {{"type", "boolean"}}, .description = "Only blocked hosts, or only others."},
            {.name = "asked",
             .schema = {{"type", "boolean"}},
             .description = "Only hosts that were asked, or about which something is decided. These are found soon, "
                            "however many URLs the crawl has."},
            {.name = "hold",
             .schema = ChoiceSchema(AllHoldKinds()),
             .description = "Only hosts that are held back in this way."},
            {.name = "top",
             .schema = ChoiceSchema({kHostTopNames.begin(), kHostTopNames.end()}),
             .description = "The first hosts of this kind. The other filters do not apply."}}),
       .answer = Schema(PageOfListSchema("domains", HostItemSchema())),
       .answer_example = {{"snapshot", 42},
                          {"domains", Json::array({HostItemExample()})},
                          {"next", TextOf(Cursor{42, SlotOfKey("com,example,www2"), "com,example,www2"})}},
       .freshness = Freshness::kTime,
       .call = ListDomains},
      HostEndpoint(),
      OfDomain("/api/v1/domains/{domain}/patterns", "getDomainPatterns",
               "What the pages of each pattern of a host yielded",
               ObjectSchema({{"host", TextSchema()},
                             {"patterns", ListSchema(Json{{"type", "object"}})},
                             {"learned", ListSchema(Json{{"type", "object"}})}}),
               GetPatterns),
      OfDomain("/api/v1/domains/{domain}/suggestions", "getDomainSuggestions", "Parameters that change nothing",
               ObjectSchema({{"host", TextSchema()},
                             {"suggestions", ListSchema(Json{{"type", "object"}})},
                             {"is_cut", FlagSchema()}}),
               GetSuggestions),
      OfDomain(
          "/api/v1/domains/{domain}/sitemaps", "getDomainSitemaps", "The sitemaps and feeds of a host",
          ObjectSchema({{"host", TextSchema()},
                        {"sitemaps", ListSchema(ObjectSchema({{"url", TextOrNullSchema()}, {"state", TextSchema()}}))},
                        {"is_cut", FlagSchema()}}),
          GetSitemaps),
      RequestsEndpoint(),
      {.method = "GET",
       .path = "/hosts/{host}/policy",
       .operation = "getHostPolicy",
       .summary = "What the operator decided about a host; null where nothing is decided",
       .tag = "hosts",
       .parameters = {NameParameter("host")},
       .answer = Schema(ObjectSchema({{"host", TextSchema()},
                                      {"crawl_delay_ms", IntegerOrNullSchema()},
                                      {"max_concurrent", IntegerSchema()},
                                      {"pages_a_day", IntegerOrNullSchema()},
                                      {"pages", IntegerOrNullSchema()},
                                      {"is_blocked", FlagSchema()},
                                      {"reason", TextOrNullSchema()}})),
       .answer_example = {{"snapshot", 42},
                          {"host", "www.example.com"},
                          {"crawl_delay_ms", 5000},
                          {"max_concurrent", 1},
                          {"pages_a_day", nullptr},
                          {"pages", nullptr},
                          {"is_blocked", false},
                          {"reason", nullptr}},
       .call = GetPolicy},
  };
}

}  // namespace trawl
