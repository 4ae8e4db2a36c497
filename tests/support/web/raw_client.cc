#include "tests/support/web/raw_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <cstdlib>

namespace trawl {

namespace {

sockaddr_in AddressOf(const std::string& ip, int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  inet_pton(AF_INET, ip.c_str(), &address.sin_addr);
  return address;
}

}  // namespace

RawClient::RawClient(int port, const std::string& from) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const sockaddr_in own = AddressOf(from, 0), server = AddressOf("127.0.0.1", port);
  if (bind(socket_.get(), reinterpret_cast<const sockaddr*>(&own), sizeof(own)) != 0 ||
      connect(socket_.get(), reinterpret_cast<const sockaddr*>(&server), sizeof(server)) != 0) {
    socket_.Close();
  }
}

bool RawClient::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

bool RawClient::ReadMore() {
  pollfd ready = {.fd = socket_.get(), .events = POLLIN, .revents = 0};
  constexpr int kMostMs = 20'000;
  if (poll(&ready, 1, kMostMs) != 1) return false;
  char space[65536];
  const ssize_t size = recv(socket_.get(), space, sizeof(space), 0);
  if (size <= 0) return false;
  in_.append(space, static_cast<size_t>(size));
  return true;
}

std::string RawClient::Answer(bool has_body) {
  size_t end = std::string::npos;
  while ((end = in_.find("\r\n\r\n")) == std::string::npos) {
    if (!ReadMore()) return std::exchange(in_, "");
  }
  size_t whole = end + 4;
  const std::string_view head = std::string_view(in_).substr(0, whole);
  const size_t length = head.find("\r\nContent-Length: ");
  if (has_body && length != std::string_view::npos) whole += std::strtoul(in_.c_str() + length + 18, nullptr, 10);
  while (in_.size() < whole) {
    if (!ReadMore()) return std::exchange(in_, "");
  }
  const std::string answer = in_.substr(0, whole);
  in_.erase(0, whole);
  return answer;
}

std::string RawClient::Rest() {
  while (ReadMore()) {
  }
  return std::exchange(in_, "");
}

void RawClient::Reset() {
  const linger now = {.l_onoff = 1, .l_linger = 0};
  setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &now, sizeof(now));
  socket_.Close();
}

void RawClient::UseSmallWindow() {
  const int bytes = 4096;
  setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
}

int StatusOf(std::string_view answer) {
  return answer.starts_with("HTTP/1.1 ") ? std::atoi(std::string(answer.substr(9, 3)).c_str()) : 0;
}

std::string BodyOf(std::string_view answer) {
  const size_t end = answer.find("\r\n\r\n");
  return end == std::string_view::npos ? "" : std::string(answer.substr(end + 4));
}

}  // namespace trawl
