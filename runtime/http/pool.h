// The connections of an HttpClient: libcurl's multi handles, the hosts spread over them, and all their sockets.
//
// libcurl walks all connections and names of a multi handle for each request, so no handle has more than a few hundred
// hosts. Nor can libcurl be told to close one host's connection: the pool shuts the socket down instead. The server
// sees the end at once, and libcurl drops its half the next time it looks through its connections. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "runtime/http/tls.h"
#include "runtime/net/poller.h"

namespace trawl {

class HttpPool : public TlsMeter {
 public:
  // A host that has requests in flight or connections; its address is stable while it has either.
  struct Host {
    std::string origin;
    size_t multi = 0;
    int under_way = 0;
    bool ended = false;
    bool is_http2 = false;  // its connections speak HTTP/2: frames may come at any time
    int64_t idle_since_ms = 0;
    int64_t keep_until_ms = 0;
    // The bytes that TLS may receive for the requests in flight, and those it has received. libcurl reads HTTP/2 frames
    // that carry nothing within one call for as long as they come, so that nothing else would ever get a turn.
    int64_t most_received = 0;
    int64_t received = 0;
    bool is_flooded = false;
    std::vector<int> sockets;
  };

  HttpPool(Poller& poller, int hosts_per_multi) : poller_(poller), hosts_per_multi_(hosts_per_multi) {}
  ~HttpPool() override;
  HttpPool(const HttpPool&) = delete;
  HttpPool& operator=(const HttpPool&) = delete;

  // A request to this host begins; every Enter has its Leave. The host's sockets tell whether its kept connection can
  // be used.
  arrow::Result<Host*> Enter(const std::string& origin);
  // The request may receive this many bytes more over TLS. Beyond them the host's connection is ended, and the host
  // counts as flooded.
  static void Allow(Host* host, int64_t bytes);
  void OnTlsRecord(int fd, int64_t bytes) override;
  // The request is over; a connection that remains may stay until `keep_until_ms`.
  void Leave(Host* host, int64_t now_ms, int64_t keep_until_ms);
  // Ends the connections of a host that has no request in flight and has sent bytes nobody asked for: they would be
  // taken for the next answer (RFC 9112 section 6.3). Returns whether there were any.
  static bool EndUnasked(const Host& host);
  // Keeps no connection of the host once it has no request in flight.
  void End(const std::string& origin);
  // Ends hosts whose connections were kept long enough.
  void EndIdle(int64_t now_ms);

  // Gives an easy handle to the host's multi handle, or takes it away.
  arrow::Status Start(void* easy, Host* host);
  void Stop(void* easy, Host* host);

  // Opens a socket for an attempt to connect; -1 with errno set where that fails.
  int OpenSocket(Host* host, int family, int type, int protocol);
  // Closes a socket of OpenSocket.
  int CloseSocket(int fd);

  // Time until libcurl wants to be called; -1: it does not need a call by itself.
  int64_t DueInMs(int64_t now_ms) const;
  // Lets libcurl work on all that is ready and due; `finished` gets each easy handle that is done, with its CURLcode.
  void Run(const std::vector<Poller::Event>& events, int64_t now_ms, const std::function<void(void*, int)>& finished);

 private:
  struct Multi {
    HttpPool* pool = nullptr;
    void* handle = nullptr;
    uint32_t index = 0;
    int hosts = 0;
    int64_t due_ms = -1;
    bool touched = false;
  };
  arrow::Result<Multi*> MultiWithRoom();
  void Drop(Host* host);
  void Collect(Multi& multi, const std::function<void(void*, int)>& finished);
  static int OnSocketWish(void* easy, int fd, int wish, void* multi, void* socket);
  static int OnTimerWish(void* handle, long timeout_ms, void* multi);

  Poller& poller_;
  const int hosts_per_multi_;
  std::vector<std::unique_ptr<Multi>> multis_;
  std::unordered_map<std::string, std::unique_ptr<Host>> hosts_;
  std::vector<Host*> host_by_fd_;
  int64_t now_ms_ = 0;
};

}  // namespace trawl
