// Jobs, snapshots, segments and settings of the crawl, and the pages that problems name.
#include <algorithm>
#include <optional>

#include "formats/answers/problem.h"
#include "formats/answers/schemas.h"
#include "jobs/api/endpoints.h"
#include "jobs/api/openapi.h"
#include "jobs/operate/crawl_lists.h"
#include "jobs/operate/past_jobs.h"
#include "jobs/schemas/schemas.h"
#include "jobs/segment/life.h"
#include "jobs/verb/row_json.h"
#include "jobs/views/failure.h"
#include "jobs/views/job_lists.h"
#include "jobs/writes/writes.h"
#include "runtime/root/layout.h"
#include "runtime/root/snapshot.h"

namespace trawl {

using arrow::Result;

namespace {

// -- jobs -------------------------------------------------------------------------------------------------------------

// A job has a `snapshot` of its own: the one that it read or published.
Result<ApiAnswer> ListJobs(ApiCall& call) {
  ARROW_ASSIGN_OR_RAISE(const auto jobs,
                        call.surroundings.job_lists->Read(*call.view, call.Number("limit"), call.stop));
  ApiAnswer answer;
  answer.body["jobs"] = *jobs;
  return answer;
}

Result<ApiAnswer> GetJob(ApiCall& call) {
  const std::string id = call.Text("id");
  ApiAnswer answer;
  if (call.surroundings.writes != nullptr) {
    const std::optional<Json> order = call.surroundings.writes->Find(id);
    if (order) {
      answer.body = *order;
      // Whoever reads that it is done finds the change in this answer's snapshot, and in the next answer.
      const int64_t published = order->contains("answer") ? GetInt((*order)["answer"], "snapshot").ValueOr(-1) : -1;
      if (published > call.view->number()) answer.snapshot = published;
      call.views.Published(published);
      return answer;
    }
  }
  std::optional<JobRecord> job;
  if (IsValidId(id)) {
    ARROW_ASSIGN_OR_RAISE(job, FindJob(call.view->store(), call.view->manifest(), id));
  }
  if (!job) return Unknown("there is no job " + id.substr(0, 200) + "; /api/v1/jobs lists them");
  Result<Json> json = JobStatusJson(call.view->store(), *job, "", *call.surroundings.clock);
  if (!json.ok() && job->is_on_cluster()) {
    // What the crawl itself knows of it, and that the cluster does not answer.
    Json known = JobJson(*job, std::nullopt);
    if (!HasMember(known, "reason")) known["reason"] = json.status().message();
    json = std::move(known);
  }
  ARROW_RETURN_NOT_OK(json.status());
  for (const auto& [name, value] : json->items()) answer.body[name == "snapshot" ? "job_snapshot" : name] = value;
  return answer;
}

// -- the crawl --------------------------------------------------------------------------------------------------------

Result<ApiAnswer> ListSnapshots(ApiCall& call) {
  int64_t number = call.view->number();
  if (call.Has("cursor")) {
    const std::optional<Cursor> cursor = ParseCursor(call.Text("cursor"));
    if (!cursor || !cursor->key.empty() || int64_t{cursor->slot} > number)
      return Unknown("this cursor is none of this list");
    number = cursor->slot;
  }
  const int64_t limit = call.Number("limit");
  ApiAnswer answer;
  answer.body["snapshots"] = Json::array();
  for (int64_t listed = 0; number >= 0 && listed < limit; --number, ++listed) {
    ARROW_RETURN_NOT_OK(call.stop.Check());
    ARROW_ASSIGN_OR_RAISE(const Snapshot snapshot, ReadSnapshot(call.view->store(), number));
    answer.body["snapshots"].push_back(SnapshotJson(snapshot.manifest));
  }
  if (number >= 0) answer.next = TextOf(Cursor{call.view->number(), static_cast<uint32_t>(number), ""});
  return answer;
}

Result<ApiAnswer> ListSegments(ApiCall& call) {
  const auto& view = *call.view;
  ARROW_ASSIGN_OR_RAISE(const auto segments,
                        ReadSegments(view.store(), view.manifest(), call.now_ms, call.Number("limit")));
  ApiAnswer answer;
  answer.body["segments"] = Json::array();
  for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment) {
    ARROW_RETURN_NOT_OK(call.stop.Check());
    ARROW_ASSIGN_OR_RAISE(const auto lists, ReadListsIfThere(view.store(), *segment));
    answer.body["segments"].push_back(SegmentJson(*segment, lists));
  }
  answer.body["of"] = SegmentsOf(view.manifest()).size();
  return answer;
}

Result<ApiAnswer> GetSettings(ApiCall& call) {
  ApiAnswer answer;
  answer.body["settings"] = Json(call.view->manifest().settings);
  answer.body["url_policy"] = call.view->manifest().normal_form;
  return answer;
}

// -- the API itself ---------------------------------------------------------------------------------------------------

Result<ApiAnswer> GetOpenApi(ApiCall&) {
  ApiAnswer answer;
  answer.body = OpenApiDocument(ApiEndpoints());
  return answer;
}

Result<ApiAnswer> GetProblem(ApiCall& call) {
  const std::string name = call.Text("name");
  for (const int status : ProblemStatuses()) {
    if (ProblemName(status) != name) continue;
    ApiAnswer answer;
    answer.body = {{"type", "/problems/" + name}, {"title", ProblemTitle(status)}, {"status", status}};
    return answer;
  }
  return Unknown("there is no problem '" + name.substr(0, 100) + "'");
}

Parameter LimitParameter() {
  return {.name = "limit",
          .schema = {{"type", "integer"}, {"minimum", 1}, {"maximum", 1000}, {"default", 100}},
          .description = "At most so many, the newest."};
}

Parameter NameIn(const char* name, const char* description) {
  return {.name = name,
          .place = ParameterPlace::kPath,
          .schema = {{"type", "string"}, {"minLength", 1}, {"maxLength", 200}},
          .description = description};
}

Json JobExample() {
  return {{"job", "20260101T110002Z-fetch-69b9d5c8"},
          {"state", "done"},
          {"verb", "fetch"},
          {"segment", "20260101T110000Z-0cf50b1e"},
          {"changed", true},
          {"snapshot", 40},
          {"seconds", 580.0},
          {"counters", {{"fetched", 4980}, {"pages", 4700}, {"outcome.fetched", 4700}}}};
}

Json OneJobExample() {
  Json json = {{"snapshot", 42}};
  const Json job = JobExample();
  for (const auto& [name, value] : job.items()) json[name == "snapshot" ? "job_snapshot" : name] = value;
  return json;
}

Json JobSchema() { return ObjectSchema({{"job", TextSchema()}, {"state", TextSchema()}}); }

Endpoint OfCrawl(const char* path, const char* operation, const char* summary, const char* tag,
                 std::vector<Parameter> parameters, Json schema, Result<ApiAnswer> (*call)(ApiCall&),
                 Freshness freshness) {
  return {.method = "GET",
          .path = path,
          .operation = operation,
          .summary = summary,
          .tag = tag,
          .parameters = std::move(parameters),
          .answer = Schema(std::move(schema)),
          .freshness = freshness,
          .call = call};
}

}  // namespace

std::vector<Endpoint> CrawlEndpoints() {
  Endpoint jobs =
      OfCrawl("/api/v1/jobs", "listJobs", "The jobs that ran on the crawl, newest first", "jobs", {LimitParameter()},
              ObjectSchema({{"jobs", ListSchema(SchemaPart("job"))}}), ListJobs, Freshness::kTime);
  Endpoint job = OfCrawl("/api/v1/jobs/{id}", "getJob", "One job: how far it is, or what came of it", "jobs",
                         {NameIn("id", "The id of a job, or of an order that a write was answered with.")}, JobSchema(),
                         GetJob, Freshness::kTime);
  jobs.is_of_present = true;
  jobs.answer_example = {{"snapshot", 42}, {"jobs", Json::array({JobExample()})}};
  job.is_of_present = true;
  job.answer_example = OneJobExample();
  return {
      std::move(jobs),
      std::move(job),
      OfCrawl("/api/v1/snapshots", "listSnapshots", "The snapshots, newest first", "crawl", WithListParameters({}),
              PageOfListSchema("snapshots", SchemaPart("snapshot")), ListSnapshots, Freshness::kSnapshot),
      OfCrawl("/api/v1/segments", "listSegments", "The segments, newest first; `of` so many in all", "crawl",
              {LimitParameter()},
              ObjectSchema({{"segments", ListSchema(SchemaPart("segment"))}, {"of", IntegerSchema()}}), ListSegments,
              Freshness::kTime),
      OfCrawl("/api/v1/settings", "getSettings", "The settings of the crawl", "crawl", {},
              ObjectSchema({{"settings", Json{{"type", "object"}, {"additionalProperties", TextSchema()}}},
                            {"url_policy", TextSchema()}}),
              GetSettings, Freshness::kSnapshot),
      OfCrawl("/openapi.json", "getOpenApi", "This document", "api", {},
              ObjectSchema({{"openapi", TextSchema()}, {"paths", Json{{"type", "object"}}}}), GetOpenApi,
              Freshness::kFixed),
      OfCrawl("/problems/{name}", "getProblem", "What a type of problem means", "api",
              {NameIn("name", "The last part of the problem's type.")},
              ObjectSchema({{"type", TextSchema()}, {"title", TextSchema()}, {"status", IntegerSchema()}}), GetProblem,
              Freshness::kFixed),
  };
}

}  // namespace trawl
