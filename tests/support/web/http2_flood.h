// A server that speaks just enough HTTP/2 to be asked, and then sends frames without end. On a thread of its own, on
// 127.0.0.1, one connection at a time.
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
  // As frames are on the wire (RFC 9113 4.1); `payload` follows its header.
  static std::string Frame(uint8_t type, uint8_t flags, uint32_t stream, std::string_view payload);

  // Whoever connects is sent `first`, and then `frames` again and again: until it goes, or has got half a GiB.
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
