#include "tests/support/web/connection.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace trawl {

namespace {

constexpr size_t kMaxRequestBytes = 64 << 10;

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// Reads "GET /path HTTP/1.1" and fields.
TestRequest ParseRequest(std::string_view raw) {
  TestRequest request;
  std::string_view line = raw.substr(0, raw.find("\r\n"));
  raw.remove_prefix(std::min(raw.size(), line.size() + 2));
  line.remove_prefix(std::min(line.size(), line.find(' ') + 1));
  request.path = std::string(line.substr(0, line.find(' ')));
  while (!raw.empty()) {
    line = raw.substr(0, raw.find("\r\n"));
    raw.remove_prefix(std::min(raw.size(), line.size() + 2));
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    request.headers.emplace_back(Lower(line.substr(0, colon)), std::string(Trim(line.substr(colon + 1))));
  }
  request.host = Lower(request.Header("host"));
  if (!request.host.starts_with('[')) request.host = request.host.substr(0, request.host.find(':'));
  return request;
}

}  // namespace

TestWebConnection::TestWebConnection(int fd, void* ssl, uint64_t id, const Host& host)
    : fd_(fd), ssl_(ssl), id_(id), host_(host) {}

TestWebConnection::~TestWebConnection() {
  if (answering_) EndAnswer(false);
  if (ssl_ != nullptr) {
    if (!reset_) SSL_shutdown(static_cast<SSL*>(ssl_));
    SSL_free(static_cast<SSL*>(ssl_));
  }
  if (reset_) {
    const linger now = {1, 0};
    setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  }
  close(fd_);
}

TestWebConnection::Io TestWebConnection::ReadSome() {
  char buffer[16 << 10];
  ssize_t size;
  if (ssl_ != nullptr) {
    ERR_clear_error();
    size = SSL_read(static_cast<SSL*>(ssl_), buffer, sizeof buffer);
    if (size <= 0) {
      const int error = SSL_get_error(static_cast<SSL*>(ssl_), static_cast<int>(size));
      if (error == SSL_ERROR_WANT_WRITE) wants_write_ = true;
      return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? Io::kBlocked : Io::kClosed;
    }
  } else {
    size = recv(fd_, buffer, sizeof buffer, 0);
    if (size <= 0) return size < 0 && errno == EAGAIN ? Io::kBlocked : Io::kClosed;
  }
  if (in_.empty()) request_began_us_ = host_.now_us();
  in_.append(buffer, static_cast<size_t>(size));
  return in_.size() > kMaxRequestBytes ? Io::kClosed : Io::kDone;
}

bool TestWebConnection::ReadAll() {
  for (;;) {
    const Io io = ReadSome();
    if (io != Io::kDone) return io == Io::kBlocked;
  }
}

bool TestWebConnection::TakeRequest() {
  // The record with which a client begins TLS: a handshake of any version.
  const bool is_hello = !hello_host.empty() && in_.starts_with("\x16\x03");
  const size_t end = is_hello ? in_.size() : in_.find("\r\n\r\n");
  if (end == std::string::npos) return false;
  const std::string raw = in_.substr(0, is_hello ? end : end + 4);
  in_.erase(0, raw.size());
  TestRequest request = is_hello ? TestRequest{.host = hello_host} : ParseRequest(raw);
  request.https = is_https();
  answering_ = true;
  step_ = sent_ = 0;
  due_us_ = -1;
  answer_ = host_.answer(*this, request, raw, request_began_us_);
  request_began_us_ = host_.now_us();
  return true;
}

bool TestWebConnection::Work() {
  wants_write_ = false;
  if (!ReadAll()) return false;
  while (answering_ || TakeRequest()) {
    if (!Play()) return false;
    if (answering_) return true;
  }
  return true;
}

// Plays steps until one has to wait; false where the connection is over.
bool TestWebConnection::Play() {
  while (step_ < answer_.steps.size()) {
    switch (PlayStep(answer_.steps[step_])) {
      case Io::kBlocked:
        return true;
      case Io::kClosed:
        return false;
      case Io::kDone:
        ++step_;
        sent_ = 0;
        due_us_ = -1;
    }
  }
  EndAnswer(true);
  return answer_.keep_alive;
}

TestWebConnection::Io TestWebConnection::PlayStep(const TestStep& step) {
  switch (step.kind) {
    case TestStep::Kind::kSend:
      return WriteSome();
    case TestStep::Kind::kPause:
      if (due_us_ < 0) due_us_ = host_.now_us() + step.ms * 1000;
      return host_.now_us() >= due_us_ ? Io::kDone : Io::kBlocked;
    case TestStep::Kind::kRepeat: {
      if (host_.now_us() < due_us_) return Io::kBlocked;
      const Io io = WriteSome();
      if (io != Io::kDone) return io;
      sent_ = 0;
      due_us_ = host_.now_us() + step.ms * 1000;
      return Io::kBlocked;
    }
    case TestStep::Kind::kReset:
      reset_ = true;
      return Io::kClosed;
    case TestStep::Kind::kClose:
      return Io::kClosed;
    case TestStep::Kind::kHang:
      return Io::kBlocked;
  }
  return Io::kClosed;
}

TestWebConnection::Io TestWebConnection::WriteSome() {
  const std::string& bytes = *answer_.steps[step_].bytes;
  while (sent_ < bytes.size()) {
    last_write_us_ = host_.now_us();
    ssize_t size;
    // Set before the bytes are sent, because the client that they wake may run before this thread does.
    last_send_us_ = host_.now_us();
    if (ssl_ != nullptr) {
      ERR_clear_error();
      size = SSL_write(static_cast<SSL*>(ssl_), bytes.data() + sent_, static_cast<int>(bytes.size() - sent_));
      if (size <= 0) {
        const int error = SSL_get_error(static_cast<SSL*>(ssl_), static_cast<int>(size));
        if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) return Io::kClosed;
        wants_write_ = error == SSL_ERROR_WANT_WRITE;
        return Io::kBlocked;
      }
    } else {
      size = send(fd_, bytes.data() + sent_, bytes.size() - sent_, MSG_NOSIGNAL);
      if (size < 0 && errno != EAGAIN) return Io::kClosed;
      if (size < 0) {
        wants_write_ = true;
        return Io::kBlocked;
      }
    }
    sent_ += static_cast<size_t>(size);
  }
  return Io::kDone;
}

void TestWebConnection::EndAnswer(bool whole) {
  answering_ = false;
  host_.ended(*this, whole);
}

}  // namespace trawl
