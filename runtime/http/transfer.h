// One request on its way through libcurl: the state that HttpClient keeps of it, and the callbacks that libcurl makes
// for it.
//
// A transfer object serves one request after another, each with an easy handle of its own. It decides only about its own
// answer; the client starts it, stops it and watches the time. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formats/http/head.h"
#include "formats/http/target.h"
#include "runtime/http/deadline.h"
#include "runtime/http/http.h"
#include "runtime/http/pool.h"

namespace trawl {

// State shared by the transfers of a client.
struct HttpShared {
  HttpClientOptions options;
  HttpPool* pool = nullptr;
  HttpCounters counters;
  // The time of the current turn of the loop.
  int64_t now_ms = 0;
  // The total size of the collected bodies of transfers in flight.
  int64_t buffered_bytes = 0;
  // Some transfer pauses because of that size.
  bool crowded = false;

  bool IsFull() const {
    return buffered_bytes > options.max_buffered_bytes || (options.is_behind && options.is_behind());
  }
};

class HttpTransfer {
 public:
  // Returns null when out of memory.
  static std::unique_ptr<HttpTransfer> Make(HttpShared* shared);
  ~HttpTransfer();
  HttpTransfer(const HttpTransfer&) = delete;
  HttpTransfer& operator=(const HttpTransfer&) = delete;

  // Gets ready for another request. False when out of memory. REQUIRES: the answer was taken, or nothing was begun.
  // A handle serves one request: libcurl 7.88 keeps a pointer to the last header line of the request before. An answer
  // whose first line is folded would be written through it, into memory that is freed.
  bool Renew();

  void Begin(HttpRequest request, HttpTarget target);
  // Takes the addresses that may be asked. Returns false where there is no such address; the answer is then decided.
  bool TakeAddresses(const DnsAnswer& dns);
  // Makes the easy handle ready for the next address.
  void PrepareAttempt(HttpPool::Host* host, bool may_reuse);
  bool HasNextAddress() const { return next_address_ < addresses_.size(); }

  // Ends the transfer for a reason that libcurl does not know. The first reason given counts.
  void Decide(HttpOutcome outcome, std::string detail);
  // A time limit has passed.
  void DecideBreach(HttpDeadline::Breach breach);
  // libcurl has finished with result `code` (a CURLcode). Returns false where another address should be tried.
  bool DecideResult(int code);
  // Returns the answer, once it is decided and libcurl has let go of the handle.
  HttpAnswer Finish();

  HttpDeadline::Breach CheckDeadline(int64_t now_ms);
  HttpDeadline& deadline() { return *deadline_; }
  void NoteLateLoop(int64_t late_ms);
  // Receives again after a pause. A result other than CURLE_OK (0) has ended the transfer, as if libcurl had reported
  // it.
  int Unpause();

  void* easy() const { return easy_; }
  HttpPool::Host* host() const { return host_; }
  const HttpRequest& request() const { return request_; }
  const HttpTarget& target() const { return target_; }
  const IpAddress& address() const { return answer_.address; }
  bool resolving() const { return host_ == nullptr; }
  bool paused() const { return paused_; }
  bool stale() const { return answer_.stale_connection; }
  bool length_misread() const { return length_misread_; }
  int64_t submitted_ms() const { return submitted_ms_; }

  // Kept by the client: the transfer's place among those in flight, and whether it may receive although bodies pile up.
  size_t place = 0;
  bool may_buffer = false;

 private:
  struct CurlLists;
  explicit HttpTransfer(HttpShared* shared);
  void SetConstantOptions();
  void LinkHeaders();
  void ComposeRequest();

  size_t OnHeaderLine(std::string_view line);
  void ReadProtocol();
  bool OnHeadEnd();
  size_t OnBody(std::string_view bytes);
  bool TakeBody(std::string_view bytes);
  void KeepBody(std::string_view decoded);
  void CountBuffer();
  bool OnRequest(const char* connected_to);
  int OnOpenSocket(const void* address);
  bool HasTcp() const;
  // The remaining bytes are read only to keep the connection: how they end says nothing about the answer.
  bool knows_all() const { return dropping_ && head_->ended(); }
  int64_t MostReceived() const;
  void DecideTransportFailure(int code);
  void DecideTlsFailure(int code);
  void DecideFlood();
  void ReadTimings();
  std::string CurlText(int code) const;

  HttpShared* const shared_;
  void* easy_ = nullptr;
  char error_[256] = {};

  HttpRequest request_;
  HttpTarget target_;
  std::string url_, connect_to_text_, request_lines_;
  std::vector<std::string> own_lines_;
  std::unique_ptr<CurlLists> lists_;

  std::vector<IpAddress> addresses_;
  size_t next_address_ = 0;
  uint16_t port_ = 0;
  HttpPool::Host* host_ = nullptr;
  HttpAnswer answer_;
  std::optional<HttpDeadline> deadline_;
  std::optional<HttpHeadReader> head_;
  std::optional<BodyDecoder> decoder_;
  Sha256 digest_;
  Sha1 sha1_;
  TlsWitness witness_;

  int64_t submitted_ms_ = 0, attempt_ms_ = 0;
  int64_t received_ = 0;
  int64_t dropped_ = 0;
  int64_t buffered_ = 0;  // our part of the shared count
  int socket_ = -1;       // the socket that this attempt opened
  int socket_error_ = 0;
  bool decided_ = false;
  bool finished_ = false;       // the body is whole by our own count
  bool counts_length_ = false;  // we count Content-Length, libcurl does not
  bool dropping_ = false;
  bool body_begun_ = false;
  bool paused_ = false;
  bool sink_full_ = false;
  bool length_misread_ = false;
};

}  // namespace trawl
