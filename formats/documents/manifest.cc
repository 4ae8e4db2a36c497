#include "formats/documents/manifest.h"

#include "formats/documents/format_version.h"
#include "formats/documents/run_json.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

Json RunToJson(const RunReference& run) {
  Json json = {{"run", run.run},
               {"rows", run.rows},
               {"removed", run.removed},
               {"bytes", run.bytes},
               {"digest", run.digest.ToHex()},
               {"seal", run.seal}};
  if (run.is_settled) json["settled"] = true;
  return json;
}

Result<RunReference> RunFromJson(const Json& json) {
  RunReference run;
  ARROW_ASSIGN_OR_RAISE(run.run, GetString(json, "run"));
  ARROW_ASSIGN_OR_RAISE(run.rows, GetInt(json, "rows"));
  ARROW_ASSIGN_OR_RAISE(run.removed, GetInt(json, "removed"));
  ARROW_ASSIGN_OR_RAISE(run.bytes, GetInt(json, "bytes"));
  ARROW_ASSIGN_OR_RAISE(const std::string digest, GetString(json, "digest"));
  if (!DigestSum::FromHex(digest, &run.digest)) return Status::Invalid("run ", run.run, ": 'digest' is not a digest");
  ARROW_ASSIGN_OR_RAISE(run.seal, GetString(json, "seal"));
  run.is_settled = HasMember(json, "settled");
  return run;
}

namespace {

Status ReadTables(const Json& json, Manifest* manifest) {
  ARROW_ASSIGN_OR_RAISE(const Json* tables, GetObject(json, "tables"));
  for (const auto& [table, runs] : tables->items()) {
    if (!runs.is_array()) return Status::Invalid("table '", table, "' is not an array of runs");
    std::vector<RunReference>& into = manifest->tables[table];
    for (const Json& run : runs) {
      ARROW_ASSIGN_OR_RAISE(RunReference reference, RunFromJson(run));
      into.push_back(std::move(reference));
    }
  }
  return Status::OK();
}

Result<SegmentEnd> ReadEnd(const Json& json) {
  ARROW_ASSIGN_OR_RAISE(const std::string how, GetString(json, "how"));
  for (const SegmentEnd end : {SegmentEnd::kApplied, SegmentEnd::kAbandoned, SegmentEnd::kExpired}) {
    if (how == TextOf(end)) return end;
  }
  return Status::Invalid("a closed segment's 'how' is '", how, "', which is not applied, abandoned or expired");
}

Status ReadSegments(const Json& json, Manifest* manifest) {
  ARROW_ASSIGN_OR_RAISE(const Json* open, GetArray(json, "open_segments"));
  for (const Json& element : *open) {
    OpenSegment segment;
    ARROW_ASSIGN_OR_RAISE(segment.id, GetString(element, "id"));
    ARROW_ASSIGN_OR_RAISE(segment.opened_ms, GetInt(element, "opened_ms"));
    ARROW_ASSIGN_OR_RAISE(segment.until_ms, GetInt(element, "until_ms"));
    ARROW_ASSIGN_OR_RAISE(segment.job, GetString(element, "job"));
    ARROW_ASSIGN_OR_RAISE(segment.lists, GetString(element, "lists"));
    manifest->open_segments.push_back(std::move(segment));
  }
  ARROW_ASSIGN_OR_RAISE(const Json* closed, GetArray(json, "closed_segments"));
  for (const Json& element : *closed) {
    ClosedSegment segment;
    ARROW_ASSIGN_OR_RAISE(segment.id, GetString(element, "id"));
    ARROW_ASSIGN_OR_RAISE(segment.end, ReadEnd(element));
    ARROW_ASSIGN_OR_RAISE(segment.job, GetString(element, "job"));
    ARROW_ASSIGN_OR_RAISE(segment.lists, GetString(element, "lists"));
    ARROW_ASSIGN_OR_RAISE(segment.snapshot, GetInt(element, "snapshot"));
    if (HasMember(element, "round")) {
      ARROW_ASSIGN_OR_RAISE(segment.updatedb, GetString(element, "updatedb"));
      ARROW_ASSIGN_OR_RAISE(segment.round, GetString(element, "round"));
    }
    manifest->closed_segments.push_back(std::move(segment));
  }
  return Status::OK();
}

}  // namespace

const char* TextOf(SegmentEnd end) {
  switch (end) {
    case SegmentEnd::kApplied:
      return "applied";
    case SegmentEnd::kAbandoned:
      return "abandoned";
    case SegmentEnd::kExpired:
      break;
  }
  return "expired";
}

Json ToJson(const Manifest& manifest) {
  Json tables = Json::object();
  for (const auto& [table, runs] : manifest.tables) {
    tables[table] = Json::array();
    for (const RunReference& run : runs) tables[table].push_back(RunToJson(run));
  }
  Json open = Json::array();
  for (const OpenSegment& segment : manifest.open_segments) {
    open.push_back({{"id", segment.id},
                    {"opened_ms", segment.opened_ms},
                    {"until_ms", segment.until_ms},
                    {"job", segment.job},
                    {"lists", segment.lists}});
  }
  Json closed = Json::array();
  for (const ClosedSegment& segment : manifest.closed_segments) {
    closed.push_back({{"id", segment.id},
                      {"how", TextOf(segment.end)},
                      {"job", segment.job},
                      {"lists", segment.lists},
                      {"snapshot", segment.snapshot}});
    if (segment.round.empty()) continue;
    closed.back()["updatedb"] = segment.updatedb;
    closed.back()["round"] = segment.round;
  }
  Json settings = Json::object();
  for (const auto& [name, value] : manifest.settings) settings[name] = value;
  Json json = {{"format", kCrawlFormat},
               {"number", manifest.number},
               {"job", manifest.job},
               {"verb", manifest.verb},
               {"published_ms", manifest.published_ms},
               {"previous", manifest.previous},
               {"url_policy", manifest.normal_form},
               {"unicode", manifest.unicode},
               {"tables", tables},
               {"open_segments", open},
               {"closed_segments", closed},
               {"settings", settings}};
  if (manifest.totals) json["totals"] = ToJson(*manifest.totals);
  for (const auto& [job, snapshot] : manifest.read_to) json["read_to"][job] = snapshot;
  return json;
}

int64_t Totals::urls() const {
  int64_t all = 0;
  for (const auto& [state, rows] : states) all += rows;
  return all;
}

int64_t Totals::OfState(const std::string& state) const {
  const auto found = states.find(state);
  return found == states.end() ? 0 : found->second;
}

Json ToJson(const Totals& totals) {
  Json states = Json::object();
  for (const auto& [state, rows] : totals.states) states[state] = rows;
  return {{"states", states},
          {"bodies", totals.bodies},
          {"rounds", totals.rounds},
          {"requests", totals.requests},
          {"pages", totals.pages},
          {"bytes", totals.bytes},
          {"wire_bytes", totals.wire_bytes},
          {"exact_duplicates", totals.exact_duplicates},
          {"near_duplicates", totals.near_duplicates},
          {"shared_bytes", totals.shared_bytes}};
}

Result<Totals> TotalsFromJson(const Json& json) {
  Totals totals;
  ARROW_ASSIGN_OR_RAISE(const Json* states, GetObject(json, "states"));
  for (const auto& [state, rows] : states->items()) {
    if (!rows.is_number_integer()) return Status::Invalid("the total of state '", state, "' is not a number");
    totals.states[state] = rows.get<int64_t>();
  }
  ARROW_ASSIGN_OR_RAISE(totals.bodies, GetInt(json, "bodies"));
  ARROW_ASSIGN_OR_RAISE(totals.rounds, GetInt(json, "rounds"));
  ARROW_ASSIGN_OR_RAISE(totals.requests, GetInt(json, "requests"));
  ARROW_ASSIGN_OR_RAISE(totals.pages, GetInt(json, "pages"));
  ARROW_ASSIGN_OR_RAISE(totals.bytes, GetInt(json, "bytes"));
  ARROW_ASSIGN_OR_RAISE(totals.wire_bytes, GetInt(json, "wire_bytes"));
  // A manifest that was written before there was settle has none of these.
  totals.exact_duplicates = GetInt(json, "exact_duplicates").ValueOr(0);
  totals.near_duplicates = GetInt(json, "near_duplicates").ValueOr(0);
  totals.shared_bytes = GetInt(json, "shared_bytes").ValueOr(0);
  return totals;
}

Result<Manifest> ManifestFromJson(const Json& json) {
  Manifest manifest;
  ARROW_ASSIGN_OR_RAISE(const int64_t format, GetInt(json, "format"));
  ARROW_RETURN_NOT_OK(CheckFormat(format, kCrawlFormat));
  ARROW_ASSIGN_OR_RAISE(manifest.number, GetInt(json, "number"));
  ARROW_ASSIGN_OR_RAISE(manifest.job, GetString(json, "job"));
  ARROW_ASSIGN_OR_RAISE(manifest.verb, GetString(json, "verb"));
  ARROW_ASSIGN_OR_RAISE(manifest.published_ms, GetInt(json, "published_ms"));
  ARROW_ASSIGN_OR_RAISE(manifest.previous, GetString(json, "previous"));
  ARROW_ASSIGN_OR_RAISE(manifest.normal_form, GetString(json, "url_policy"));
  ARROW_ASSIGN_OR_RAISE(manifest.unicode, GetString(json, "unicode"));
  ARROW_RETURN_NOT_OK(ReadTables(json, &manifest));
  ARROW_RETURN_NOT_OK(ReadSegments(json, &manifest));
  ARROW_ASSIGN_OR_RAISE(const Json* settings, GetObject(json, "settings"));
  for (const auto& [name, value] : settings->items()) {
    if (!value.is_string()) return Status::Invalid("setting '", name, "' is not a string");
    manifest.settings[name] = value.get<std::string>();
  }
  if (HasMember(json, "totals")) {
    ARROW_ASSIGN_OR_RAISE(const Json* totals, GetObject(json, "totals"));
    ARROW_ASSIGN_OR_RAISE(manifest.totals, TotalsFromJson(*totals));
  }
  if (HasMember(json, "read_to")) {
    ARROW_ASSIGN_OR_RAISE(const Json* read_to, GetObject(json, "read_to"));
    for (const auto& [job, snapshot] : read_to->items()) {
      ARROW_ASSIGN_OR_RAISE(manifest.read_to[job], GetInt(*read_to, job.c_str()));
    }
  }
  return manifest;
}

}  // namespace trawl
