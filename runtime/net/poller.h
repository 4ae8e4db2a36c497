// Waits for many sockets at once, and for a call from another thread: a minimal interface to epoll.
//
// Interest is dropped lazily: to stop reading a socket and start again for the next request costs no system call. The
// price is one change when an event comes that nobody wants. Every function but Wake belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "arrow/result.h"

namespace trawl {

class Poller {
 public:
  struct Event {
    int fd;
    uint32_t owner;
    bool readable;
    bool writable;
  };

  static arrow::Result<std::unique_ptr<Poller>> Make();
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  // Sets what is wanted of `fd` from now on. `owner` comes back with its events.
  void Watch(int fd, uint32_t owner, bool want_read, bool want_write);
  // Call it before `fd` is closed.
  void Forget(int fd);

  // Waits at most `timeout_ms` and replaces `events` by the ready ones. A Wake ends the wait without an event.
  void Wait(int timeout_ms, std::vector<Event>* events);

  // Ends the current or the next Wait. Any thread.
  void Wake();

 private:
  struct Watched {
    uint32_t owner = 0;
    uint32_t generation = 0;
    uint8_t wanted = 0;
    uint8_t registered = 0;
    bool known = false;
  };
  Poller(int epoll_fd, int wake_fd) : epoll_fd_(epoll_fd), wake_fd_(wake_fd) {}
  void Register(int fd, Watched& watched);

  const int epoll_fd_;
  const int wake_fd_;
  std::vector<Watched> by_fd_;
};

}  // namespace trawl
