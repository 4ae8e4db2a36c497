#include "tests/support/web/test_web.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <mutex>
#include <queue>
#include <thread>
#include <unordered_map>

#include "arrow/result.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/web/connection.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

int64_t MonotonicUs() {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void RaiseFileLimit() {
  rlimit files = {};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

// The n-th address of a process. Webs of tests that run at the same time rarely share one; if they do, they try another
// port.
IpAddress AddressOf(size_t n) {
  const auto net = static_cast<uint8_t>(16 + getpid() % 200);
  return IpAddress::V4({127, net, static_cast<uint8_t>(n / 250), static_cast<uint8_t>(1 + n % 250)});
}

// A listening socket at `port` (0: any); -1 with errno on failure.
int Listen(const IpAddress& address, uint16_t port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  const int one = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  sockaddr_in where = {};
  where.sin_family = AF_INET;
  where.sin_port = htons(port);
  std::memcpy(&where.sin_addr, address.bytes().data(), 4);
  if (bind(fd, reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0 && listen(fd, 1024) == 0) return fd;
  const int error = errno;
  close(fd);
  errno = error;
  return -1;
}

uint16_t PortOf(int fd) {
  sockaddr_in where = {};
  socklen_t size = sizeof where;
  getsockname(fd, reinterpret_cast<sockaddr*>(&where), &size);
  return ntohs(where.sin_port);
}

}  // namespace

class TestWeb::Server {
 public:
  explicit Server(const TestWebOptions& options) : options_(options) {
    connection_host_.answer = [this](auto& connection, TestRequest& request, const std::string& raw,
                                     int64_t started_us) { return Answer(connection, request, raw, started_us); };
    connection_host_.ended = [this](TestWebConnection& connection, bool whole) { Ended(connection, whole); };
    connection_host_.now_us = [this] { return MonotonicUs() - began_us_; };
  }

  ~Server() {
    Stop();
    for (const auto& [fd, https] : listeners_) close(fd);
    for (auto& [name, site] : sites_) X509_free(static_cast<X509*>(site.x509));
    SSL_CTX_free(ssl_context_);
    if (epoll_fd_ >= 0) close(epoll_fd_);
    if (stop_fd_ >= 0) close(stop_fd_);
  }

  void AddHost(const std::string& name, TestHandler handler, TestCertificate certificate) {
    sites_[name] = {std::move(handler), certificate, nullptr};
    names_.push_back(name);
    if (certificate == TestCertificate::kNone) has_hosts_without_tls_ = true;
  }

  Status Start() {
    std::signal(SIGPIPE, SIG_IGN);
    RaiseFileLimit();
    epoll_fd_ = epoll_create1(EPOLL_CLOEXEC);
    stop_fd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    const std::string ca_file = folder_.path() + "/ca.pem";
    std::ofstream(ca_file) << authority_.CaPem();
    ca_file_ = ca_file;
    const size_t addresses = (names_.size() + PerAddress() - 1) / PerAddress();
    ARROW_ASSIGN_OR_RAISE(http_port_, ListenEverywhere(addresses, false));
    if (options_.https) {
      ARROW_RETURN_NOT_OK(StartTls());
      ARROW_ASSIGN_OR_RAISE(https_port_, ListenEverywhere(addresses, true));
    }
    for (size_t i = 0; i < names_.size(); ++i) {
      const bool has_tls = sites_[names_[i]].certificate != TestCertificate::kNone;
      hosts_[names_[i]] = {{AddressOf(i / PerAddress())}, http_port_, has_tls ? https_port_ : http_port_};
      // A client that connects by address reaches the first host of that address.
      by_number_.emplace(AddressOf(i / PerAddress()).ToString(), names_[i]);
    }
    Watch(stop_fd_, EPOLLIN, EPOLL_CTL_ADD);
    for (const auto& [fd, https] : listeners_) Watch(fd, EPOLLIN, EPOLL_CTL_ADD);
    thread_ = std::thread([this] { Loop(); });
    return Status::OK();
  }

  void Stop() {
    if (!thread_.joinable()) return;
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(stop_fd_, &one, sizeof one);
    thread_.join();
  }

  TestWebOptions options_;
  TemporaryFolder folder_;
  std::string ca_file_;
  TestAuthority authority_;
  std::vector<std::string> names_;
  FixedHosts hosts_;
  mutable std::mutex mutex_;
  std::vector<TestLogEntry> log_;
  int64_t accepted_ = 0;
  int open_ = 0;

 private:
  struct Site {
    TestHandler handler;
    TestCertificate certificate;
    void* x509;
  };

  size_t PerAddress() const { return static_cast<size_t>(std::max(options_.hosts_per_address, 1)); }

  // The same port on every address, so that hosts differ only in their addresses.
  Result<uint16_t> ListenEverywhere(size_t addresses, bool https) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      std::vector<int> fds;
      uint16_t port = 0;
      for (size_t i = 0; i < addresses; ++i) {
        const int fd = Listen(AddressOf(i), port);
        if (fd < 0) break;
        fds.push_back(fd);
        if (port == 0) port = PortOf(fd);
      }
      if (fds.size() == addresses) {
        for (const int fd : fds) listeners_[fd] = https;
        return port;
      }
      const int error = errno;
      for (const int fd : fds) close(fd);
      if (error != EADDRINUSE) return Status::IOError("test web: cannot listen: ", std::strerror(error));
    }
    return Status::IOError("test web: no port that is free on every address");
  }

  Status StartTls() {
    ssl_context_ = SSL_CTX_new(TLS_server_method());
    SSL_CTX_use_PrivateKey(ssl_context_, static_cast<EVP_PKEY*>(authority_.key()));
    for (auto& [name, site] : sites_) {
      if (site.certificate != TestCertificate::kNone) site.x509 = authority_.Issue(name, site.certificate);
    }
    SSL_CTX_set_tlsext_servername_arg(ssl_context_, this);
    SSL_CTX_set_tlsext_servername_callback(
        ssl_context_, +[](SSL* ssl, int*, void* self) {
          return static_cast<Server*>(self)->ChooseCertificate(ssl) ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
        });
    SSL_CTX_set_mode(ssl_context_, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    return Status::OK();
  }

  bool ChooseCertificate(SSL* ssl) {
    const char* name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
    const auto site = name == nullptr ? sites_.end() : sites_.find(name);
    if (site == sites_.end() || site->second.x509 == nullptr) return false;
    SSL_use_certificate(ssl, static_cast<X509*>(site->second.x509));
    SSL_use_PrivateKey(ssl, static_cast<EVP_PKEY*>(authority_.key()));
    return true;
  }

  // -- the thread -----------------------------------------------------------------------------------------------------

  void Watch(int fd, uint32_t events, int operation) {
    epoll_event event = {};
    event.events = events;
    event.data.fd = fd;
    epoll_ctl(epoll_fd_, operation, fd, &event);
  }

  void Loop() {
    epoll_event events[256];
    for (bool stopped = false; !stopped;) {
      const int count = epoll_wait(epoll_fd_, events, 256, WaitMs());
      for (int i = 0; i < count; ++i) {
        const int fd = events[i].data.fd;
        if (fd == stop_fd_) {
          stopped = true;
        } else if (const auto listener = listeners_.find(fd); listener != listeners_.end()) {
          Accept(fd, listener->second);
        } else {
          Work(fd);
        }
      }
      WorkDue();
    }
    connections_.clear();
  }

  int WaitMs() const {
    if (due_.empty()) return -1;
    return static_cast<int>(
        std::clamp<int64_t>((due_.top().first - connection_host_.now_us() + 999) / 1000, 0, 60'000));
  }

  void Accept(int listener, bool https) {
    for (;;) {
      const int fd = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (fd < 0) return;
      const int one = 1;
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
      SSL* ssl = nullptr;
      if (https) {
        ssl = SSL_new(ssl_context_);
        SSL_set_fd(ssl, fd);
        SSL_set_accept_state(ssl);
      }
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        ++accepted_;
        ++open_;
      }
      auto connection = std::make_unique<TestWebConnection>(fd, ssl, ++last_connection_, connection_host_);
      if (!https) connection->hello_host = HostWithoutTls(fd);
      connections_[fd] = std::move(connection);
      Watch(fd, EPOLLIN | EPOLLRDHUP, EPOLL_CTL_ADD);
    }
  }

  // The host at a connection's own address, where that host has no TLS; else "".
  std::string HostWithoutTls(int fd) const {
    if (!has_hosts_without_tls_) return "";
    sockaddr_in where = {};
    socklen_t size = sizeof where;
    getsockname(fd, reinterpret_cast<sockaddr*>(&where), &size);
    char text[INET_ADDRSTRLEN] = {};
    inet_ntop(AF_INET, &where.sin_addr, text, sizeof text);
    const auto name = by_number_.find(text);
    if (name == by_number_.end()) return "";
    return sites_.at(name->second).certificate == TestCertificate::kNone ? name->second : "";
  }

  void Work(int fd) {
    const auto found = connections_.find(fd);
    if (found == connections_.end()) return;
    TestWebConnection& connection = *found->second;
    const bool wanted_write = connection.wants_write();
    if (!connection.Work()) {
      connections_.erase(found);
      const std::lock_guard<std::mutex> lock(mutex_);
      --open_;
      return;
    }
    if (connection.wants_write() != wanted_write) {
      Watch(fd, EPOLLIN | (connection.wants_write() ? uint32_t{EPOLLOUT} : 0u), EPOLL_CTL_MOD);
    }
    if (connection.due_us() >= 0) due_.push({connection.due_us(), {fd, connection.id()}});
  }

  void WorkDue() {
    while (!due_.empty() && due_.top().first <= connection_host_.now_us()) {
      const auto [fd, id] = due_.top().second;
      due_.pop();
      const auto found = connections_.find(fd);
      if (found != connections_.end() && found->second->id() == id && !found->second->wants_write()) Work(fd);
    }
  }

  TestAnswer Answer(TestWebConnection& connection, TestRequest& request, const std::string& raw, int64_t started_us) {
    if (const auto named = by_number_.find(request.host); named != by_number_.end()) request.host = named->second;
    const auto site = sites_.find(request.host);
    request.number = ++numbers_[request.host + request.path];
    if (options_.log) {
      const std::lock_guard<std::mutex> lock(mutex_);
      connection.log_index = log_.size() + cleared_;
      log_.push_back(
          {request.host, request.path, request.https, connection.id(), started_us, -1, false, request.headers, raw});
    }
    if (site == sites_.end())
      return AnswerRaw("HTTP/1.1 421 Misdirected Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    return site->second.handler(request);
  }

  void Ended(const TestWebConnection& connection, bool whole) {
    if (!options_.log) return;
    const int64_t now_us = whole ? connection.last_send_us() : connection_host_.now_us();
    const std::lock_guard<std::mutex> lock(mutex_);
    if (connection.log_index < cleared_) return;
    TestLogEntry& entry = log_[connection.log_index - cleared_];
    entry.end_us = whole && connection.last_write_us() >= entry.start_us ? connection.last_write_us() : now_us;
    entry.whole = whole;
  }

  const int64_t began_us_ = MonotonicUs();
  TestWebConnection::Host connection_host_;
  std::unordered_map<std::string, Site> sites_;
  std::unordered_map<std::string, std::string> by_number_;
  std::unordered_map<std::string, int> numbers_;
  std::unordered_map<int, bool> listeners_;
  std::unordered_map<int, std::unique_ptr<TestWebConnection>> connections_;
  using Due = std::pair<int64_t, std::pair<int, uint64_t>>;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  bool has_hosts_without_tls_ = false;
  SSL_CTX* ssl_context_ = nullptr;
  int epoll_fd_ = -1;
  int stop_fd_ = -1;
  uint16_t http_port_ = 0;
  uint16_t https_port_ = 0;
  uint64_t last_connection_ = 0;
  std::thread thread_;

 public:
  // The number of entries that ClearLog removed: places in the log count on.
  size_t cleared_ = 0;
};

TestWeb::TestWeb(const TestWebOptions& options) : server_(std::make_unique<Server>(options)) {}
TestWeb::~TestWeb() = default;

void TestWeb::AddHost(const std::string& name, TestHandler handler, TestCertificate certificate) {
  server_->AddHost(name, std::move(handler), certificate);
}

Status TestWeb::Start() { return server_->Start(); }
void TestWeb::Stop() { server_->Stop(); }
const FixedHosts& TestWeb::hosts() const { return server_->hosts_; }
const std::string& TestWeb::ca_file() const { return server_->ca_file_; }
TestAuthority& TestWeb::authority() { return server_->authority_; }

std::string TestWeb::HostsFileText() const {
  std::string text;
  for (const std::string& name : server_->names_) {
    const FixedHost& host = server_->hosts_.at(name);
    text += host.addresses.front().ToString() + ':' + std::to_string(host.http_port);
    if (host.https_port != 0) text += ':' + std::to_string(host.https_port);
    text += ' ' + name + '\n';
  }
  return text;
}

std::string TestWeb::HttpAddress(const std::string& host) const {
  const FixedHost& where = server_->hosts_.at(host);
  return where.addresses.front().ToString() + ':' + std::to_string(where.http_port);
}

std::vector<TestLogEntry> TestWeb::Log() const {
  const std::lock_guard<std::mutex> lock(server_->mutex_);
  return server_->log_;
}

void TestWeb::ClearLog() {
  const std::lock_guard<std::mutex> lock(server_->mutex_);
  server_->cleared_ += server_->log_.size();
  server_->log_.clear();
}

int64_t TestWeb::connections_accepted() const {
  const std::lock_guard<std::mutex> lock(server_->mutex_);
  return server_->accepted_;
}

int TestWeb::connections_open() const {
  const std::lock_guard<std::mutex> lock(server_->mutex_);
  return server_->open_;
}

}  // namespace trawl
