// A server that speaks just enough HTTP/2 to receive a request, and then sends frames without end. It runs on a thread
// of its own, on 127.0.0.1, with one connection at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "arrow/result.h"
#include "tests/support/web/certificates.h"

namespace trawl {

class Http2Flood {
 public:
  // A frame as it is on the wire (RFC 9113 4.1): its header, then `payload`.
  static std::string Frame(uint8_t type, uint8_t flags, uint32_t stream, std::string_view payload);

  // Sends `first` to each client, and then `frames` again and again, until the client goes or has received half a GiB.
  static arrow::Result<std::unique_ptr<Http2Flood>> Start(TestAuthority& authority, const std::string& host,
                                                          std::string first, std::string_view frames);
  ~Http2Flood();

  uint16_t port() const { return port_; }

 private:
  Http2Flood() = default;
  void Serve(void* ssl_context);
  void Flood(void* ssl) const;

  std::string first_, frames_;
  int listener_ = -1;
  uint16_t port_ = 0;
  std::atomic<bool> ends_ = false;
  std::atomic<int> connection_ = -1;
  std::thread thread_;
};

}  // namespace trawl
