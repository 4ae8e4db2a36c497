// The door of jobs/serve: leads a request to the room that answers it, past the gate, and makes every answer safe.
//
//   /healthz, /readyz      here; the first is 200 as long as the process lives
//   /login, /logout        here; the form itself is a page
//   a path of the API      jobs/api; a form that is sent to such a path is a page's
//   /metrics               jobs/metrics
//   everything else        jobs/web
//
// While the store is away, everything but /healthz, /metrics and /assets/… is answered with 503 at once, also reads that
// wait for it already. Any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "arrow/status.h"
#include "jobs/serve/gate.h"
#include "jobs/web/visitor.h"
#include "runtime/server/message.h"

namespace trawl {

// The rooms that answer. Tests hand in their own.
struct FrontRooms {
  std::function<bool(std::string_view path)> api_has;
  // The template of the API's endpoint; empty where it has none for this method and path.
  std::function<std::string(std::string_view method, std::string_view path)> api_route;
  ServerHandler api;
  std::function<ServerAnswer(const ServerRequest& request, const Visitor& visitor, const StopToken& stop)> web;
  // The login form, with the reason why the last try failed.
  std::function<ServerAnswer(const Visitor& visitor, std::string_view next, std::string_view fault)> login;
  // A page that tells of an error.
  std::function<ServerAnswer(const Visitor& visitor, int status, std::string_view title, std::string_view detail)>
      error;
  ServerHandler metrics;
  // The metrics without those of the crawl. Must not wait.
  std::function<ServerAnswer(const ServerRequest& request)> own_metrics;
  // OK, or why the store is away. Must not wait.
  std::function<arrow::Status()> store;
  // OK, or why the present cannot be read although the store is there. Must not wait.
  std::function<arrow::Status()> ready;
  // Counts an answer. `route` is a template, or the name of a room.
  std::function<void(std::string_view route, std::string_view method, int status, double seconds)> served;
};

class Front {
 public:
  // `gate` outlives it.
  Front(Gate* gate, FrontRooms rooms) : gate_(gate), rooms_(std::move(rooms)) {}

  // The answer to a request that gets no further than its header. A browser is told by a page, a program by problem+json.
  std::optional<ServerAnswer> Admit(const ServerRequest& request);
  ServerAnswer Handle(const ServerRequest& request, const StopToken& stop);
  // The answer to a read whose handler waits for a store that has gone away since. What was ordered may still be carried
  // out, so whoever changes something waits for its own answer.
  std::optional<ServerAnswer> Overtake(const ServerRequest& request) const;
  void Observe(const ServerRequest& request, int status, int64_t ms) const;

 private:
  std::optional<ServerAnswer> AnswerAtTheDoor(const ServerRequest& request) const;
  // REQUIRES: the store is away, which `why` tells.
  ServerAnswer AnswerWithoutStore(const ServerRequest& request, const arrow::Status& why) const;
  // A browser is told of a refusal by a page.
  void SuitBrowsers(const ServerRequest& request, ServerAnswer* answer) const;
  void MakePage(const Visitor& visitor, ServerAnswer* problem) const;
  Visitor VisitorOf(const Caller& caller) const;
  bool IsForApi(const ServerRequest& request) const;
  ServerAnswer LogIn(const ServerRequest& request, const Visitor& visitor);
  ServerAnswer HandleForm(const ServerRequest& request, const Caller& caller, const Visitor& visitor,
                          const StopToken& stop);
  std::string RouteOf(const ServerRequest& request) const;

  Gate* const gate_;
  const FrontRooms rooms_;
};

// Adds what every answer has: no sniffing, no referrer, nothing for other sites, and a policy that runs no foreign script.
void AddSafety(ServerAnswer* answer);
// Makes a download of an answer of the API whose type a browser might show or run.
void DisarmApiAnswer(ServerAnswer* answer);

}  // namespace trawl
