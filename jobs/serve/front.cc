#include "jobs/serve/front.h"

#include <algorithm>
#include <utility>

#include "formats/answers/target.h"
#include "formats/documents/json.h"

namespace trawl {

namespace {

std::string FieldOf(const NamedValues& fields, std::string_view name) {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [name](const auto& field) { return field.first == name; });
  return found == fields.end() ? "" : found->second;
}

NamedValues FormOf(const ServerRequest& request) { return ParseForm(request.body).ValueOr(NamedValues()); }

ServerAnswer PlainText(int status, std::string text) {
  return {.status = status,
          .headers = {{"Content-Type", "text/plain; charset=utf-8"}, {"Cache-Control", "no-store"}},
          .body = std::move(text)};
}

bool IsOwn(std::string_view path) { return path == "/healthz" || path == "/readyz" || path == "/metrics"; }

ServerAnswer ReadOnly() {
  ServerAnswer answer = AnswerOfProblem(405, "this address is only read");
  answer.headers.emplace_back("Allow", "GET, HEAD");
  return answer;
}

ServerAnswer StoreIsAway(const arrow::Status& why) {
  ServerAnswer answer = AnswerOfProblem(503, "the store of the crawl is away: " + why.message());
  answer.headers.emplace_back("Retry-After", "5");
  return answer;
}

}  // namespace

std::optional<ServerAnswer> Front::Admit(const ServerRequest& request) {
  std::optional<ServerAnswer> answer = AnswerAtTheDoor(request);
  if (answer) SuitBrowsers(request, &*answer);
  return answer;
}

std::optional<ServerAnswer> Front::Overtake(const ServerRequest& request) const {
  const arrow::Status store = rooms_.store();
  if (store.ok() || !IsRead(request)) return std::nullopt;
  ServerAnswer answer = AnswerWithoutStore(request, store);
  SuitBrowsers(request, &answer);
  return answer;
}

void Front::SuitBrowsers(const ServerRequest& request, ServerAnswer* answer) const {
  // Whoever asks under a foreign name must not read here what the crawl is called.
  constexpr int kMisdirected = 421;
  const bool is_refused = answer->status >= 400 && answer->status != kMisdirected;
  if (is_refused && WantsPage(request) && !IsOwn(PathOf(request)) && !IsForApi(request)) {
    MakePage(VisitorOf(gate_->Identify(request)), answer);
  }
}

void Front::MakePage(const Visitor& visitor, ServerAnswer* answer) const {
  const arrow::Result<Json> problem = ParseJson(answer->body);
  const auto text = [&problem](const char* name) {
    return problem.ok() ? GetString(*problem, name).ValueOr("") : std::string();
  };
  // A form whose session is over: people have no header to send.
  const bool can_mend = answer->status == 401 && visitor.can_log_in;
  const std::string detail =
      can_mend ? "Log in, go back, load the page again, and send the form from there." : text("detail");
  ServerAnswer page = rooms_.error(visitor, answer->status, text("title"), detail);
  page.delay_ms = answer->delay_ms;
  for (const char* const kept : {"Retry-After", "WWW-Authenticate", "Allow"}) {
    for (const auto& field : answer->headers) {
      if (field.first == kept) page.headers.push_back(field);
    }
  }
  *answer = std::move(page);
}

std::optional<ServerAnswer> Front::AnswerAtTheDoor(const ServerRequest& request) const {
  if (auto refusal = gate_->Refusal(request)) return refusal;
  const std::string_view path = PathOf(request);
  const bool is_get = request.method == "GET" || request.method == "HEAD";
  if (IsOwn(path) && !is_get) return ReadOnly();
  if (path == "/healthz") return PlainText(200, "ok\n");
  const arrow::Status store = rooms_.store();
  if (!store.ok()) return AnswerWithoutStore(request, store);
  if (path == "/readyz") {
    const arrow::Status ready = rooms_.ready();
    return ready.ok() ? PlainText(200, "ready\n") : AnswerOfProblem(503, ready.message());
  }
  return std::nullopt;
}

// Handlers may all be stuck in calls of the store, so nothing is left to them.
ServerAnswer Front::AnswerWithoutStore(const ServerRequest& request, const arrow::Status& why) const {
  const std::string_view path = PathOf(request);
  if (path == "/metrics") return rooms_.own_metrics(request);
  if (!path.starts_with("/assets/") || !IsRead(request)) return StoreIsAway(why);
  return rooms_.web(request, VisitorOf(gate_->Identify(request)), StopToken());
}

Visitor Front::VisitorOf(const Caller& caller) const {
  return {.may_write = caller.may_write(),
          .is_logged_in = caller.session.has_value(),
          .can_log_in = gate_->has_token(),
          .form_token = caller.session ? caller.session->form_token : ""};
}

ServerAnswer Front::Handle(const ServerRequest& request, const StopToken& stop) {
  const Caller caller = gate_->Identify(request);
  const Visitor visitor = VisitorOf(caller);
  const std::string_view path = PathOf(request);
  if (path == "/metrics") return rooms_.metrics(request, stop);
  if (path == "/login" && request.method == "POST") return LogIn(request, visitor);
  if (IsForApi(request)) {
    ServerAnswer answer = rooms_.api(request, stop);
    DisarmApiAnswer(&answer);
    return answer;
  }
  if (!IsRead(request) && IsForm(request)) return HandleForm(request, caller, visitor, stop);
  return rooms_.web(request, visitor, stop);
}

// Some paths are both: POST /seeds takes JSON of the API's clients and the form of a page.
bool Front::IsForApi(const ServerRequest& request) const {
  const std::string_view path = PathOf(request);
  if (!rooms_.api_has(path)) return false;
  if (!IsRead(request) && IsForm(request)) return false;
  const bool is_of_page = IsRead(request) && WantsPage(request) && rooms_.api_route("GET", path).empty();
  return !is_of_page;
}

ServerAnswer Front::LogIn(const ServerRequest& request, const Visitor& visitor) {
  const NamedValues form = FormOf(request);
  auto answer = gate_->LogIn(request, FieldOf(form, "token"), FieldOf(form, "next"));
  if (!answer.ok()) return AnswerOfProblem(500, answer.status().message());
  if (*answer) return **std::move(answer);
  ServerAnswer page = rooms_.login(visitor, FieldOf(form, "next"), "This is not the token.");
  page.status = 403;
  page.delay_ms = LoginLimit::kDelayMs;
  return page;
}

ServerAnswer Front::HandleForm(const ServerRequest& request, const Caller& caller, const Visitor& visitor,
                               const StopToken& stop) {
  const bool is_ours = caller.session && FieldOf(FormOf(request), "form_token") == caller.session->form_token;
  if (!is_ours) {
    return rooms_.error(visitor, 403, "This form is too old",
                        "Go back, load the page again, and send the form from there.");
  }
  if (PathOf(request) == "/logout") return gate_->LogOut(request);
  return rooms_.web(request, visitor, stop);
}

void Front::Observe(const ServerRequest& request, int status, int64_t ms) const {
  if (rooms_.served) rooms_.served(RouteOf(request), request.method, status, static_cast<double>(ms) / 1000);
}

std::string Front::RouteOf(const ServerRequest& request) const {
  const std::string_view path = PathOf(request);
  for (const std::string_view own : {"/healthz", "/readyz", "/metrics", "/login", "/logout"}) {
    if (path == own) return std::string(own);
  }
  if (!IsForApi(request)) return path.starts_with("/assets/") ? "assets" : "pages";
  const std::string route = rooms_.api_route(request.method == "HEAD" ? "GET" : request.method, path);
  return route.empty() ? "api" : route;
}

}  // namespace trawl
