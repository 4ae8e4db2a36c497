#include <boost/asio/write.hpp>

#include "runtime/server/transport.h"

namespace trawl {

namespace {

class Plain : public Transport {
 public:
  explicit Plain(Tcp::socket socket) : socket_(std::move(socket)) {}

  net::awaitable<bool> Open() override { co_return true; }
  net::awaitable<size_t> Read(net::mutable_buffer space) override {
    NetError error;
    const size_t size = co_await socket_.async_read_some(space, To(&error));
    co_return error ? 0 : size;
  }
  net::awaitable<bool> Write(std::string_view bytes) override {
    NetError error;
    co_await net::async_write(socket_, net::buffer(bytes.data(), bytes.size()), To(&error));
    co_return !error;
  }
  net::awaitable<void> Finish() override {
    NetError ignored;
    socket_.shutdown(Tcp::socket::shutdown_send, ignored);
    co_return;
  }
  void Cancel() override {
    NetError ignored;
    socket_.cancel(ignored);
  }
  void Close() override {
    NetError ignored;
    socket_.close(ignored);
  }

 private:
  Tcp::socket socket_;
};

}  // namespace

std::unique_ptr<Transport> PlainTransport(Tcp::socket socket) { return std::make_unique<Plain>(std::move(socket)); }

}  // namespace trawl
