// One connection of a test web: reads requests, plays the steps of their answers. Driven by the web's loop.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tests/support/web/answer.h"

namespace trawl {

class TestWebConnection {
 public:
  // What the web does for a connection.
  struct Host {
    // A request is read: its answer. `started_us` is when its first byte came.
    std::function<TestAnswer(TestWebConnection&, TestRequest&, const std::string& raw, int64_t started_us)> answer;
    // The answer is over, whole or not.
    std::function<void(TestWebConnection&, bool whole)> ended;
    std::function<int64_t()> now_us;
  };

  // Takes the socket. `ssl`: an SSL in the server's role, which it takes as well, or null.
  TestWebConnection(int fd, void* ssl, uint64_t id, const Host& host);
  ~TestWebConnection();
  TestWebConnection(const TestWebConnection&) = delete;
  TestWebConnection& operator=(const TestWebConnection&) = delete;

  // Reads and writes what is possible. False: it is over, destroy it.
  bool Work();

  int fd() const { return fd_; }
  // When the last bytes that were sent were handed to the kernel.
  int64_t last_send_us() const { return last_send_us_; }
  uint64_t id() const { return id_; }
  // When the last bytes were about to go out. Time taken behind the call may be later than the client's next move.
  int64_t last_write_us() const { return last_write_us_; }
  bool is_https() const { return ssl_ != nullptr; }
  bool wants_write() const { return wants_write_; }
  // When it wants to go on by itself; -1: not.
  int64_t due_us() const { return due_us_; }

  // The host that was connected to, where it answers the beginning of a TLS handshake like a request.
  std::string hello_host;
  // The web's place for the log entry of the request that is answered.
  size_t log_index = 0;

 private:
  enum class Io { kDone, kBlocked, kClosed };
  Io ReadSome();
  Io WriteSome();
  bool ReadAll();
  bool TakeRequest();
  bool Play();
  Io PlayStep(const TestStep& step);
  void EndAnswer(bool whole);

  const int fd_;
  void* const ssl_;
  const uint64_t id_;
  const Host& host_;
  std::string in_;
  int64_t request_began_us_ = -1;
  int64_t last_write_us_ = -1;
  TestAnswer answer_;
  bool answering_ = false;
  bool reset_ = false;
  bool wants_write_ = false;
  size_t step_ = 0;
  size_t sent_ = 0;
  int64_t last_send_us_ = 0;
  int64_t due_us_ = -1;
};

}  // namespace trawl
