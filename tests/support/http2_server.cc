#include "tests/support/http2_server.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

sockaddr_in Loopback(uint16_t port) {
  sockaddr_in where = {};
  where.sin_family = AF_INET;
  where.sin_port = htons(port);
  inet_pton(AF_INET, "127.0.0.1", &where.sin_addr);
  return where;
}

}  // namespace

uint16_t FreePort() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in where = Loopback(0);
  socklen_t size = sizeof where;
  bind(fd, reinterpret_cast<sockaddr*>(&where), size);
  getsockname(fd, reinterpret_cast<sockaddr*>(&where), &size);
  close(fd);
  return ntohs(where.sin_port);
}

bool WaitForPort(uint16_t port) {
  for (int i = 0; i < 1000; ++i) {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in where = Loopback(port);
    const bool accepted = connect(fd, reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0;
    close(fd);
    if (accepted) return true;
    poll(nullptr, 0, 10);  // another process cannot be asked to tell
  }
  return false;
}

Result<std::unique_ptr<Http2Server>> Http2Server::Start(TestAuthority& authority, const std::string& host,
                                                        const std::map<std::string, std::string>& files) {
  std::unique_ptr<Http2Server> server(new Http2Server);
  server->port_ = FreePort();
  const std::string folder = server->folder_.path();
  std::ofstream(folder + "/key.pem") << authority.KeyPem();
  std::ofstream(folder + "/certificate.pem") << authority.CertificatePem(host);
  std::filesystem::create_directory(folder + "/files");
  for (const auto& [name, content] : files) std::ofstream(folder + "/files/" + name, std::ios::binary) << content;
  BinaryRequest request;
  request.program = "/usr/sbin/nghttpd";
  request.arguments = {"--address=127.0.0.1", "--htdocs=" + folder + "/files", std::to_string(server->port_),
                       folder + "/key.pem", folder + "/certificate.pem"};
  server->process_ = std::make_unique<BinaryProcess>(request);
  if (!WaitForPort(server->port_)) return Status::IOError("nghttpd does not listen: ", server->process_->Wait().err);
  return server;
}

Http2Server::~Http2Server() {
  if (process_ != nullptr) process_->Signal(SIGKILL);
}

}  // namespace trawl
