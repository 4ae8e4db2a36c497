// Where the server listens, and what that asks for: whom others can reach must know who they are, and hide what they say.
// Pure; any thread.
#pragma once

#include <string>

#include "arrow/result.h"
#include "arrow/status.h"
#include "jobs/verb/serve_options.h"

namespace trawl {

struct ListenAddress {
  std::string ip;
  int port = 0;
  bool is_loopback = false;

  // "127.0.0.1:8765", "[::1]:8765".
  std::string HostAndPort(int bound_port) const;
};

// Reads "127.0.0.1:8765", "[::1]:0", "localhost:8765" (which is 127.0.0.1). UsageError for anything else.
arrow::Result<ListenAddress> ParseListenAddress(const std::string& text);

// UsageError, which says what to type, where the options would let others in unasked or let them read along, or where
// they contradict each other.
arrow::Status CheckExposure(const ServeOptions& options, const ListenAddress& address);

// Whether reads need the token, too: others may come in, or the options say so.
bool ReadsNeedToken(const ServeOptions& options, const ListenAddress& address);

}  // namespace trawl
