// HTTP/2 over TLS by a real server, nghttpd, in a process of its own. It serves files of one host on 127.0.0.1.
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
  // `files` are by name, such as "a.html"; a folder's index.html is its "/". `arguments` are like "--trailer=x: 1".
  static arrow::Result<std::unique_ptr<Http2Server>> Start(TestAuthority& authority, const std::string& host,
                                                           const std::map<std::string, std::string>& files,
                                                           const std::vector<std::string>& arguments = {});
  ~Http2Server();

  uint16_t port() const { return port_; }

  // The requests so far, read from the server's own log of frames.
  struct Streams {
    int opened = 0;
    int connections = 0;  // the number of connections that carried them
    int most_at_once = 0;
  };
  Streams ReadStreams() const;

 private:
  Http2Server() = default;
  TemporaryFolder folder_;
  uint16_t port_ = 0;
  std::unique_ptr<BinaryProcess> process_;
};

// A TCP port of 127.0.0.1 on which nobody listens now.
uint16_t FreePort();
// Waits until somebody accepts connections on the port; false after ten seconds.
bool WaitForPort(uint16_t port);

}  // namespace trawl
