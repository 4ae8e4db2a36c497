// What a client may cost the HTTP server: bytes, connections and time.
#pragma once

#include <cstdint>

namespace trawl {

struct ServerLimits {
  // Bytes. The request line has the limit of the header, too.
  int64_t header_bytes = 8 << 10;
  int64_t body_bytes = 1 << 20;
  // Read ahead from a connection.
  int64_t buffer_bytes = 16 << 10;
  // All bodies that the server holds at once: requests that arrive and answers that leave. Bodies of up to 64 KiB are
  // not counted.
  int64_t held_bytes = int64_t{64} << 20;

  int32_t connections = 256;
  int32_t connections_per_address = 32;
  int32_t requests_per_connection = 100;

  int32_t handlers = 4;
  int32_t waiting = 64;  // requests, for a handler

  // Each is the time of a whole phase, not of one read or write.
  int64_t header_ms = 5'000;    // from the connection, or the first byte of a later request, to the end of the header
  int64_t between_ms = 15'000;  // from an answer to the first byte of the next request
  int64_t body_ms = 10'000;
  int64_t handler_ms = 30'000;  // until the handler has answered; its wait for a thread counts
  int64_t answer_ms = 30'000;   // until the client has taken the answer
  int64_t linger_ms = 1'000;    // after a refused request: the client may read why, before the connection is gone
  int64_t leave_ms = 10'000;    // for running answers, once the server is asked to stop
};

}  // namespace trawl
