#include "runtime/server/server.h"

#include <unistd.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>

#include "runtime/process/status_detail.h"
#include "runtime/server/answer_head.h"
#include "runtime/server/connection.h"

namespace trawl {

namespace {

using arrow::Result;
using arrow::Status;

constexpr int kSendBytes = 256 << 10;
constexpr auto kSweep = std::chrono::milliseconds(50);

// An exception ends the coroutine that it comes from, and nothing else.
void IgnoreEnd(const std::exception_ptr&) {}

class AsioServer : public Server {
 public:
  AsioServer(const ServerOptions& options, ServerHandlers handlers, const Clock& clock)
      : options_(options),
        handler_(std::make_shared<ServerHandler>(handlers.handle)),
        pool_(options.limits.handlers, options.limits.waiting),
        core_{.limits = options.limits,
              .handlers = std::move(handlers),
              .clock = clock,
              .turns = {.io = io_, .handler = handler_},
              .pool = &pool_,
              .roster = Roster(options.limits)},
        acceptor_(*io_),
        sweep_(*io_),
        hangup_(*io_) {}

  Status Open() {
    if (is_tls()) ARROW_RETURN_NOT_OK(LoadTls());
    NetError error;
    const net::ip::address address = net::ip::make_address(options_.address, error);
    if (error) return UsageError(options_.address, " is not an IP address");
    const Tcp::endpoint endpoint(address, static_cast<uint16_t>(options_.port));
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(Tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(net::socket_base::max_listen_connections, error);
    if (error) return Status::IOError("listening on ", options_.address, ":", options_.port, ": ", error.message());
    port_ = acceptor_.local_endpoint().port();
    hangup_.add(SIGHUP, error);
    return error ? Status::IOError("waiting for SIGHUP: ", error.message()) : Status::OK();
  }

  int port() const override { return port_; }

  Result<bool> Run(const StopToken& stop) override {
    Start(Accept());
    Start(Sweep());
    Start(WaitForHangup());
    Start(WaitForStop(stop));
    io_->run();
    return pool_.Leave(kLastMs);
  }

 private:
  // Time for handlers that were told to stop.
  static constexpr int64_t kLastMs = 1'000;

  bool is_tls() const { return !options_.certificate.empty(); }

  Status LoadTls() {
    ARROW_ASSIGN_OR_RAISE(tls_, LoadTlsContext(options_.certificate, options_.key));
    return Status::OK();
  }

  void Start(net::awaitable<void> work) { net::co_spawn(*io_, std::move(work), IgnoreEnd); }

  net::awaitable<void> Sleep(std::chrono::milliseconds time) {
    net::steady_timer timer(*io_, time);
    NetError ignored;
    co_await timer.async_wait(To(&ignored));
  }

  net::awaitable<void> Accept() {
    while (acceptor_.is_open()) {
      NetError error;
      Tcp::socket socket(*io_);
      co_await acceptor_.async_accept(socket, To(&error));
      if (error && acceptor_.is_open()) co_await Sleep(kSweep);  // the process has too many files open
      if (!error) Welcome(std::move(socket));
    }
  }

  void Welcome(Tcp::socket socket) {
    NetError error;
    const Tcp::endpoint client = socket.remote_endpoint(error);
    if (error) return;
    const std::string address = client.address().to_string();
    if (!core_.roster.MakeRoom(address)) return TurnAway(&socket);
    socket.set_option(Tcp::no_delay(true), error);
    // The system would keep megabytes for a client that takes nothing.
    socket.set_option(net::socket_base::send_buffer_size(kSendBytes), error);
    Start(Serve(std::move(socket), address));
  }

  // Says why at once or not at all: it must not wait for the client.
  void TurnAway(Tcp::socket* socket) {
    if (is_tls()) return;
    ServerAnswer answer = ProblemAnswer(503, "the server has too many connections; try again");
    answer.headers.emplace_back("Retry-After", "1");
    if (core_.handlers.finish) core_.handlers.finish(nullptr, &answer);
    const std::string bytes = AnswerHead(answer, false, core_.clock.NowMs()) + answer.body;
    NetError ignored;
    socket->non_blocking(true, ignored);
    socket->send(net::buffer(bytes), 0, ignored);
  }

  net::awaitable<void> Serve(Tcp::socket socket, std::string address) {
    std::unique_ptr<Transport> transport =
        is_tls() ? TlsTransport(std::move(socket), tls_) : PlainTransport(std::move(socket));
    Connection connection(&core_, std::move(transport), address, is_tls());
    co_await connection.Run();
  }

  net::awaitable<void> Sweep() {
    while (!is_over_) {
      sweep_.expires_after(kSweep);
      NetError error;
      co_await sweep_.async_wait(To(&error));
      if (error) co_return;
      core_.roster.Sweep(core_.clock.MonotonicMs());
    }
  }

  net::awaitable<void> WaitForHangup() {
    while (!is_over_) {
      NetError error;
      co_await hangup_.async_wait(To(&error));
      if (error) co_return;
      const Status reloaded = is_tls() ? LoadTls() : Status::OK();
      if (core_.handlers.on_hangup) core_.handlers.on_hangup(reloaded);
    }
  }

  net::awaitable<void> WaitForStop(StopToken stop) {
    if (stop.wait_fd() >= 0) {
      net::posix::stream_descriptor descriptor(*io_, dup(stop.wait_fd()));
      NetError ignored;
      co_await descriptor.async_wait(net::posix::stream_descriptor::wait_read, To(&ignored));
      co_await Leave();
    }
  }

  // Who has no request under way goes at once; the others may end it.
  net::awaitable<void> Leave() {
    NetError ignored;
    acceptor_.close(ignored);
    core_.is_leaving = true;
    const int64_t limit_ms = core_.clock.MonotonicMs() + core_.limits.leave_ms;
    while (true) {
      core_.roster.EndUpTo(GuestPhase::kHeader);
      if (core_.roster.is_empty() || core_.clock.MonotonicMs() >= limit_ms) break;
      co_await Sleep(kSweep);
    }
    core_.roster.EndUpTo(GuestPhase::kHandler);
    while (!core_.roster.is_empty()) co_await Sleep(std::chrono::milliseconds(1));
    // A wait that has just ended cannot be cancelled any more, so whoever waits looks at this first.
    is_over_ = true;
    sweep_.cancel();
    hangup_.cancel(ignored);
  }

  const ServerOptions options_;
  const std::shared_ptr<net::io_context> io_ = std::make_shared<net::io_context>(1);
  const std::shared_ptr<ServerHandler> handler_;
  HandlerPool pool_;
  ServerCore core_;
  Tcp::acceptor acceptor_;
  net::steady_timer sweep_;
  net::signal_set hangup_;
  std::shared_ptr<TlsContext> tls_;
  int port_ = 0;
  bool is_over_ = false;
};

}  // namespace

Result<std::unique_ptr<Server>> Server::Make(const ServerOptions& options, ServerHandlers handlers,
                                             const Clock& clock) {
  auto server = std::make_unique<AsioServer>(options, std::move(handlers), clock);
  ARROW_RETURN_NOT_OK(server->Open());
  return server;
}

}  // namespace trawl
