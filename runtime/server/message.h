// A request that the HTTP server has read, and the answer that a handler gives: values, which need no socket.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/process/stop.h"

namespace trawl {

struct ServerRequest {
  std::string method;
  // As it was sent. It begins with '/'.
  std::string target;
  // In the order of the request. Names are in lower case.
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  // The client's IP address.
  std::string address;
  bool is_tls = false;

  // The value of the first field of that name.
  std::optional<std::string_view> Header(std::string_view lower_name) const;
};

struct ServerAnswer {
  int status = 200;
  // The server itself adds Date, Content-Length and Connection.
  std::vector<std::pair<std::string, std::string>> headers;
  // Not sent in answer to HEAD, nor with 204 and 304.
  std::string body;
  // The server waits so long before it sends the answer. No thread waits meanwhile.
  int64_t delay_ms = 0;
};

// Called on the threads of the pool, several calls at once. The token is raised at the deadline of the answer; a handler
// that goes on after that keeps its thread, but its answer reaches nobody.
using ServerHandler = std::function<ServerAnswer(const ServerRequest& request, const StopToken& stop)>;

// The answer that is sent although the handler still works; nothing where the handler may go on.
using Overtaker = std::function<std::optional<ServerAnswer>(const ServerRequest& request)>;

}  // namespace trawl
