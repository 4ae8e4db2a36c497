#include "jobs/api/api.h"

#include <algorithm>
#include <utility>

#include "formats/answers/cursor.h"
#include "formats/answers/etag.h"
#include "formats/answers/target.h"
#include "jobs/api/openapi.h"
#include "jobs/api/routes.h"
#include "jobs/live/live.h"
#include "jobs/verb/version.h"
#include "jobs/views/crawl_counts.h"
#include "jobs/views/failure.h"
#include "jobs/views/job_lists.h"
#include "jobs/views/scan_memory.h"
#include "runtime/server/message.h"
#include "runtime/store/status.h"
#include "runtime/terminal/timestamp.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// For the rows that all requests read at once.
constexpr int64_t kMostScanBytes = int64_t{160} << 20;

}  // namespace

struct Api::State {
  explicit State(ApiSurroundings in) : surroundings(std::move(in)) {}
  ApiSurroundings surroundings;
  std::unique_ptr<LiveReader> live;
  std::unique_ptr<JobLists> job_lists;
  ScanMemory memory{kMostScanBytes};
  std::unique_ptr<Views> views;
};

namespace {

// What came of a request, before it is an HTTP answer.
struct Done {
  const Endpoint* endpoint = nullptr;
  std::shared_ptr<const View> view;  // null where no snapshot answered
  ApiAnswer answer;
  std::string etag;       // empty: nothing to compare
  bool is_fixed = false;  // the request names its snapshot
};

struct Asked {
  std::string_view method;
  std::string_view target;
  const ServerRequest* request = nullptr;
};

Status NoSuchPath(std::string_view path) {
  return Unknown("there is no " + std::string(path.substr(0, 200)) + "; /openapi.json lists the paths");
}

// The snapshot that a request names, by ?snapshot or by its cursor; -1: none.
Result<int64_t> NamedSnapshot(const std::map<std::string, Json>& parameters) {
  const auto named = parameters.find("snapshot");
  const int64_t number = named == parameters.end() ? -1 : named->second.get<int64_t>();
  const auto sent = parameters.find("cursor");
  if (sent == parameters.end()) return number;
  const std::optional<Cursor> cursor = ParseCursor(sent->second.get<std::string>());
  if (!cursor) return Unknown("this cursor is none that a list gave out");
  if (number >= 0 && number != cursor->snapshot) {
    return Unknown("this cursor is of snapshot " + std::to_string(cursor->snapshot));
  }
  return cursor->snapshot;
}

Result<TimeMs> NowOf(const ApiSurroundings& in, const std::map<std::string, Json>& parameters) {
  const auto sent = parameters.find("now");
  if (sent != parameters.end()) return ParseTimestamp(sent->second.get<std::string>());
  return in.now_ms != kNoTime ? in.now_ms : in.clock->NowMs();
}

// What decides the answer beside the snapshot: the path, the parameters in order, and the program.
std::string QuestionOf(std::string_view path, const std::map<std::string, Json>& parameters) {
  std::string text = std::string(kVersion) + " " + std::string(path);
  for (const auto& [name, value] : parameters) {
    if (name != "snapshot") text += "\n" + name + "=" + DumpJson(value);
  }
  return text;
}

// Whether a file that the snapshot names was not there.
bool IsMissingFile(const Status& status) {
  return IsNotFound(status) || status.message().find("is missing, though") != std::string::npos;
}

std::string LinkTo(std::string_view path, const NamedValues& query, const std::string& cursor) {
  NamedValues next;
  for (const auto& value : query) {
    if (value.first != "cursor" && value.first != "snapshot") next.push_back(value);
  }
  next.emplace_back("cursor", cursor);
  return "<" + std::string(path) + "?" + FormOf(next) + ">; rel=\"next\"";
}

// `snapshot` first, whatever else the answer has.
Json WithSnapshot(int64_t number, Json body) {
  Json all = {{"snapshot", number}};
  all.update(body);
  return all;
}

ServerAnswer AnswerOf(const Problem& problem) {
  ServerAnswer answer = {.status = problem.status, .headers = {{"Content-Type", kProblemType}}};
  answer.headers.emplace_back("Cache-Control", "no-store");
  if (problem.retry_after_s > 0) answer.headers.emplace_back("Retry-After", std::to_string(problem.retry_after_s));
  std::string allow;
  for (const std::string& method : problem.allow) allow += (allow.empty() ? "" : ", ") + method;
  if (!allow.empty()) answer.headers.emplace_back("Allow", allow);
  answer.body = DumpJson(ToJson(problem)) + "\n";
  return answer;
}

// Bytes of the crawl are hostile: whatever they are, no browser may take them for a page of ours.
void PutRaw(RawBody raw, ServerAnswer* answer) {
  answer->headers.emplace_back("Content-Type", raw.content_type);
  answer->headers.emplace_back("Content-Disposition", "attachment; filename=\"" + raw.file_name + "\"");
  answer->headers.emplace_back("X-Content-Type-Options", "nosniff");
  answer->headers.emplace_back("Content-Security-Policy", "sandbox; default-src 'none'");
  answer->body = std::move(raw.bytes);
}

}  // namespace

// -- one request ------------------------------------------------------------------------------------------------------

namespace {

class Request {
 public:
  Request(const ApiSurroundings& surroundings, Views& views, const StopToken& stop)
      : in_(surroundings), views_(views), stop_(stop) {}

  Result<Done> Run(const Asked& asked) {
    Result<RequestTarget> target = ParseTarget(asked.target);
    if (!target.ok()) return BadRequest("the request's target makes no sense: " + target.status().message());
    const RouteMatch match = FindRoute(ApiEndpoints(), asked.method, target->segments);
    if (match.methods.empty()) return NoSuchPath(target->path);
    if (match.endpoint == nullptr) {
      return ProblemStatus({.status = 405,
                            .detail = std::string(target->path) + " does not know " + std::string(asked.method),
                            .allow = match.methods});
    }
    const Endpoint& endpoint = *match.endpoint;
    ARROW_ASSIGN_OR_RAISE(auto parameters, ReadParameters(endpoint, match.path_values, target->query));
    Json body;
    if (asked.request != nullptr) {
      ARROW_ASSIGN_OR_RAISE(
          body, ReadBody(endpoint, asked.request->Header("content-type").value_or(""), asked.request->body));
    }
    ARROW_ASSIGN_OR_RAISE(const TimeMs now_ms, NowOf(in_, parameters));
    ApiCall call = {.endpoint = endpoint,
                    .surroundings = in_,
                    .views = views_,
                    .view = nullptr,
                    .now_ms = now_ms,
                    .stop = stop_,
                    .parameters = std::move(parameters),
                    .body = std::move(body),
                    .request = asked.request};
    ARROW_ASSIGN_OR_RAISE(Done done, Call(&call));
    done.endpoint = &endpoint;
    const bool is_of_snapshot = endpoint.freshness == Freshness::kSnapshot || done.answer.is_of_snapshot;
    if (done.view != nullptr && is_of_snapshot && !endpoint.is_write) {
      done.etag = MakeEtag(done.view->number(), done.view->snapshot().seal, QuestionOf(target->path, call.parameters));
    }
    if (!done.answer.next.empty()) {
      done.answer.body["next"] = done.answer.next;
      done.answer.headers.emplace_back("Link", LinkTo(target->path, target->query, done.answer.next));
    }
    return done;
  }

 private:
  Result<Done> Call(ApiCall* call) {
    Done done;
    if (call->endpoint.freshness == Freshness::kFixed) {
      ARROW_ASSIGN_OR_RAISE(done.answer, call->endpoint.call(*call));
      return done;
    }
    ARROW_ASSIGN_OR_RAISE(const int64_t named, NamedSnapshot(call->parameters));
    done.is_fixed = named >= 0;
    // The present of a moment ago may have lost its files to gc: a newer one answers then.
    for (int tries = 0;; ++tries) {
      ARROW_ASSIGN_OR_RAISE(call->view, named >= 0 ? views_.At(named) : views_.Present());
      done.view = call->view;
      Result<ApiAnswer> answer = call->endpoint.call(*call);
      // An endpoint may choose an older view, such as the one that is counted.
      done.view = call->view;
      if (answer.ok()) {
        done.answer = *std::move(answer);
        return done;
      }
      if (HasProblem(answer.status()) || !IsMissingFile(answer.status())) return Failed(answer.status());
      ARROW_RETURN_NOT_OK(views_.Check());
      ARROW_ASSIGN_OR_RAISE(const auto present, views_.Present());
      if (call->view->number() == present->number() || named >= 0 || tries == 2) {
        return call->view->number() == present->number() ? Failed(answer.status()) : Taken(*call->view);
      }
    }
  }

  static Status Taken(const View& view) {
    return Gone("trawl gc has taken data of snapshot " + std::to_string(view.number()) +
                "; leave ?snapshot out, or name a newer one");
  }

  // A store that is away now was the reason; else what was read is damaged.
  Status Failed(const Status& status) {
    if (HasProblem(status) || ProblemOf(status).status != 500) return status;
    const Status store = views_.Check();
    return HasProblem(store) ? store : status;
  }

  const ApiSurroundings& in_;
  Views& views_;
  const StopToken& stop_;
};

// The snapshot that the answer names; -1: none.
int64_t SnapshotOf(const Done& done) {
  if (done.answer.snapshot >= 0) return done.answer.snapshot;
  return done.view != nullptr ? done.view->number() : -1;
}

ServerAnswer HttpAnswer(const ServerRequest& request, Done done) {
  ServerAnswer answer = {.status = done.answer.status, .headers = std::move(done.answer.headers)};
  const int64_t snapshot = SnapshotOf(done);
  if (snapshot >= 0) answer.headers.emplace_back("Trawl-Snapshot", std::to_string(snapshot));
  if (done.etag.empty()) {
    const bool may_keep = done.endpoint->freshness == Freshness::kFixed && !done.endpoint->is_write;
    answer.headers.emplace_back("Cache-Control", may_keep ? "no-cache" : "no-store");
  } else {
    answer.headers.emplace_back("ETag", done.etag);
    answer.headers.emplace_back("Cache-Control", done.is_fixed ? "private, max-age=31536000, immutable" : "no-cache");
    if (MatchesEtag(request.Header("if-none-match").value_or(""), done.etag)) {
      answer.status = 304;
      return answer;
    }
  }
  if (done.answer.raw) {
    PutRaw(*std::move(done.answer.raw), &answer);
    return answer;
  }
  answer.headers.emplace_back("Content-Type", "application/json");
  answer.body = DumpJson(snapshot >= 0 ? WithSnapshot(snapshot, std::move(done.answer.body)) : done.answer.body) + "\n";
  return answer;
}

}  // namespace

// -- the door ---------------------------------------------------------------------------------------------------------

Api::Api(ApiSurroundings surroundings) : state_(std::make_unique<State>(std::move(surroundings))) {}
Api::~Api() = default;

Result<std::unique_ptr<Api>> Api::Make(ApiSurroundings surroundings) {
  std::unique_ptr<Api> api(new Api(std::move(surroundings)));
  ApiSurroundings& in = api->state_->surroundings;
  api->state_->live = std::make_unique<LiveReader>(in.store, *in.clock);
  in.live = api->state_->live.get();
  api->state_->job_lists = std::make_unique<JobLists>(*in.clock);
  in.job_lists = api->state_->job_lists.get();
  in.memory = &api->state_->memory;
  const ApiSurroundings* const fixed = &in;
  ARROW_ASSIGN_OR_RAISE(api->state_->views, Views::Make({.store = in.store,
                                                         .options = in.options,
                                                         .clock = in.clock,
                                                         .refresh_ms = in.refresh_ms,
                                                         .threads = in.threads,
                                                         .prepare =
                                                             [fixed](const View& view, const StopToken& stop) {
                                                               const TimeMs now_ms = fixed->now_ms != kNoTime
                                                                                         ? fixed->now_ms
                                                                                         : fixed->clock->NowMs();
                                                               PrepareCounts(view, now_ms, stop);
                                                             },
                                                         .stop = in.stop,
                                                         .say = in.say}));
  return api;
}

bool Api::Has(std::string_view path) const {
  const Result<RequestTarget> target = ParseTarget(path);
  // What is no path at all under the API's folder is answered by its own problem.
  if (!target.ok()) return path.starts_with("/api/");
  return path.starts_with("/api/") || !FindRoute(ApiEndpoints(), "", target->segments).methods.empty();
}

ServerAnswer Api::Answer(const ServerRequest& request, const StopToken& stop) {
  Result<Done> done = Request(state_->surroundings, *state_->views, stop)
                          .Run({.method = request.method, .target = request.target, .request = &request});
  return done.ok() ? HttpAnswer(request, *std::move(done)) : AnswerOf(ProblemOf(done.status()));
}

Result<Json> Api::Get(const std::string& target, const StopToken& stop) {
  ARROW_ASSIGN_OR_RAISE(
      Done done,
      Request(state_->surroundings, *state_->views, stop).Run({.method = "GET", .target = target, .request = nullptr}));
  if (done.answer.raw) return Unknown(target + " is no JSON");
  const int64_t snapshot = SnapshotOf(done);
  return snapshot < 0 ? done.answer.body : WithSnapshot(snapshot, std::move(done.answer.body));
}

Json Api::OpenApi() const { return OpenApiDocument(ApiEndpoints()); }
const std::vector<Endpoint>& Api::endpoints() const { return ApiEndpoints(); }
Views& Api::views() { return *state_->views; }
LiveReader& Api::live() { return *state_->live; }

std::string Api::RouteOf(std::string_view method, std::string_view path) const {
  const Result<RequestTarget> target = ParseTarget(path);
  if (!target.ok()) return "";
  const RouteMatch match = FindRoute(ApiEndpoints(), method, target->segments);
  return match.endpoint == nullptr ? "" : match.endpoint->path;
}

}  // namespace trawl
