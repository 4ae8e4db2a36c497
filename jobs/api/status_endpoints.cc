// /status and /api/v1/workers: what the crawl does now.
#include "formats/answers/schemas.h"
#include "jobs/api/endpoints.h"
#include "jobs/live/live.h"
#include "jobs/schemas/schemas.h"
#include "jobs/stats/totals.h"
#include "jobs/verb/row_json.h"
#include "jobs/views/crawl_counts.h"
#include "jobs/views/failure.h"
#include "jobs/views/round_facts.h"

namespace trawl {

using arrow::Result;

namespace {

// The newest snapshot: what runs now is not of an older one.
Result<std::shared_ptr<const LiveCrawl>> LiveOf(const ApiCall& call) {
  ARROW_ASSIGN_OR_RAISE(const auto present, call.views.Present());
  return call.surroundings.live->Read(present->manifest(), call.stop);
}

double PagesPerSecond(const LiveCrawl& live, const Json& round) {
  if (live.rate.over_ms > 0) return live.rate.pages_per_sec;
  const double seconds = NumberIn(round, {"steps", "fetch", "seconds"});
  return seconds <= 0 ? 0 : NumberIn(round, {"fetch", "pages"}) / seconds;
}

double ErrorPercent(const LiveCrawl& live, const Json& round) {
  if (live.rate.over_ms > 0 && live.rate.fetched > 0) {
    return 100.0 * static_cast<double>(live.rate.errors) / static_cast<double>(live.rate.fetched);
  }
  if (NumberIn(round, {"fetch", "fetched"}) <= 0) return 0;
  return 100.0 * (1.0 - NumberIn(round, {"fetch", "success_rate"}));
}

Json OpenSegmentsJson(const LiveCrawl& live, const Manifest& manifest) {
  Json segments = Json::array();
  for (const OpenSegment& segment : manifest.open_segments) {
    Json json = {{"segment", segment.id},
                 {"opened", TimeJson(segment.opened_ms)},
                 {"until", TimeJson(segment.until_ms)},
                 {"state", nullptr},
                 {"settled", nullptr},
                 {"left", nullptr}};
    for (const LiveSegment& known : live.segments) {
      if (known.id != segment.id) continue;
      json["state"] = known.state;
      json["settled"] = known.settled;
      json["left"] = known.left;
    }
    segments.push_back(std::move(json));
  }
  return segments;
}

Result<ApiAnswer> GetStatus(ApiCall& call) {
  ARROW_ASSIGN_OR_RAISE(const auto live, LiveOf(call));
  if (!call.Has("snapshot")) {
    ARROW_ASSIGN_OR_RAISE(call.view, call.views.Prepared(call.stop));
  }
  const View& view = *call.view;
  ARROW_ASSIGN_OR_RAISE(const auto counts, CountsOf(view, call.now_ms, call.stop));
  ARROW_ASSIGN_OR_RAISE(const Json round, LastRound(view));
  const int64_t due = counts->due.DueAt(call.now_ms);
  Json holds = ToJson(counts->holds);
  for (const auto& [kind, count] : counts->more_holds) holds[kind] = count;
  holds["counted_at"] = TimeJson(counts->at_ms);
  Json now = StatusJson(*live);
  ApiAnswer answer;
  answer.body = {{"pages_per_sec", PagesPerSecond(*live, round)},
                 {"queue_depth", due},
                 {"error_rate_percent", ErrorPercent(*live, round)},
                 {"state", live->state},
                 {"name", call.surroundings.name},
                 {"due", due},
                 {"next_due", TimeJson(counts->due.NextAfter(call.now_ms))},
                 {"open_segments", OpenSegmentsJson(*live, view.manifest())},
                 {"last_round", round.is_null() ? Json() : BriefRound(round)},
                 {"urls", counts->urls.urls},
                 {"hosts", counts->urls.hosts},
                 {"states", StatesJson(counts->urls)},
                 {"holds", std::move(holds)},
                 {"published", TimeJson(view.manifest().published_ms)},
                 {"totals", view.manifest().totals ? ToJson(*view.manifest().totals) : Json()},
                 {"now", TimeJson(call.now_ms)},
                 {"live_snapshot", live->snapshot}};
  for (const auto& [name, value] : now.items()) {
    if (name != "snapshot" && !answer.body.contains(name)) answer.body[name] = value;
  }
  return answer;
}

Result<ApiAnswer> GetWorkers(ApiCall& call) {
  ARROW_ASSIGN_OR_RAISE(const auto live, LiveOf(call));
  ApiAnswer answer;
  answer.body = WorkersJson(*live);
  answer.snapshot = live->snapshot;
  return answer;
}

Result<ApiAnswer> GetWorkerStats(ApiCall& call) {
  ARROW_ASSIGN_OR_RAISE(const auto live, LiveOf(call));
  const LiveWorker* const worker = live->FindWorker(call.Text("id"));
  if (worker == nullptr) {
    return Unknown("no open segment has a worker " + call.Text("id").substr(0, 200) + "; /api/v1/workers lists them");
  }
  ApiAnswer answer;
  answer.body = WorkerStatsJson(*worker, live->read_ms);
  answer.snapshot = live->snapshot;
  return answer;
}

Json StatusSchema() {
  return ObjectSchema({{"pages_per_sec", NumberSchema()},
                       {"queue_depth", IntegerSchema()},
                       {"error_rate_percent", NumberSchema()},
                       {"state", TextSchema()},
                       {"name", TextSchema()},
                       {"due", IntegerSchema()},
                       {"next_due", TimeOrNullSchema()},
                       {"open_segments", ListSchema(ObjectSchema({{"segment", TextSchema()},
                                                                  {"opened", TimeOrNullSchema()},
                                                                  {"until", TimeOrNullSchema()},
                                                                  {"settled", IntegerOrNullSchema()},
                                                                  {"left", IntegerOrNullSchema()}}))},
                       {"last_round", Json{{"type", {"object", "null"}}}},
                       {"urls", IntegerSchema()},
                       {"hosts", IntegerSchema()},
                       {"states", CountsSchema()},
                       {"holds", Json{{"type", "object"}}},
                       {"published", TimeOrNullSchema()},
                       {"totals", Json{{"type", {"object", "null"}}}},
                       {"now", TimeOrNullSchema()},
                       {"live_snapshot", IntegerSchema()}});
}

Json StatusExample() {
  return {{"snapshot", 42},
          {"pages_per_sec", 21.5},
          {"queue_depth", 300},
          {"error_rate_percent", 1.2},
          {"state", "fetch"},
          {"name", "news"},
          {"due", 300},
          {"next_due", "2026-01-01T12:00:01Z"},
          {"open_segments", Json::array({{{"segment", "20260101T120000Z-0cf50b1e"},
                                          {"opened", "2026-01-01T12:00:00Z"},
                                          {"until", "2026-01-02T12:00:00Z"},
                                          {"state", "open"},
                                          {"settled", 1200},
                                          {"left", 3800}}})},
          {"last_round", RoundExample()},
          {"urls", 51000},
          {"hosts", 70},
          {"states", {{"fetched", 49000}, {"unfetched", 1500}, {"gone", 500}}},
          {"holds",
           {{"blocked", 0},
            {"breaker_open", 1},
            {"throttled", 2},
            {"slow", 0},
            {"suspected_trap", 0},
            {"blocked_domains", 0},
            {"counted_at", "2026-01-01T12:00:00Z"}}},
          {"published", "2026-01-01T12:00:00Z"},
          {"totals", nullptr},
          {"now", "2026-01-01T12:01:00Z"},
          {"live_snapshot", 42}};
}

Json WorkerStatsSchema() {
  return ObjectSchema({{"pages", IntegerSchema()},
                       {"bytes", IntegerSchema()},
                       {"fetched", IntegerSchema()},
                       {"statuses", CountsSchema()},
                       {"outcomes", CountsSchema()},
                       {"pages_per_sec", NumberSchema()},
                       {"settled", IntegerOrNullSchema()},
                       {"left", IntegerOrNullSchema()},
                       {"parts", IntegerSchema()}});
}

}  // namespace

std::vector<Endpoint> StatusEndpoints() {
  return {{.method = "GET",
           .path = "/status",
           .operation = "getStatus",
           .summary = "What the crawl does, and what is due",
           .description = "Numbers of URLs and hosts are of the newest snapshot that is counted: while a large one is "
                          "being counted, of the one "
                          "before. `pages_per_sec` and `error_rate_percent` are of the last five minutes of a fetch "
                          "that runs, else of the last round.",
           .tag = "now",
           .answer = Schema(StatusSchema()),
           .answer_example = StatusExample(),
           .freshness = Freshness::kTime,
           .call = GetStatus},
          {.method = "GET",
           .path = "/api/v1/workers",
           .operation = "listWorkers",
           .summary = "The workers of the fetches that are not applied yet",
           .tag = "now",
           .answer = Schema(ObjectSchema({{"workers", ListSchema(SchemaPart("worker"))}})),
           .answer_example = {{"snapshot", 42},
                              {"workers", Json::array({{{"id", "20260101T120020Z-fetch-875cf6ea-m0-0-0"},
                                                        {"task", 0},
                                                        {"segment", "20260101T120000Z-0cf50b1e"},
                                                        {"job", "20260101T120020Z-fetch-875cf6ea"},
                                                        {"machine", "node-1"},
                                                        {"pid", 4711},
                                                        {"since", "2026-01-01T12:00:20Z"},
                                                        {"last_seen_at", "2026-01-01T12:01:20Z"},
                                                        {"lease_ms", 60000},
                                                        {"state", "active"},
                                                        {"age_ms", 4000}}})}},
           .freshness = Freshness::kTime,
           .is_of_present = true,
           .call = GetWorkers},
          {.method = "GET",
           .path = "/api/v1/workers/{id}/stats",
           .operation = "getWorkerStats",
           .summary = "What one worker has done",
           .tag = "now",
           .parameters = {{.name = "id",
                           .place = ParameterPlace::kPath,
                           .schema = {{"type", "string"}, {"minLength", 1}, {"maxLength", 300}},
                           .description = "The `id` of a worker."}},
           .answer = Schema(WorkerStatsSchema()),
           .freshness = Freshness::kTime,
           .is_of_present = true,
           .call = GetWorkerStats}};
}

}  // namespace trawl
