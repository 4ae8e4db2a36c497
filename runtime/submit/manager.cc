#include "runtime/submit/manager.h"

#include <poll.h>

#include "formats/documents/json.h"
#include "runtime/http/call.h"
#include "runtime/process/status_detail.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr char kApplications[] = "/ws/v1/cluster/apps";
// A submission whose answers are lost is repeated for a minute, as long as a failover of the ResourceManager may take.
constexpr int kMostTries = 60;
// The scheduler takes an application within a second; a busy one may need longer.
constexpr int kMostLooks = 1200;
constexpr int kOk = 200, kAccepted = 202, kNotFound = 404;

// Waits; ends early when asked to stop.
void Pause(const StopToken& stop, int ms) {
  pollfd waiting = {stop.wait_fd(), POLLIN, 0};
  poll(&waiting, 1, ms);
}

// Returns the reason in the ResourceManager's own words: {"RemoteException": {"message": …}}.
std::string ReasonOf(const std::string& body) {
  const Result<Json> json = ParseJson(body);
  if (!json.ok()) return "";
  const Result<const Json*> exception = GetObject(*json, "RemoteException");
  return exception.ok() ? GetString(**exception, "message").ValueOr("").substr(0, 500) : "";
}

}  // namespace

struct ManagerClient::Reply {
  int status = 0;
  std::string body;

  std::string Refusal(const std::string& what) const {
    const std::string reason = ReasonOf(body);
    return "the ResourceManager answered " + std::to_string(status) + " to " + what +
           (reason.empty() ? "" : ": " + reason);
  }
};

struct ManagerClient::State {
  bool is_known = false;
  std::string state;
  std::string user;
};

// A standby ResourceManager answers in a page of its own, or not at all; the active one in JSON, or with an empty body.
Result<ManagerClient::Reply> ManagerClient::Ask(const std::string& method, const std::string& path,
                                                const std::string& body) const {
  Status failure = Status::IOError("the cluster's settings name no ResourceManager");
  for (const std::string& manager : managers_) {
    const Result<HttpReply> reply =
        CallHttp({.url = manager + path + "?user.name=" + user_, .method = method, .body = body});
    if (!reply.ok()) {
      failure = reply.status();
    } else if (reply->status == kOk && !reply->body.starts_with("{")) {
      failure = Status::IOError(manager, ": no ResourceManager that is active answers there");
    } else if (reply->status >= 500 && managers_.size() > 1 && &manager != &managers_.back()) {
      failure = Status::IOError(manager, ": answered ", reply->status);
    } else {
      return Reply{reply->status, reply->body};
    }
  }
  return failure.WithMessage("YARN: ", failure.message());
}

Result<ManagerAnswer> ManagerClient::NewApplication() const {
  ARROW_ASSIGN_OR_RAISE(const Reply reply, Ask("POST", std::string(kApplications) + "/new-application", "{}"));
  const std::string what = "a request for a new application";
  if (reply.status != kOk) return ManagerAnswer{.refused = reply.Refusal(what)};
  const Result<Json> json = ParseJson(reply.body);
  const std::string id = json.ok() ? GetString(*json, "application-id").ValueOr("") : "";
  if (!id.starts_with("application_")) return ManagerAnswer{.refused = reply.Refusal(what) + " without an id"};
  return ManagerAnswer{.id = id};
}

Result<ManagerClient::State> ManagerClient::StateOf(const std::string& id) const {
  ARROW_ASSIGN_OR_RAISE(const Reply reply, Ask("GET", std::string(kApplications) + "/" + id, ""));
  if (reply.status == kNotFound) return State();
  ARROW_ASSIGN_OR_RAISE(const Json json, ParseJson(reply.body));
  ARROW_ASSIGN_OR_RAISE(const Json* application, GetObject(json, "app"));
  ARROW_ASSIGN_OR_RAISE(std::string state, GetString(*application, "state"));
  return State{true, std::move(state), GetString(*application, "user").ValueOr("")};
}

bool ManagerClient::IsUnknown(const std::string& id) const {
  const Result<State> now = StateOf(id);
  return now.ok() && !now->is_known;
}

void ManagerClient::Kill(const std::string& id) const {
  const auto killed = Ask("PUT", std::string(kApplications) + "/" + id + "/state", "{\"state\": \"KILLED\"}");
  (void)killed;  // whoever cannot read the staging folder does not get far
}

// Sets `is_lost` where the ResourceManager took the application and does not know it any more: another one is active now.
Result<ManagerAnswer> ManagerClient::WaitUntilTaken(const std::string& id, const StopToken& stop, bool* is_lost) const {
  Status failure;
  for (int look = 0; look < kMostLooks; ++look) {
    const Result<State> now = StateOf(id);
    failure = now.status();
    *is_lost = now.ok() && !now->is_known;
    if (*is_lost) return ManagerAnswer();
    const bool is_taken = now.ok() && now->state != "NEW" && now->state != "NEW_SAVING" && now->state != "SUBMITTED";
    if (is_taken && now->user != user_) {
      Kill(id);
      return ManagerAnswer{.refused = "the ResourceManager's REST services took it as a job of " + now->user +
                                      ", not of " + user_};
    }
    if (is_taken) return ManagerAnswer{.id = id, .is_over = now->state == "FAILED" || now->state == "KILLED"};
    // What follows it kills it.
    if (now.ok() && stop.stopped()) return ManagerAnswer{.id = id};
    Pause(stop, pauses_.look_ms);
  }
  if (failure.ok()) return ManagerAnswer{.id = id};
  return failure.WithMessage(failure.message(), "; ", id, " may run: the same command takes it up");
}

Result<ManagerAnswer> ManagerClient::Submit(const std::string& id, const std::string& body,
                                            const StopToken& stop) const {
  Status failure;
  bool may_be_taken = false;
  for (int attempt = 0; attempt < kMostTries; ++attempt) {
    const Result<Reply> reply = Ask("POST", kApplications, body);
    bool is_lost = false;
    if (reply.ok() && (reply->status == kAccepted || reply->status == kOk)) {
      ARROW_ASSIGN_OR_RAISE(ManagerAnswer answer, WaitUntilTaken(id, stop, &is_lost));
      if (!is_lost) return answer;
    } else if (reply.ok()) {
      const Result<State> now = StateOf(id);
      if (now.ok() && now->is_known) return WaitUntilTaken(id, stop, &is_lost);
      failure = Status::IOError(reply->Refusal("the submission"));
      if (now.ok() && !may_be_taken) return ManagerAnswer{.refused = failure.message()};
    } else {
      failure = reply.status();
      may_be_taken = true;
    }
    if (stop.stopped()) break;
    Pause(stop, pauses_.try_ms);
  }
  return failure.WithMessage(failure.message(), "; ", id, " may run: the same command takes it up");
}

}  // namespace trawl
