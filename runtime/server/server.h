// The door of runtime/server: an HTTP/1.1 server for many hostile clients and few good ones.
//
// One thread does all input and output, and a small pool runs the handlers. Every phase of a request has a deadline, and
// everything that a client sends has a limit (limits.h). When all connections are taken, a new one takes the place of
// the one that is missed least: one that waits between two requests, then the one that has been slow for longest. Requests
// that come before the answer to the one before (pipelining) are answered in order, when no other client waits.
//
// A request is answered by the server itself where it is not a request (400), comes too slowly (408), has a body without
// Content-Length (411), is too large (413, 431), or where no handler is free (503) or none has answered in time (504).
// The connection is closed after the first five of them. Requests with Transfer-Encoding are refused (411): no client
// that we know needs them, and parsers disagree about them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"
#include "runtime/server/limits.h"
#include "runtime/server/message.h"

namespace trawl {

// What the server asks its owner. All but `handle` are called on the thread of Run, and must not block.
struct ServerHandlers {
  // Answers a request on a thread of the pool.
  ServerHandler handle;
  // Sees a request when its header is there and its body is not. An answer is sent at once, without body and pool; a
  // request whose body was not read ends its connection. May be empty.
  std::function<std::optional<ServerAnswer>(const ServerRequest& request)> admit = {};
  // Asked twice a second about a request whose handler has not answered yet. An answer is sent at once, and the handler is
  // told to stop. May be empty.
  Overtaker overtake = {};
  // Finishes every answer before it is sent, also those that the server gives by itself. `request` is null where none
  // could be read. May be empty.
  std::function<void(const ServerRequest* request, ServerAnswer* answer)> finish = {};
  // Called when an answer is about to be sent, with the time since its request's header was there. May be empty.
  std::function<void(const ServerRequest& request, int status, int64_t ms)> observe = {};
  // Called on SIGHUP, after the server has read its certificate anew; `reloaded` says how that went. May be empty.
  std::function<void(const arrow::Status& reloaded)> on_hangup = {};
};

struct ServerOptions {
  // An IP address. Port 0 lets the system choose.
  std::string address = "127.0.0.1";
  int port = 0;
  // PEM files. Both are empty for a server without TLS.
  std::string certificate = {};
  std::string key = {};
  ServerLimits limits = {};
};

class Server {
 public:
  virtual ~Server() = default;
  // Reads the certificate and listens. From now on clients can connect; Run serves them. `clock` outlives the server.
  static arrow::Result<std::unique_ptr<Server>> Make(const ServerOptions& options, ServerHandlers handlers,
                                                     const Clock& clock);

  virtual int port() const = 0;
  // Serves until `stop` is raised. Then it takes no new connection, gives running answers `leave_ms`, and returns
  // whether every handler has ended. Where it returns false, a handler is stuck in a call that nothing can end: the
  // owner must end the process without destroying what the handler uses.
  virtual arrow::Result<bool> Run(const StopToken& stop) = 0;
};

}  // namespace trawl
