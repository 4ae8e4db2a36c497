// One connection from its first byte to its last: reads a request, has it answered, and again. The thread of the server.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "runtime/server/handler_pool.h"
#include "runtime/server/request_reader.h"
#include "runtime/server/roster.h"
#include "runtime/server/server.h"
#include "runtime/server/transport.h"
#include "runtime/server/turn.h"

namespace trawl {

// What the connections of a server share.
struct ServerCore {
  const ServerLimits limits;
  const ServerHandlers handlers;
  const Clock& clock;
  TurnSurroundings turns;
  HandlerPool* const pool;
  Roster roster;
  int64_t held_bytes = 0;  // of bodies, see ServerLimits
  bool is_leaving = false;
};

class Connection : public Guest {
 public:
  // `core` outlives the connection.
  Connection(ServerCore* core, std::unique_ptr<Transport> transport, const std::string& address, bool is_tls);
  ~Connection() override;

  // Serves the client until one of both sides is done.
  net::awaitable<void> Run();
  void Expire() override;
  void End() override;
  bool IsWaiting() const override;

 private:
  // A share of held_bytes, for as long as it lives.
  class Hold;

  // Serves one request. False where the connection is to end.
  net::awaitable<bool> ServeOne(bool is_first, bool is_last);
  // Reads up to the end of the header, or of the body. False where the client is gone or has been refused.
  net::awaitable<bool> ReadHeader(RequestReader* reader, bool is_first);
  net::awaitable<bool> ReadBody(RequestReader* reader);
  // Reads some more bytes into `in_`. False at the end of the connection, or of the time.
  net::awaitable<bool> ReadSome();
  net::awaitable<bool> CallHandler(RequestReader* reader, bool keeps_alive);
  // Finishes an answer and sends it. `request` may be null. False where the connection is over, or to be closed after it.
  net::awaitable<bool> Send(const ServerRequest* request, ServerAnswer* answer, bool keeps_alive);
  // Sends an answer to a request that is not read to its end, and makes the connection linger.
  net::awaitable<void> Refuse(const ServerRequest* request, ServerAnswer* answer);
  // Sleeps; End wakes it.
  net::awaitable<void> Delay(int64_t ms);
  net::awaitable<void> Leave();
  void Enter(GuestPhase phase, int64_t ms);

  ServerCore* const core_;
  const std::unique_ptr<Transport> transport_;
  const std::string address_;
  const bool is_tls_;
  net::steady_timer delay_;
  std::string in_;  // what was read and not yet used
  Turn* turn_ = nullptr;
  int64_t header_at_ms_ = 0;  // when the present request's header was there
  // Whether the present request was there before the answer to the one before was sent.
  bool is_pipelined_ = false;
  bool must_close_ = false;  // after the present answer
  bool is_expired_ = false;
  bool is_ended_ = false;
  bool lingers_ = false;
};

}  // namespace trawl
