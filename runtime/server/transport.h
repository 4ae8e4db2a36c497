// The bytes of a connection, over TCP or over TLS. The thread of the server.
#pragma once

#include <memory>
#include <string_view>

#include "runtime/server/asio.h"
#include "runtime/server/tls_context.h"

namespace trawl {

class Transport {
 public:
  virtual ~Transport() = default;
  // Does the handshake of TLS. False where it fails.
  virtual net::awaitable<bool> Open() = 0;
  // Reads what there is, at least one byte; 0 at the end, after an error, and after Cancel.
  virtual net::awaitable<size_t> Read(net::mutable_buffer space) = 0;
  // Writes all of it. False after an error and after Cancel.
  virtual net::awaitable<bool> Write(std::string_view bytes) = 0;
  // Tells the client that nothing more comes.
  virtual net::awaitable<void> Finish() = 0;
  // Ends the operation that is under way.
  virtual void Cancel() = 0;
  // Closes the connection; also ends the operation that is under way.
  virtual void Close() = 0;
};

std::unique_ptr<Transport> PlainTransport(Tcp::socket socket);
// Keeps `context` for its time.
std::unique_ptr<Transport> TlsTransport(Tcp::socket socket, std::shared_ptr<TlsContext> context);

}  // namespace trawl
