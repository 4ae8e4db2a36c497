// The door to Asio's TLS.
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include "runtime/process/read_file.h"
#include "runtime/process/status_detail.h"
#include "runtime/server/transport.h"

namespace trawl {

namespace ssl = boost::asio::ssl;

struct TlsContext {
  ssl::context context = ssl::context(ssl::context::tls_server);
};

namespace {

class Tls : public Transport {
 public:
  Tls(Tcp::socket socket, std::shared_ptr<TlsContext> context)
      : context_(std::move(context)), stream_(std::move(socket), context_->context) {}

  net::awaitable<bool> Open() override {
    NetError error;
    co_await stream_.async_handshake(ssl::stream_base::server, To(&error));
    is_open_ = !error;
    co_return is_open_;
  }
  net::awaitable<size_t> Read(net::mutable_buffer space) override {
    NetError error;
    const size_t size = co_await stream_.async_read_some(space, To(&error));
    co_return error ? 0 : size;
  }
  net::awaitable<bool> Write(std::string_view bytes) override {
    NetError error;
    co_await net::async_write(stream_, net::buffer(bytes.data(), bytes.size()), To(&error));
    co_return !error;
  }
  net::awaitable<void> Finish() override {
    if (!is_open_) co_return;
    NetError ignored;
    co_await stream_.async_shutdown(To(&ignored));
  }
  void Cancel() override {
    NetError ignored;
    stream_.next_layer().cancel(ignored);
  }
  void Close() override {
    NetError ignored;
    stream_.next_layer().close(ignored);
  }

 private:
  const std::shared_ptr<TlsContext> context_;
  ssl::stream<Tcp::socket> stream_;
  bool is_open_ = false;
};

}  // namespace

arrow::Result<std::shared_ptr<TlsContext>> LoadTlsContext(const std::string& certificate, const std::string& key) {
  constexpr int64_t kMostBytes = 1 << 20;
  // It is read again on the thread that serves everybody, so nothing may be waited for.
  const arrow::Result<std::string> chain = ReadRegularFile(certificate, kMostBytes);
  if (!chain.ok()) return UsageError(chain.status().message());
  const arrow::Result<std::string> secret = ReadRegularFile(key, kMostBytes);
  if (!secret.ok()) return UsageError(secret.status().message());
  auto tls = std::make_shared<TlsContext>();
  NetError error;
  tls->context.set_options(ssl::context::default_workarounds | ssl::context::no_sslv2 | ssl::context::no_sslv3 |
                               ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1 | SSL_OP_NO_RENEGOTIATION,
                           error);
  SSL_CTX_set_mode(tls->context.native_handle(), SSL_MODE_RELEASE_BUFFERS);  // idle connections keep no buffers
  // A key with a password is refused: nobody is there to type it.
  if (!error) tls->context.set_password_callback([](size_t, ssl::context::password_purpose) { return ""; }, error);
  if (!error) tls->context.use_certificate_chain(net::buffer(*chain), error);
  if (error) return UsageError(certificate, ": no certificate in PEM form (", error.message(), ")");
  tls->context.use_private_key(net::buffer(*secret), ssl::context::pem, error);
  if (error) return UsageError(key, ": not the private key of ", certificate, " (", error.message(), ")");
  return tls;
}

std::unique_ptr<Transport> TlsTransport(Tcp::socket socket, std::shared_ptr<TlsContext> context) {
  return std::make_unique<Tls>(std::move(socket), std::move(context));
}

}  // namespace trawl
