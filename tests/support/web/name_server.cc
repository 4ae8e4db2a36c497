#include "tests/support/web/name_server.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>

#include "formats/address/address.h"
#include "tests/support/web/http2_server.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

std::string U16(unsigned value) { return {static_cast<char>(value >> 8), static_cast<char>(value)}; }
std::string U32(uint32_t value) { return U16(value >> 16) + U16(value & 0xffff); }

std::string Record(unsigned type, uint32_t ttl_s, const std::string& data) {
  return "\xc0\x0c" + U16(type) + U16(1) + U32(ttl_s) + U16(static_cast<unsigned>(data.size())) + data;
}

std::string AddressBytes(std::string_view text) {
  const IpAddress address = *IpAddress::Parse(text);
  const auto* bytes = reinterpret_cast<const char*>(address.bytes().data());
  return {bytes, address.is_v6() ? size_t{16} : size_t{4}};
}

size_t QuestionEnd(const std::string& message) {
  size_t at = 12;
  while (at < message.size() && message[at] != 0) at += 1 + static_cast<unsigned char>(message[at]);
  return at + 5;
}

DnsQuestion ParseQuestion(std::string bytes) {
  DnsQuestion question;
  question.bytes = std::move(bytes);
  size_t at = 12;
  while (at < question.bytes.size() && question.bytes[at] != 0) {
    const auto size = static_cast<unsigned char>(question.bytes[at]);
    if (!question.name.empty()) question.name += '.';
    question.name += question.bytes.substr(at + 1, size);
    at += 1 + size;
  }
  if (at + 2 < question.bytes.size()) question.type = static_cast<unsigned char>(question.bytes[at + 2]);
  return question;
}

}  // namespace

std::string DnsQuestion::Answer(const std::vector<std::string>& records, int code) const {
  std::string message = bytes.substr(0, 2) + U16(0x8180u | static_cast<unsigned>(code)) + U16(1) +
                        U16(static_cast<unsigned>(records.size())) + U16(0) + U16(0);
  message += bytes.substr(12, QuestionEnd(bytes) - 12);
  for (const std::string& record : records) message += record;
  return message;
}

std::string DnsA(std::string_view address, uint32_t ttl_s) { return Record(1, ttl_s, AddressBytes(address)); }
std::string DnsAaaa(std::string_view address, uint32_t ttl_s) { return Record(28, ttl_s, AddressBytes(address)); }
std::string DnsCname(std::string_view target, uint32_t ttl_s) { return Record(5, ttl_s, std::string(target)); }

struct ScriptedNameServer::Shared {
  Script script;
  int fd = -1;
  std::atomic<int> questions = 0;
  std::atomic<bool> stopped = false;

  void Loop() {
    char buffer[4096];
    for (;;) {
      sockaddr_in from = {};
      socklen_t from_size = sizeof from;
      const ssize_t size = recvfrom(fd, buffer, sizeof buffer, 0, reinterpret_cast<sockaddr*>(&from), &from_size);
      if (stopped) return;
      if (size < 17) continue;
      ++questions;
      for (const std::string& answer : script(ParseQuestion({buffer, static_cast<size_t>(size)}))) {
        sendto(fd, answer.data(), answer.size(), 0, reinterpret_cast<sockaddr*>(&from), from_size);
      }
    }
  }
};

ScriptedNameServer::ScriptedNameServer(Script script) : shared_(std::make_shared<Shared>()) {
  shared_->script = std::move(script);
  shared_->fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_in where = {};
  where.sin_family = AF_INET;
  inet_pton(AF_INET, "127.0.0.1", &where.sin_addr);
  socklen_t size = sizeof where;
  if (bind(shared_->fd, reinterpret_cast<sockaddr*>(&where), size) != 0) std::abort();
  getsockname(shared_->fd, reinterpret_cast<sockaddr*>(&where), &size);
  port_ = ntohs(where.sin_port);
  thread_ = std::thread([shared = shared_] { shared->Loop(); });
}

ScriptedNameServer::~ScriptedNameServer() {
  shared_->stopped = true;
  // An empty datagram to our own socket ends the wait.
  sockaddr_in where = {};
  where.sin_family = AF_INET;
  where.sin_port = htons(port_);
  inet_pton(AF_INET, "127.0.0.1", &where.sin_addr);
  sendto(shared_->fd, "", 0, 0, reinterpret_cast<const sockaddr*>(&where), sizeof where);
  thread_.join();
  close(shared_->fd);
}

int ScriptedNameServer::questions() const { return shared_->questions; }

Result<std::unique_ptr<Dnsmasq>> Dnsmasq::Start(std::vector<std::string> arguments) {
  std::unique_ptr<Dnsmasq> server(new Dnsmasq);
  server->port_ = FreePort();
  BinaryRequest request;
  request.program = "/usr/sbin/dnsmasq";
  request.arguments = {"--keep-in-foreground",
                       "--conf-file=/dev/null",
                       "--no-resolv",
                       "--no-hosts",
                       "--bind-interfaces",
                       "--listen-address=127.0.0.1",
                       "--user=",
                       "--group=",
                       "--pid-file=",
                       "--log-facility=-",
                       "--local-ttl=300",
                       "--port=" + std::to_string(server->port_)};
  request.arguments.insert(request.arguments.end(), arguments.begin(), arguments.end());
  server->process_ = std::make_unique<BinaryProcess>(request);
  if (!WaitForPort(server->port_)) return Status::IOError("dnsmasq does not listen: ", server->process_->Wait().err);
  return server;
}

Dnsmasq::~Dnsmasq() {
  if (process_ != nullptr) process_->Signal(SIGKILL);
}

}  // namespace trawl
