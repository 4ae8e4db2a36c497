// One small request to a service of the operator's own, such as YARN's, and its whole answer. Not for the web: no limit
// of politeness and no check of addresses.
//
// Redirects are followed. Where the service asks for Kerberos, the ticket of whoever runs the program answers. Any
// thread.
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
