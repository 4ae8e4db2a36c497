// One entry of the table of endpoints: the route, what it takes, what it answers, and the function that answers it.
//
// The table is the whole API: requests are matched and checked by it, and /openapi.json is made from it. An endpoint without a
// schema of its answer does not compile.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"
#include "jobs/views/views.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"

namespace trawl {

class Writes;
class JobLists;
class LiveReader;
class ScanMemory;
struct ServerRequest;

// A JSON Schema (draft 2020-12). Without a default, so that whoever needs one cannot leave it out.
struct Schema {
  explicit Schema(Json schema) : json(std::move(schema)) {}
  Json json;
};

enum class ParameterPlace { kPath, kQuery };

struct Parameter {
  std::string name;
  ParameterPlace place = ParameterPlace::kQuery;
  // {"type": "string" | "integer" | "boolean"}, with what formats/answers/schema.h knows, `default`, and the format
  // date-time: all of these are checked before the endpoint is called.
  Json schema;
  bool is_required = false;
  std::string description;
  // For the document.
  Json example = nullptr;
};

// What an answer depends on.
enum class Freshness {
  kSnapshot,  // the snapshot alone: it has an ETag
  kTime,      // the time, too: never stored; the endpoint takes ?now=
  kFixed,     // the program: neither `snapshot` nor `now`
};

// Bytes instead of JSON.
struct RawBody {
  std::string bytes;
  std::string content_type;
  std::string file_name;  // of the attachment; plain ASCII
};

struct ApiAnswer {
  // An object. `snapshot` is put into it as its first member.
  Json body = Json::object();
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::optional<RawBody> raw = {};
  // The cursor of the next page of a list (formats/answers/cursor.h). It becomes `next` in the body and a Link header.
  std::string next = {};
  // It depends on the snapshot alone, though the endpoint knows the time, too: it has an ETag.
  bool is_of_snapshot = false;
  // Of a write: the snapshot that has it. -1: that of the view.
  int64_t snapshot = -1;
};

// What does not change from one request to the next. All that it points to outlives the API.
struct ApiSurroundings {
  Store* store = nullptr;
  // Those of the verb, without the settings of a crawl. They have every group of ApiOptionGroups().
  const EffectiveOptions* options = nullptr;
  const Clock* clock = nullptr;
  std::string name;           // of the crawl
  TimeMs now_ms = kNoTime;    // where --now pins the time
  int64_t refresh_ms = 2000;  // the head is listed at most this often
  int threads = 1;            // of a scan of a whole table
  Writes* writes = nullptr;   // null: the API only reads
  // For Api::Make, which waits for a slow store: what ends the wait, and who is told.
  StopToken stop = {};
  std::function<void(const std::string& text)> say = {};
  // Api::Make fills these in.
  LiveReader* live = nullptr;
  JobLists* job_lists = nullptr;
  ScanMemory* memory = nullptr;
};

// The groups of options that answers take into account.
OptionGroups ApiOptionGroups();

struct Endpoint;

// A request that has been matched and checked.
struct ApiCall {
  const Endpoint& endpoint;
  const ApiSurroundings& surroundings;
  Views& views;
  // The snapshot that answers; null where freshness is kFixed.
  std::shared_ptr<const View> view;
  TimeMs now_ms = 0;
  StopToken stop;
  // By name: strings, integers and booleans, as the schemas say. What was not sent is not there, unless its schema has a
  // default.
  std::map<std::string, Json> parameters = {};
  Json body = nullptr;                     // an object, checked against the endpoint's body schema
  const ServerRequest* request = nullptr;  // for headers such as Idempotency-Key; null for a call of a page

  bool Has(const std::string& name) const { return parameters.contains(name); }
  // REQUIRES: the parameter is there, and of that type.
  std::string Text(const std::string& name) const { return parameters.at(name).get<std::string>(); }
  int64_t Number(const std::string& name) const { return parameters.at(name).get<int64_t>(); }
};

struct Endpoint {
  std::string method;
  std::string path;  // "/api/v1/pages/{id}"
  std::string operation;
  std::string summary;
  std::string description = {};
  std::string tag;
  // `snapshot` and `now` are added where the freshness knows them.
  std::vector<Parameter> parameters = {};
  // Of the JSON that it takes: an object's schema with additionalProperties false. Null: it takes no body.
  Json body = nullptr;
  Json body_example = nullptr;
  Schema answer;
  Json answer_example = nullptr;
  // Other statuses than 200 with their schema; null: the same schema. Problems need none.
  std::map<int, Json> other_answers = {};
  // The media type of an answer that is not JSON; empty: JSON.
  std::string content_type = {};
  Freshness freshness = Freshness::kSnapshot;
  // It tells of what happens now, whatever snapshot is named: it takes no `snapshot`.
  bool is_of_present = false;
  bool is_write = false;
  arrow::Result<ApiAnswer> (*call)(ApiCall& call) = nullptr;
};

// The table, in the order of the document.
const std::vector<Endpoint>& ApiEndpoints();

}  // namespace trawl
