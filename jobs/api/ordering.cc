#include "jobs/api/ordering.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "jobs/views/failure.h"
#include "jobs/views/job_lists.h"
#include "jobs/writes/writes.h"
#include "runtime/process/status_detail.h"
#include "runtime/server/message.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kMostKeyBytes = 255;
constexpr int kRetryFullS = 5;
constexpr int kRetrySoonS = 1;

std::string_view HeaderOf(const ApiCall& call, std::string_view name) {
  if (call.request == nullptr) return {};
  return call.request->Header(name).value_or("");
}

// "respond-async, wait=10" (RFC 7240).
bool PrefersAsync(const ApiCall& call) {
  std::string_view rest = HeaderOf(call, "prefer");
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    std::string_view word = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    word = word.substr(0, word.find(';'));
    const size_t begin = std::min(word.find_first_not_of(" \t"), word.size());
    word = word.substr(begin, word.find_last_not_of(" \t") + 1 - begin);
    if (word == "respond-async") return true;
  }
  return false;
}

Result<OrderName> NameOf(const ApiCall& call) {
  const std::string_view key = HeaderOf(call, "idempotency-key");
  if (key.empty()) return OrderName();
  if (key.size() > kMostKeyBytes) return BadRequest("an Idempotency-Key has at most 255 characters");
  return MakeOrderName(std::string(key), call.request->method, call.request->target, call.request->body);
}

Status RefusalOf(Taking taking) {
  switch (taking) {
    case Taking::kTaken:
      return Status::OK();
    case Taking::kInProgress:
      return ProblemStatus({.status = 409,
                            .detail = "the request with this Idempotency-Key is still being carried out",
                            .retry_after_s = kRetrySoonS});
    case Taking::kOtherOrder:
      return Unprocessable("this Idempotency-Key was that of another request; take a new one");
    case Taking::kFull:
      return ProblemStatus(
          {.status = 503, .detail = "too many writes wait; send this one again", .retry_after_s = kRetryFullS});
    case Taking::kStopping:
      return ProblemStatus({.status = 503, .detail = "the server ends", .retry_after_s = kRetryFullS});
  }
  return Status::Invalid("an unknown refusal");
}

Status FailureOf(const OrderOutcome& outcome) {
  const Status& status = outcome.status;
  if (status.IsKeyError()) return Unknown(status.message());
  if (KindOf(status) == StatusKind::kUsage) return Unprocessable(status.message());
  if (KindOf(status) == StatusKind::kStopped) {
    return ProblemStatus({.status = 503, .detail = status.message(), .retry_after_s = kRetryFullS});
  }
  if (outcome.is_cluster_away) return StoreAway("the cluster does not answer: " + status.message());
  if (!outcome.is_store_away) return status;
  return StoreAway(
      "the store does not answer, so this was not carried out, or it is not known whether it was; sending it "
      "again does no harm: " +
      status.message());
}

ApiAnswer Accepted(const OrderTicket& ticket, bool was_preferred) {
  ApiAnswer answer;
  answer.status = 202;
  answer.body = {{"job", ticket.id()}, {"state", "waiting"}};
  answer.headers = {{"Location", "/api/v1/jobs/" + ticket.id()}, {"Retry-After", std::to_string(kRetrySoonS)}};
  if (was_preferred) answer.headers.emplace_back("Preference-Applied", "respond-async");
  return answer;
}

}  // namespace

Json AcceptedSchema() {
  return {{"type", "object"},
          {"required", Json::array({"job", "state"})},
          {"properties",
           {{"snapshot", {{"type", "integer"}}},
            {"job", {{"type", "string"}, {"description", "ask for /api/v1/jobs/{job}"}}},
            {"state", {{"type", "string"}}}}},
          {"additionalProperties", false}};
}

Result<ApiAnswer> CarryOut(ApiCall& call, Order order) {
  ARROW_ASSIGN_OR_RAISE(const OrderName name, NameOf(call));
  const bool prefers_async = PrefersAsync(call);
  Writes* const writes = call.surroundings.writes;
  if (writes == nullptr) {
    return ProblemStatus({.status = 403, .detail = "this server only reads; start it with --serve.token_file FILE"});
  }
  const TakenOrder taken = writes->Submit(std::move(order), name);
  ARROW_RETURN_NOT_OK(RefusalOf(taken.taking));
  const OrderOutcome* const outcome = prefers_async ? taken.ticket->Wait(0) : writes->WaitFor(*taken.ticket, call.stop);
  if (outcome == nullptr) return Accepted(*taken.ticket, prefers_async);
  ARROW_RETURN_NOT_OK(outcome->status.ok() ? Status::OK() : FailureOf(*outcome));
  ApiAnswer answer;
  answer.body = outcome->answer;
  answer.snapshot = GetInt(answer.body, "snapshot").ValueOr(-1);
  answer.body.erase("snapshot");
  call.views.Published(answer.snapshot);
  call.surroundings.job_lists->Forget();
  return answer;
}

}  // namespace trawl
