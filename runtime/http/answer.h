// The result of a request: one outcome, and everything received until then. A value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/address/address.h"
#include "formats/digests/digest.h"
#include "runtime/decode/decode.h"
#include "runtime/http/tls.h"

namespace trawl {

enum class HttpOutcome : uint8_t {
  kAnswered,  // with any status; the body may be cut, see `end`
  kTimeout,
  kTooSlow,
  kConnectFailed,
  kDnsFailed,
  kTlsFailed,
  kConnectionReset,
  kProtocolError,
  kHeaderLimit,
  kAddressRefused,
  kSchemeRefused,
  kDecodeError,
  kTypeRefused,
  kCancelled,
};
// "connect_failed"
std::string_view HttpOutcomeName(HttpOutcome outcome);

// Milliseconds from Submit to the end of each stage; -1 where the stage was not reached or, on a kept connection, not
// needed.
struct HttpTimings {
  int64_t dns_ms = -1;
  int64_t connect_ms = -1;
  int64_t tls_ms = -1;
  int64_t first_byte_ms = -1;
  int64_t total_ms = 0;
};

struct HttpAnswer {
  uint64_t id = 0;
  HttpOutcome outcome = HttpOutcome::kAnswered;
  // Explains the outcome in words; "" where there is nothing to add.
  std::string detail;
  TlsFault tls_fault = TlsFault::kNone;
  CertificateFacts certificate;  // where the TLS handshake failed because of it

  int status = 0;
  std::string content_type;
  std::string location;
  std::string raw_request;   // the header section as HTTP/1.1 writes it; empty where nothing was sent
  std::string raw_headers;   // the answer's header section, as it came
  std::string http_version;  // "1.0", "1.1", "2"; empty where no head came
  std::string tls_version;   // "TLSv1.3"; empty without TLS, or where no head came

  BodyEnd end = BodyEnd::kComplete;
  std::string body;           // empty where a sink took it
  Sha256Value body_digest{};  // digest of the decoded bytes
  Sha1Value body_sha1{};      // the same bytes, by the digest that archives use
  std::string kept_codings;   // content codings that are still on the body
  int64_t wire_bytes = 0;     // size of the body before decoding
  int64_t decoded_bytes = 0;
  int64_t header_bytes = 0;

  HttpTimings timings;
  // Clock::MonotonicMs when it was over: the host's delay counts from here.
  int64_t ended_ms = 0;
  IpAddress address;
  bool has_address = false;
  // Whether a request reached a server: only then does it count against the host's delay.
  bool sent = false;
  bool reused_connection = false;
  // A kept connection died before the first byte, or the answer's length can be read only where the connection is not
  // kept. Nobody is to blame; ask again later. This client keeps no more connections to the host.
  bool stale_connection = false;
  // Nobody is there to answer: its name or its addresses do not exist, or they refuse the connection. A server that is
  // late, or name servers that fail, are something else.
  bool nobody_there = false;
  // Our own machine was late or out of some resource: nobody else is blamed for a timeout or failed connection.
  bool own_fault = false;
};

}  // namespace trawl
