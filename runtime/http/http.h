// The door of runtime/http: requests over http and https, and the one door to libcurl for fetching.
//
// An HttpClient is one event loop on one thread: Submit requests, Poll for answers. It sends each request once: it
// follows no redirect, repeats no request and keeps no cookie. Every limit is counted where bytes arrive, every end has
// a name, and every address is checked when it is connected to. Politeness is the caller's task; the client tells it
// when an answer ended. Start at HttpRequest, HttpAnswer and HttpClient.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/result.h"
#include "runtime/http/answer.h"
#include "runtime/net/dns.h"
#include "runtime/process/clock.h"

namespace trawl {

struct HttpField {
  std::string name;
  std::string value;
};

struct HttpLimits {
  int64_t max_body_bytes = 10 << 20;
  int64_t max_ratio = 200;
  int64_t max_header_bytes = 64 << 10;
  int max_header_fields = 100;
  int64_t total_ms = 30'000;
  // Limit for trying all addresses and the TLS handshake together; one address' TCP connection gets less.
  int64_t connect_ms = 10'000;
  int64_t connect_address_ms = 3'000;
  // From the request to the first byte of the answer.
  int64_t first_byte_ms = 20'000;
  // After the first byte, fewer bytes per second than this over the window is too slow.
  int64_t min_bytes_per_second = 1'000;
  int64_t speed_window_ms = 10'000;
};

// The caller's decision about the body of an answer whose head has come.
enum class BodyWish : uint8_t {
  kKeep,
  kDrop,    // the answer counts, but its body is not read
  kRefuse,  // the outcome is type_refused; the body is not read
};

struct HttpHead {
  int status = 0;
  std::string_view content_type;
};

// Takes a body as it comes instead of HttpAnswer::body. Called on the loop's thread.
class HttpBodySink {
 public:
  virtual ~HttpBodySink() = default;
  // Takes the bytes. Returns false to get no more until HttpClient::Resume.
  virtual bool Write(std::string_view bytes) = 0;
};

struct HttpRequest {
  // Returned with the answer; no two requests in flight may share it.
  uint64_t id = 0;
  // As a URL parser serialises it. The method is GET.
  std::string url;
  // Sent after the client's own headers, in order: If-None-Match and the like. A header without a value, or with a line
  // end in it, is left out.
  std::vector<HttpField> headers;
  HttpLimits limits;
  // Empty: every body is kept.
  std::function<BodyWish(const HttpHead&)> on_head;
  HttpBodySink* sink = nullptr;
  // A kept connection may be used when it has been idle no longer than this; 0: always a new one.
  int64_t reuse_idle_ms = 0;
  // Whether the connection is kept for a later request to this host, for at most `reuse_idle_ms`.
  bool keep_connection = false;
  bool http2 = true;
};

struct HttpClientOptions {
  DnsOptions dns;
  bool allow_private = false;
  bool allow_public = true;
  // Empty: the system's certificates.
  std::string ca_file;
  // Sent with every request.
  std::vector<HttpField> headers = {{"Accept", "*/*"}, {"Accept-Encoding", "gzip, br, zstd, deflate"}};
  // Total size of bodies collected in unfinished answers; above it most transfers pause, but one always continues.
  int64_t max_buffered_bytes = 256 << 20;
  // While this returns true, downstream is full; the client behaves as if max_buffered_bytes were exceeded. May be
  // empty.
  std::function<bool()> is_behind;
  int hosts_per_multi = 500;
  // When this returns false, all requests are cancelled before any socket is touched. It is called after every wait,
  // because this process may have been stopped for any time during it, and before every request that is sent. May be
  // empty.
  std::function<bool()> may_ask;
};

struct HttpCounters {
  int64_t submitted = 0;
  int64_t answered = 0;
  int64_t connections = 0;
  int64_t reused = 0;
  int64_t stale = 0;
  int64_t paused = 0;
  int64_t late_loops = 0;
};

class HttpClient {
 public:
  // `clock` must outlive the client.
  static arrow::Result<std::unique_ptr<HttpClient>> Make(const HttpClientOptions& options, const Clock& clock);
  virtual ~HttpClient() = default;

  // Starts a request. Every request is answered exactly once, from Poll.
  virtual void Submit(HttpRequest request) = 0;
  // Works for at most about `max_wait_ms`, less when answers are ready or Wake was called; appends the finished
  // answers.
  virtual void Poll(int max_wait_ms, std::vector<HttpAnswer>* done) = 0;
  // The sink of request `id` takes bytes again.
  virtual void Resume(uint64_t id) = 0;
  // Answers every request in flight as cancelled, with the part received so far.
  virtual void CancelAll() = 0;

  // The host's turn is over: the kept connections to `origin` ("https://host:port") are closed.
  virtual void EndHost(const std::string& origin) = 0;
  // Looks a host's name up ahead of its requests. Calls back once, immediately or from Poll; never after the client's
  // end.
  virtual void Resolve(const std::string& host, std::function<void(const DnsAnswer&)> callback) = 0;

  // Ends the current or the next wait in Poll. The only function that other threads may call.
  virtual void Wake() = 0;

  virtual size_t under_way() const = 0;
  virtual const HttpCounters& counters() const = 0;
  virtual const DnsCounters& dns_counters() const = 0;
};

}  // namespace trawl
