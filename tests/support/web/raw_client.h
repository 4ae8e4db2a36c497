// A client of an HTTP server that sends whatever bytes a test wants, and shows what comes back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/process/file_descriptor.h"

namespace trawl {

class RawClient {
 public:
  // Connects to 127.0.0.1; `from` is the loopback address that it comes from. is_open() tells whether that worked.
  explicit RawClient(int port, const std::string& from = "127.0.0.1");

  bool is_open() const { return socket_.is_open(); }
  // False where the server has closed the connection.
  bool Send(std::string_view bytes);
  // One answer: its head, and the body that Content-Length announces. What came, where the connection ends earlier, or
  // nothing comes for 20 s.
  std::string Answer(bool has_body = true);
  // Everything until the server closes the connection.
  std::string Rest();
  // Sends a request and returns the whole answer.
  std::string Ask(std::string_view request) { return Send(request) ? Answer() : ""; }
  // Sends a reset in place of an orderly end.
  void Reset();
  // Takes no more than this at once from the kernel, so that a server has to wait for this client.
  void UseSmallWindow();

 private:
  bool ReadMore();

  FileDescriptor socket_;
  std::string in_;
};

// 200 of "HTTP/1.1 200 OK…"; 0 where there is no such number.
int StatusOf(std::string_view answer);
// What follows the head.
std::string BodyOf(std::string_view answer);

}  // namespace trawl
