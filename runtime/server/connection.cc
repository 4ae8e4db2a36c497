#include "runtime/server/connection.h"

#include <algorithm>
#include <array>

#include "runtime/server/answer_head.h"

namespace trawl {

// Results of co_await are named before they are used: g++ 12 makes wrong code of a co_await in the condition of an if
// that is in a loop.

class Connection::Hold {
 public:
  explicit Hold(ServerCore* core) : core_(core) {}
  ~Hold() { core_->held_bytes -= bytes_; }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

  // False where others hold so much that there is no room for it.
  bool Take(int64_t bytes) {
    constexpr int64_t kFree = 64 << 10;
    if (bytes <= kFree) return true;
    if (core_->held_bytes > 0 && core_->held_bytes + bytes > core_->limits.held_bytes) return false;
    bytes_ += bytes;
    core_->held_bytes += bytes;
    return true;
  }

 private:
  ServerCore* const core_;
  int64_t bytes_ = 0;
};

namespace {

ServerAnswer Full() {
  ServerAnswer answer = ProblemAnswer(503, "the server holds as many large bodies as it may; try again");
  answer.headers.emplace_back("Retry-After", "1");
  return answer;
}

}  // namespace

Connection::Connection(ServerCore* core, std::unique_ptr<Transport> transport, const std::string& address, bool is_tls)
    : Guest(address),
      core_(core),
      transport_(std::move(transport)),
      address_(address),
      is_tls_(is_tls),
      delay_(*core->turns.io) {
  Enter(GuestPhase::kHeader, core->limits.header_ms);
  core_->roster.Add(this);
}

Connection::~Connection() { core_->roster.Remove(this); }

void Connection::Enter(GuestPhase phase, int64_t ms) {
  const int64_t now_ms = core_->clock.MonotonicMs();
  EnterPhase(phase, now_ms, now_ms + ms);
}

void Connection::Expire() {
  is_expired_ = true;
  transport_->Cancel();
}

bool Connection::IsWaiting() const { return turn_ != nullptr && !turn_->has_begun(); }

void Connection::End() {
  const bool may_be_told = IsWaiting() && !core_->is_leaving;
  if (may_be_told) {
    must_close_ = true;
    return turn_->GiveUp();  // which is answered with 503
  }
  is_ended_ = true;
  transport_->Close();
  delay_.cancel();
  if (turn_ != nullptr) turn_->GiveUp();
}

net::awaitable<void> Connection::Run() {
  const bool is_open = co_await transport_->Open();
  bool goes_on = is_open;
  for (int served = 1; goes_on; ++served) {
    goes_on = co_await ServeOne(served == 1, served >= core_->limits.requests_per_connection);
  }
  if (is_open && !is_ended_) co_await Leave();
  transport_->Close();
}

net::awaitable<bool> Connection::ServeOne(bool is_first, bool is_last) {
  RequestReader reader(core_->limits);
  const bool has_header = co_await ReadHeader(&reader, is_first);
  if (!has_header) co_return false;
  header_at_ms_ = core_->clock.MonotonicMs();
  reader.request().address = address_;
  reader.request().is_tls = is_tls_;
  const bool keeps_alive = reader.keeps_alive() && !is_last;
  Hold hold(core_);
  std::optional<ServerAnswer> answer;
  if (core_->handlers.admit) answer = core_->handlers.admit(reader.request());
  if (!answer && !hold.Take(reader.body_bytes())) answer = Full();
  if (answer && reader.state() == ReaderState::kDone) {
    const bool goes_on = co_await Send(&reader.request(), &*answer, keeps_alive);
    co_return goes_on;
  }
  if (answer) {
    co_await Refuse(&reader.request(), &*answer);
    co_return false;
  }
  const bool is_whole = co_await ReadBody(&reader);
  if (!is_whole) co_return false;
  const bool goes_on = co_await CallHandler(&reader, keeps_alive);
  co_return goes_on;
}

net::awaitable<bool> Connection::ReadHeader(RequestReader* reader, bool is_first) {
  is_pipelined_ = !is_first && !in_.empty();
  if (!is_first) Enter(GuestPhase::kBetween, core_->limits.between_ms);
  bool is_there = true;
  while (is_there && reader->state() == ReaderState::kHeader) {
    if (in_.empty()) is_there = co_await ReadSome();
    if (in_.empty()) continue;
    if (!reader->has_begun() && !is_first) Enter(GuestPhase::kHeader, core_->limits.header_ms);
    const size_t before = in_.size();
    in_.erase(0, reader->Take(in_));
    const bool wants_more = reader->state() == ReaderState::kHeader && in_.size() == before;
    if (wants_more) is_there = co_await ReadSome();
  }
  if (reader->state() == ReaderState::kRefused) {
    co_await Refuse(nullptr, &reader->refusal());
  } else if (is_expired_ && reader->has_begun()) {
    // A client that has not begun a request does not wait for an answer.
    ServerAnswer answer = ProblemAnswer(408, "the header of the request came too slowly");
    co_await Refuse(nullptr, &answer);
  }
  co_return is_there && reader->state() != ReaderState::kRefused;
}

net::awaitable<bool> Connection::ReadBody(RequestReader* reader) {
  if (reader->state() != ReaderState::kBody) co_return true;
  Enter(GuestPhase::kBody, core_->limits.body_ms);
  bool is_there = true;
  if (reader->expects_continue() && in_.empty()) {
    is_there = co_await transport_->Write("HTTP/1.1 100 Continue\r\n\r\n");
  }
  while (is_there && reader->state() == ReaderState::kBody) {
    if (in_.empty()) is_there = co_await ReadSome();
    in_.erase(0, reader->Take(in_));
  }
  if (!is_there && is_expired_) {
    ServerAnswer answer = ProblemAnswer(408, "the body of the request came too slowly");
    co_await Refuse(&reader->request(), &answer);
  }
  co_return is_there;
}

net::awaitable<bool> Connection::ReadSome() {
  const size_t before = in_.size();
  const size_t most = static_cast<size_t>(core_->limits.buffer_bytes);
  if (before >= most || is_expired_) co_return false;
  in_.resize(most);
  const size_t size = co_await transport_->Read(net::buffer(in_.data() + before, most - before));
  in_.resize(before + size);
  co_return size > 0;
}

net::awaitable<bool> Connection::CallHandler(RequestReader* reader, bool keeps_alive) {
  EnterPhase(is_pipelined_ ? GuestPhase::kPipeline : GuestPhase::kHandler, core_->clock.MonotonicMs(), INT64_MAX);
  Turn turn(core_->turns, std::move(reader->request()));
  turn_ = &turn;
  const Turn::Terms terms = {
      .deadline_ms = core_->limits.handler_ms, .is_patient = is_pipelined_, .overtake = &core_->handlers.overtake};
  ServerAnswer answer = co_await turn.Take(core_->pool, terms);
  turn_ = nullptr;
  if (is_ended_) co_return false;
  const bool goes_on = co_await Send(&turn.request(), &answer, keeps_alive);
  co_return goes_on;
}

net::awaitable<bool> Connection::Send(const ServerRequest* request, ServerAnswer* answer, bool keeps_alive) {
  Hold hold(core_);
  if (!hold.Take(static_cast<int64_t>(answer->body.size()))) *answer = Full();
  if (core_->handlers.finish) core_->handlers.finish(request, answer);
  if (!IsSendable(*answer)) *answer = ProblemAnswer(500, "the answer had a field that cannot be sent");
  Enter(GuestPhase::kAnswer, core_->limits.answer_ms + answer->delay_ms);
  if (answer->delay_ms > 0) co_await Delay(answer->delay_ms);
  if (is_ended_) co_return false;
  if (request != nullptr && core_->handlers.observe) {
    core_->handlers.observe(*request, answer->status, core_->clock.MonotonicMs() - header_at_ms_);
  }
  keeps_alive = keeps_alive && !core_->is_leaving && !must_close_;
  const bool has_body = !(request != nullptr && request->method == "HEAD") && !HasNoBody(answer->status);
  std::string head = AnswerHead(*answer, keeps_alive, core_->clock.NowMs());
  constexpr size_t kOnePacket = 16 << 10;
  const bool is_joined = has_body && answer->body.size() <= kOnePacket;
  if (is_joined) head += answer->body;
  bool is_sent = co_await transport_->Write(head);
  if (is_sent && has_body && !is_joined) is_sent = co_await transport_->Write(answer->body);
  if (!is_sent) End();
  co_return is_sent&& keeps_alive;
}

net::awaitable<void> Connection::Refuse(const ServerRequest* request, ServerAnswer* answer) {
  is_expired_ = false;
  lingers_ = true;
  co_await Send(request, answer, false);
}

net::awaitable<void> Connection::Delay(int64_t ms) {
  NetError ignored;
  delay_.expires_after(std::chrono::milliseconds(ms));
  co_await delay_.async_wait(To(&ignored));
}

// Closing a socket with unread bytes resets the connection, and a reset makes a client lose the answer that it has not
// read yet. So the bytes of a refused request are read for a moment, up to a limit.
net::awaitable<void> Connection::Leave() {
  Enter(GuestPhase::kLinger, core_->limits.linger_ms);
  co_await transport_->Finish();
  std::array<char, 4096> space;
  for (int64_t left = 4 * core_->limits.body_bytes; lingers_ && !is_ended_ && left > 0;) {
    const size_t size = co_await transport_->Read(net::buffer(space));
    if (size == 0) break;
    left -= static_cast<int64_t>(size);
  }
}

}  // namespace trawl
