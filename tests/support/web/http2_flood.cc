#include "tests/support/web/http2_flood.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr size_t kPieceBytes = 1 << 20;
constexpr int kMostPieces = 512;

int ChooseHttp2(SSL*, const unsigned char** chosen, unsigned char* size, const unsigned char*, unsigned, void*) {
  static constexpr unsigned char kName[] = {'h', '2'};
  *chosen = kName;
  *size = sizeof kName;
  return SSL_TLSEXT_ERR_OK;
}

}  // namespace

std::string Http2Flood::Frame(uint8_t type, uint8_t flags, uint32_t stream, std::string_view payload) {
  std::string frame;
  for (const int shift : {16, 8, 0}) frame.push_back(static_cast<char>(payload.size() >> shift & 255));
  frame.push_back(static_cast<char>(type));
  frame.push_back(static_cast<char>(flags));
  for (const int shift : {24, 16, 8, 0}) frame.push_back(static_cast<char>(stream >> shift & 255));
  return frame.append(payload);
}

Result<std::unique_ptr<Http2Flood>> Http2Flood::Start(TestAuthority& authority, const std::string& host,
                                                      std::string first, std::string_view frames) {
  std::unique_ptr<Http2Flood> flood(new Http2Flood());
  flood->first_ = std::move(first);
  while (flood->frames_.size() < kPieceBytes) flood->frames_ += frames;
  flood->listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (bind(flood->listener_, any, size) != 0 || listen(flood->listener_, 8) != 0 ||
      getsockname(flood->listener_, any, &size) != 0) {
    return Status::IOError("flood: cannot listen: ", std::strerror(errno));
  }
  flood->port_ = ntohs(address.sin_port);
  std::signal(SIGPIPE, SIG_IGN);
  SSL_CTX* const context = SSL_CTX_new(TLS_server_method());
  auto* const certificate = static_cast<X509*>(authority.Issue(host, TestCertificate::kGood));
  SSL_CTX_use_certificate(context, certificate);
  X509_free(certificate);
  SSL_CTX_use_PrivateKey(context, static_cast<EVP_PKEY*>(authority.key()));
  SSL_CTX_set_alpn_select_cb(context, ChooseHttp2, nullptr);
  flood->thread_ = std::thread([self = flood.get(), context] {
    self->Serve(context);
    SSL_CTX_free(context);
  });
  return flood;
}

Http2Flood::~Http2Flood() {
  ends_ = true;
  // Wakes the thread, whichever socket it waits for.
  for (const int fd : {listener_, connection_.load()}) {
    if (fd >= 0) shutdown(fd, SHUT_RDWR);
  }
  if (thread_.joinable()) thread_.join();
  if (listener_ >= 0) close(listener_);
}

void Http2Flood::Serve(void* ssl_context) {
  while (!ends_) {
    const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    connection_ = fd;
    SSL* const ssl = SSL_new(static_cast<SSL_CTX*>(ssl_context));
    SSL_set_fd(ssl, fd);
    if (SSL_accept(ssl) == 1) Flood(ssl);
    SSL_free(ssl);
    connection_ = -1;
    close(fd);
  }
}

void Http2Flood::Flood(void* ssl) const {
  auto* const to = static_cast<SSL*>(ssl);
  // The client's preface. Its settings and requests are ignored.
  char asked[4096];
  if (SSL_read(to, asked, sizeof asked) <= 0) return;
  if (SSL_write(to, first_.data(), static_cast<int>(first_.size())) <= 0) return;
  for (int piece = 0; piece < kMostPieces && !ends_; ++piece) {
    if (SSL_write(to, frames_.data(), static_cast<int>(frames_.size())) <= 0) return;
  }
}

}  // namespace trawl
