// One call of the handler: made by a thread of the pool, awaited on the thread of the server until its deadline.
#pragma once

#include <memory>

#include "runtime/server/asio.h"
#include "runtime/server/handler_pool.h"
#include "runtime/server/message.h"

namespace trawl {

// What calls share. A stuck call may outlive the server, so it shares these with it.
struct TurnSurroundings {
  std::shared_ptr<net::io_context> io;
  std::shared_ptr<const ServerHandler> handler;
};

class Turn {
 public:
  Turn(TurnSurroundings surroundings, ServerRequest request);
  ~Turn();

  struct Terms {
    int64_t deadline_ms = 0;
    bool is_patient = false;              // others go first
    const Overtaker* overtake = nullptr;  // outlives the turn; may be empty
  };
  // The answer of the handler; or 503 where no thread is free for it, 504 where it has not ended at the deadline, and what
  // overtakes it.
  net::awaitable<ServerAnswer> Take(HandlerPool* pool, Terms terms);
  // Stops the handler, and lets Take return at once. The thread of the server.
  void GiveUp();

  const ServerRequest& request() const;
  // Whether a thread has taken the call.
  bool has_begun() const;

 private:
  struct State;
  const std::shared_ptr<State> state_;
};

}  // namespace trawl
