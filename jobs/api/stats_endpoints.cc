// /api/v1/stats: the numbers of the crawl for dashboards, and its throughput over time.
#include <algorithm>

#include "formats/answers/schemas.h"
#include "jobs/api/endpoints.h"
#include "jobs/live/live.h"
#include "jobs/metrics/dashboard.h"
#include "jobs/stats/stored_bytes.h"
#include "jobs/stats/totals.h"
#include "jobs/verb/row_json.h"
#include "jobs/views/crawl_counts.h"
#include "jobs/views/round_facts.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

using arrow::Result;

namespace {

Json MemberOf(const Json& object, const char* name) {
  return object.is_object() && object.contains(name) ? object[name] : Json();
}

Result<StoredBytes> StorageOf(const ApiCall& call) {
  const View& view = *call.view;
  return view.Once<StoredBytes>("stored bytes", [&]() {
    return ReadStoredBytes(view.store(), view.manifest(), call.surroundings.clock->NowMs());
  });
}

Result<FilterMeasure> FiltersOf(const View& view) {
  return view.Once<FilterMeasure>("filters", [&view]() -> Result<FilterMeasure> {
    ARROW_ASSIGN_OR_RAISE(const auto urls, view.Open<UrlRow>());
    return MeasureSomeFilters(*urls);
  });
}

Result<ApiAnswer> GetStats(ApiCall& call) {
  if (!call.Has("snapshot")) {
    ARROW_ASSIGN_OR_RAISE(call.view, call.views.Prepared(call.stop));
  }
  const View& view = *call.view;
  ARROW_ASSIGN_OR_RAISE(const auto present, call.views.Present());
  ARROW_ASSIGN_OR_RAISE(const auto live, call.surroundings.live->Read(present->manifest(), call.stop));
  ARROW_ASSIGN_OR_RAISE(const auto counts, CountsOf(view, call.now_ms, call.stop));
  ARROW_ASSIGN_OR_RAISE(const Json round, LastRound(view));
  ARROW_ASSIGN_OR_RAISE(const StoredBytes stored, StorageOf(call));
  ARROW_ASSIGN_OR_RAISE(const FilterMeasure filters, FiltersOf(view));
  DashboardSource dashboard = {.manifest = &view.manifest(),
                               .live = call.Has("snapshot") ? nullptr : live.get(),
                               .frontier_domains = counts->urls.frontier_domains,
                               .segment_bytes = stored.segments,
                               .filter_bytes = filters.bytes};
  if (round.is_object()) dashboard.rounds.push_back(&round);
  const Json fetch = MemberOf(round, "fetch");
  ApiAnswer answer;
  answer.body = DashboardNumbers(dashboard);
  // A snapshot of a version without totals tells nothing of these two.
  answer.body["frontierSize"] = counts->urls.OfState(UrlState::kUnfetched);
  answer.body["totalPagesStored"] = counts->urls.bodies;
  const Json more = {{"urls", counts->urls.urls},
                     {"hosts", counts->urls.hosts},
                     {"by_state", StatesJson(counts->urls)},
                     {"by_kind", KindsJson(counts->urls)},
                     {"signals", SignalsJson(counts->urls)},
                     {"due", counts->due.DueAt(call.now_ms)},
                     {"next_due", TimeJson(counts->due.NextAfter(call.now_ms))},
                     {"frontier",
                      {{"urls", counts->urls.OfState(UrlState::kUnfetched)},
                       {"hosts", counts->urls.frontier_hosts},
                       {"domains", counts->urls.frontier_domains}}},
                     {"holds", ToJson(counts->holds)},
                     {"storage", ToJson(stored)},
                     {"filters", ToJson(filters)},
                     {"duplicates", DuplicatesJson(view.manifest().totals.value_or(Totals()))},
                     {"totals", view.manifest().totals ? ToJson(*view.manifest().totals) : Json()},
                     {"round", MemberOf(round, "segment")},
                     {"counted_at", TimeJson(counts->at_ms)}};
  answer.body.update(more);
  // Of the last round: what trawl crawl reports of its own rounds.
  for (const char* name : {"pages", "fetched", "statuses", "outcomes", "bytes", "wire_bytes", "response_ms",
                           "top_errors", "slowest_hosts"}) {
    answer.body[name] = MemberOf(fetch, name);
  }
  return answer;
}

Result<ApiAnswer> GetThroughput(ApiCall& call) {
  constexpr int64_t kHourMs = 3'600'000;
  ThroughputRange range;
  ARROW_ASSIGN_OR_RAISE(range.step, ThroughputStepOf(call.Text("step")));
  range.until_ms = call.now_ms;
  if (call.Has("until")) {
    ARROW_ASSIGN_OR_RAISE(range.until_ms, ParseTimestamp(call.Text("until")));
  }
  range.since_ms = range.until_ms - 24 * kHourMs;
  if (call.Has("since")) {
    ARROW_ASSIGN_OR_RAISE(range.since_ms, ParseTimestamp(call.Text("since")));
  }
  ARROW_ASSIGN_OR_RAISE(const auto points, call.surroundings.live->Throughput(call.view->manifest(), range, call.stop));
  ApiAnswer answer;
  answer.body = {{"points", Json::array()}, {"is_cut", points.size() == LiveReader::kMostPoints}};
  for (const ThroughputPoint& point : points) answer.body["points"].push_back(ToJson(point));
  return answer;
}

// A share of nothing, or an average of no answers, is null.
Json NumberOrNull() { return {{"type", {"number", "null"}}}; }

Json StatsSchema() {
  return ObjectSchema({{"pagesPerSecond", NumberSchema()},
                       {"bytesPerSecond", NumberSchema()},
                       {"frontierSize", IntegerSchema()},
                       {"uniqueDomainsInFrontier", IntegerSchema()},
                       {"successRate", NumberOrNull()},
                       {"averageResponseTime", NumberOrNull()},
                       {"errorsByType", CountsSchema()},
                       {"activeWorkers", IntegerSchema()},
                       {"workerUtilization", NumberOrNull()},
                       {"totalPagesStored", IntegerSchema()},
                       {"storageUsedGB", NumberSchema()},
                       {"duplicateRate", NumberOrNull()},
                       {"bloomFilterSize", IntegerSchema()},
                       {"urls", IntegerSchema()},
                       {"hosts", IntegerSchema()},
                       {"by_state", CountsSchema()},
                       {"by_kind", CountsSchema()},
                       {"signals", CountsSchema()},
                       {"due", IntegerSchema()},
                       {"next_due", TimeOrNullSchema()},
                       {"holds", CountsSchema()},
                       {"round", TextOrNullSchema()},
                       {"counted_at", TimeOrNullSchema()}});
}

Json PointSchema() {
  return ObjectSchema({{"at", TimeOrNullSchema()},
                       {"pages", IntegerSchema()},
                       {"bytes", IntegerSchema()},
                       {"fetched", IntegerSchema()},
                       {"errors", IntegerSchema()},
                       {"pages_per_sec", NumberSchema()}});
}

Parameter TimeParameter(const char* name, const char* description) {
  return {.name = name, .schema = {{"type", "string"}, {"format", "date-time"}}, .description = description};
}

}  // namespace

std::vector<Endpoint> StatsEndpoints() {
  return {{.method = "GET",
           .path = "/api/v1/stats",
           .operation = "getStats",
           .summary = "The numbers of a dashboard",
           .description = "Rates are of a fetch that runs now, else of the last round; `successRate`, "
                          "`averageResponseTime`, `errorsByType`, "
                          "`workerUtilization` and `duplicateRate` are of the last round.",
           .tag = "stats",
           .answer = Schema(StatsSchema()),
           .freshness = Freshness::kTime,
           .call = GetStats},
          {.method = "GET",
           .path = "/api/v1/stats/throughput",
           .operation = "getThroughput",
           .summary = "Pages, bytes and errors over time",
           .description = "Without `since`, of the last day.",
           .tag = "stats",
           .parameters = {TimeParameter("since", "From this time on."),
                          TimeParameter("until", "Up to this time."),
                          {.name = "step",
                           .schema = {{"type", "string"}, {"enum", {"1m", "5m", "1h", "round"}}, {"default", "5m"}},
                           .description = "The width of a point."}},
           .answer = Schema(ObjectSchema({{"points", ListSchema(PointSchema())}, {"is_cut", FlagSchema()}})),
           .freshness = Freshness::kTime,
           .is_of_present = true,
           .call = GetThroughput}};
}

}  // namespace trawl
