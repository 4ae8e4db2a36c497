#include "runtime/server/turn.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/post.hpp>
#include <exception>
#include <optional>

#include "runtime/server/answer_head.h"

namespace trawl {

struct Turn::State {
  State(TurnSurroundings its_surroundings, ServerRequest its_request)
      : surroundings(std::move(its_surroundings)), request(std::move(its_request)), done(*surroundings.io) {}

  const TurnSurroundings surroundings;
  const ServerRequest request;
  // The thread of the server: `done` is cancelled once there is an answer.
  net::steady_timer done;
  std::optional<ServerAnswer> answer;
  std::optional<StopSource> stop;
  bool is_given_up = false;
  std::atomic<bool> has_begun = false;
};

namespace {

constexpr char kRetrySeconds[] = "1";
constexpr auto kLookEvery = std::chrono::milliseconds(500);

ServerAnswer Busy(std::string_view why) {
  ServerAnswer answer = ProblemAnswer(503, why);
  answer.headers.emplace_back("Retry-After", kRetrySeconds);
  return answer;
}

// A handler must not throw; what it uses might, where memory is short.
ServerAnswer Call(const ServerHandler& handler, const ServerRequest& request, const StopToken& stop) {
  try {
    return handler(request, stop);
  } catch (const std::exception& error) {
    return ProblemAnswer(500, error.what());
  }
}

}  // namespace

Turn::Turn(TurnSurroundings surroundings, ServerRequest request)
    : state_(std::make_shared<State>(std::move(surroundings), std::move(request))) {}

Turn::~Turn() = default;

const ServerRequest& Turn::request() const { return state_->request; }

bool Turn::has_begun() const { return state_->has_begun; }

net::awaitable<ServerAnswer> Turn::Take(HandlerPool* pool, Terms terms) {
  arrow::Result<StopSource> stop = StopSource::Make();
  if (!stop.ok()) co_return Busy("the server has too many files open; try again");
  state_->stop = *stop;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(terms.deadline_ms);
  const auto work = [state = state_]() mutable {
    ServerAnswer answer;
    const StopToken token = state->stop->token();
    if (!token.stopped()) {
      state->has_begun = true;
      answer = Call(*state->surroundings.handler, state->request, token);
    }
    // The last owner of the state must be the server's thread, whose timer it has.
    const std::shared_ptr<net::io_context> io = state->surroundings.io;
    net::post(*io, [state = std::move(state), answer = std::move(answer)]() mutable {
      state->answer = std::move(answer);
      state->done.cancel();
    });
  };
  if (!pool->Submit(work, terms.is_patient))
    co_return Busy("the server works on as many requests as it can; try again");
  const bool can_be_overtaken = terms.overtake != nullptr && *terms.overtake;
  std::optional<ServerAnswer> overtaking;
  bool is_over = false;
  while (!is_over) {
    const auto now = std::chrono::steady_clock::now();
    state_->done.expires_at(can_be_overtaken ? std::min(deadline, now + kLookEvery) : deadline);
    NetError ignored;
    co_await state_->done.async_wait(To(&ignored));
    is_over = state_->answer || state_->is_given_up || std::chrono::steady_clock::now() >= deadline;
    if (!is_over && can_be_overtaken) overtaking = (*terms.overtake)(state_->request);
    is_over = is_over || overtaking;
  }
  if (state_->answer) co_return std::move(*state_->answer);
  state_->stop->Stop();
  if (overtaking) co_return std::move(*overtaking);
  if (!state_->has_begun)
    co_return Busy("the server works on as many requests as it can, and this one waited too long; try again");
  co_return ProblemAnswer(504, "the request took longer than " + std::to_string(terms.deadline_ms / 1000) + " s");
}

void Turn::GiveUp() {
  state_->is_given_up = true;
  if (state_->stop) state_->stop->Stop();
  state_->done.cancel();
}

}  // namespace trawl
