// Requests over http and https: the one door to libcurl for fetching.
//
// An HttpClient is one event loop on one thread: Submit requests, Poll for answers. It asks what it is told to ask,
// once: it follows no redirect, repeats no request and keeps no cookie; every limit is counted where bytes arrive,
// every end has a name, and every address is checked when it is connected to. Politeness is its caller's: it says when
// an answer ended. Start at HttpRequest, HttpAnswer and HttpClient.
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
  // All addresses together and the TLS handshake; one address' TCP connection has less.
  int64_t connect_ms = 10'000;
  int64_t connect_address_ms = 3'000;
  // From the request to the first byte of the answer.
  int64_t first_byte_ms = 20'000;
  // After it, fewer bytes than this a second over the window is too slow.
  int64_t min_bytes_per_second = 1'000;
  int64_t speed_window_ms = 10'000;
};

// What is done with the body of an answer whose head has come.
enum class BodyWish : uint8_t {
  kKeep,
  kDrop,    // the answer counts, its body is not read
  kRefuse,  // outcome type_refused; its body is not read
};

struct HttpHead {
  int status = 0;
  std::string_view content_type;
};

// Takes a body as it comes instead of HttpAnswer::body. Called on the loop's thread.
class HttpBodySink {
 public:
  virtual ~HttpBodySink() = default;
  // False: nothing more, please, until HttpClient::Resume. The bytes are taken either way.
  virtual bool Write(std::string_view bytes) = 0;
};

struct HttpRequest {
  // Comes back with the answer; no two requests under way may share it.
  uint64_t id = 0;
  // As a URL parser serialises it. GET.
  std::string url;
  // Sent behind the client's own, in order: If-None-Match and the like. One without a value, or with a line end in it,
  // is left out.
  std::vector<HttpField> headers;
  HttpLimits limits;
  // Empty: every body is kept.
  std::function<BodyWish(const HttpHead&)> on_head;
  HttpBodySink* sink = nullptr;
  // A connection that was kept may be used when it has been idle no longer than this; 0: a new one.
  int64_t reuse_idle_ms = 0;
  // Whether the connection is kept for a later request of this host, for at most `reuse_idle_ms`.
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
  // Bodies collected in answers that are not yet finished; above it most transfers pause, one always goes on.
  int64_t max_buffered_bytes = 256 << 20;
  // Where this is true the answers before wait for room elsewhere, and it is as if that were passed. May be empty.
  std::function<bool()> is_behind;
  int hosts_per_multi = 500;
  // Where this is false all requests are cancelled before any socket is touched. Asked after every wait, for who knows
  // how long this process was stopped in it, and before every request that is sent. May be empty.
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
  // `clock` must outlive it.
  static arrow::Result<std::unique_ptr<HttpClient>> Make(const HttpClientOptions& options, const Clock& clock);
  virtual ~HttpClient() = default;

  // Starts a request. Every request is answered exactly once, from Poll.
  virtual void Submit(HttpRequest request) = 0;
  // Works for at most about `max_wait_ms`, less when answers are there or Wake was called; appends what is finished.
  virtual void Poll(int max_wait_ms, std::vector<HttpAnswer>* done) = 0;
  // The sink of request `id` takes more.
  virtual void Resume(uint64_t id) = 0;
  // Answers every request under way as cancelled, with what is there of it.
  virtual void CancelAll() = 0;

  // The turn of `origin` ("https://host:port") is over: its kept connections are closed.
  virtual void EndHost(const std::string& origin) = 0;
  // Looks a host's name up ahead of its requests. Calls back once, at once or from Poll; not when the client goes before.
  virtual void Resolve(const std::string& host, std::function<void(const DnsAnswer&)> callback) = 0;

  // Ends the present or the next wait in Poll. The only function for other threads.
  virtual void Wake() = 0;

  virtual size_t under_way() const = 0;
  virtual const HttpCounters& counters() const = 0;
  virtual const DnsCounters& dns_counters() const = 0;
};

}  // namespace trawl
