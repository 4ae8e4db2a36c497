// HTTP/2 over TLS by a real server, nghttpd, as a process of its own: files of one host on 127.0.0.1.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "tests/support/process/run_binary.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/web/certificates.h"

namespace trawl {

class Http2Server {
 public:
  // `files` by name, "a.html"; a folder's index.html is its "/". `arguments`: "--trailer=x: 1" and the like.
  static arrow::Result<std::unique_ptr<Http2Server>> Start(TestAuthority& authority, const std::string& host,
                                                           const std::map<std::string, std::string>& files,
                                                           const std::vector<std::string>& arguments = {});
  ~Http2Server();

  uint16_t port() const { return port_; }

  // Requests until now, by the server's own log of frames.
  struct Streams {
    int opened = 0;
    int connections = 0;  // on which they were
    int most_at_once = 0;
  };
  Streams ReadStreams() const;

 private:
  Http2Server() = default;
  TemporaryFolder folder_;
  uint16_t port_ = 0;
  std::unique_ptr<BinaryProcess> process_;
};

// A TCP port of 127.0.0.1 that nobody listens on just now.
uint16_t FreePort();
// Waits until somebody accepts connections there; false after ten seconds.
bool WaitForPort(uint16_t port);

}  // namespace trawl
