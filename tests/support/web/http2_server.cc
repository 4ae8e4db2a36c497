#include "tests/support/web/http2_server.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

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
  if (bind(fd, reinterpret_cast<sockaddr*>(&where), size) != 0) std::abort();
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
    poll(nullptr, 0, 10);  // another process cannot report when it is ready
  }
  return false;
}

Result<std::unique_ptr<Http2Server>> Http2Server::Start(TestAuthority& authority, const std::string& host,
                                                        const std::map<std::string, std::string>& files,
                                                        const std::vector<std::string>& arguments) {
  std::unique_ptr<Http2Server> server(new Http2Server);
  server->port_ = FreePort();
  const std::string folder = server->folder_.path();
  std::ofstream(folder + "/key.pem") << authority.KeyPem();
  std::ofstream(folder + "/certificate.pem") << authority.CertificatePem(host);
  std::filesystem::create_directory(folder + "/files");
  for (const auto& [name, content] : files) std::ofstream(folder + "/files/" + name, std::ios::binary) << content;
  BinaryRequest request;
  // Output goes to a file, because nobody reads a pipe while it serves.
  request.program = "/bin/sh";
  request.arguments = {"-c",        "exec /usr/sbin/nghttpd \"$@\" > \"$0\"", folder + "/log", "--address=127.0.0.1",
                       "--verbose", "--htdocs=" + folder + "/files"};
  request.arguments.insert(request.arguments.end(), arguments.begin(), arguments.end());
  for (const std::string& last : {std::to_string(server->port_), folder + "/key.pem", folder + "/certificate.pem"}) {
    request.arguments.push_back(last);
  }
  server->process_ = std::make_unique<BinaryProcess>(request);
  if (!WaitForPort(server->port_)) return Status::IOError("nghttpd does not listen: ", server->process_->Wait().err);
  return server;
}

// Reads lines such as "[id=1] [  1.008] recv HEADERS frame <length=31, flags=0x05, stream_id=1>", "… stream_id=1
// closed", and "[id=1] [  1.009] closed" of a connection.
Http2Server::Streams Http2Server::ReadStreams() const {
  std::ifstream log(folder_.path() + "/log");
  Streams streams;
  std::set<std::string> connections;
  std::set<std::pair<std::string, int>> open;
  for (std::string line; std::getline(log, line);) {
    if (!line.starts_with("[id=")) continue;
    const std::string id = line.substr(4, line.find(']') - 4);
    const size_t at = line.find("stream_id=");
    const int stream = at == std::string::npos ? 0 : std::atoi(line.c_str() + at + 10);
    if (line.find("recv HEADERS") != std::string::npos) {
      ++streams.opened;
      connections.insert(id);
      open.insert({id, stream});
      streams.most_at_once = std::max(streams.most_at_once, static_cast<int>(open.size()));
    } else if (line.ends_with(" closed")) {
      std::erase_if(open, [&](const auto& one) { return one.first == id && (stream == 0 || one.second == stream); });
    }
  }
  streams.connections = static_cast<int>(connections.size());
  return streams;
}

Http2Server::~Http2Server() {
  if (process_ != nullptr) process_->Signal(SIGKILL);
}

}  // namespace trawl
