// One connection of a test web. It reads requests and plays the steps of their answers; the web's loop drives it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tests/support/web/answer.h"

namespace trawl {

class TestWebConnection {
 public:
  // The services of the web for a connection.
  struct Host {
    // Gives the answer to a request that was read. Its first byte came at `started_us`.
    std::function<TestAnswer(TestWebConnection&, TestRequest&, const std::string& raw, int64_t started_us)> answer;
    // Told when an answer is over, whole or not.
    std::function<void(TestWebConnection&, bool whole)> ended;
    std::function<int64_t()> now_us;
  };

  // Takes over the socket. `ssl` is an SSL in the server's role, which it also takes over, or null.
  TestWebConnection(int fd, void* ssl, uint64_t id, const Host& host);
  ~TestWebConnection();
  TestWebConnection(const TestWebConnection&) = delete;
  TestWebConnection& operator=(const TestWebConnection&) = delete;

  // Reads and writes what is possible. False where the connection is over and must be destroyed.
  bool Work();

  int fd() const { return fd_; }
  // The time when the last sent bytes were handed to the kernel.
  int64_t last_send_us() const { return last_send_us_; }
  uint64_t id() const { return id_; }
  // The time just before the last bytes were sent. A time taken after the call may be later than the client's next
  // step.
  int64_t last_write_us() const { return last_write_us_; }
  bool is_https() const { return ssl_ != nullptr; }
  bool wants_write() const { return wants_write_; }
  // The time when it wants to go on by itself; -1 for never.
  int64_t due_us() const { return due_us_; }

  // The name of the connected host, where this host answers the beginning of a TLS handshake like a request.
  std::string hello_host;
  // The web's log entry for the request that is being answered.
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
