// One small request to a service of the operator's own, such as YARN, and its whole answer. Not for the web: it has no
// politeness and does not check addresses.
//
// Redirects are followed. Where the service asks for Kerberos, it is answered with the ticket of the user who runs the
// program. Any thread.
#pragma once

#include <cstdint>
#include <string>

#include "arrow/result.h"

namespace trawl {

struct HttpCall {
  std::string url;
  std::string method = "GET";
  std::string body = {};  // JSON
  int64_t timeout_ms = 20'000;
};

struct HttpReply {
  int status = 0;
  std::string body;
};

// IOError where no answer came.
arrow::Result<HttpReply> CallHttp(const HttpCall& call);

}  // namespace trawl
