// Waits for many sockets at once, and for a call from another thread: epoll behind the least it takes.
//
// Interest is dropped lazily: who stops wanting to read a socket and wants it again for the next request costs no
// system call; the price is one change when an event comes that nobody wants. Every function belongs to one thread but
// Wake.
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

  // What is wanted of `fd` from now on. `owner` comes back with its events.
  void Watch(int fd, uint32_t owner, bool want_read, bool want_write);
  // Must be called before `fd` is closed.
  void Forget(int fd);

  // Waits at most `timeout_ms` and replaces `events` by what is ready. A Wake ends the wait without an event.
  void Wait(int timeout_ms, std::vector<Event>* events);

  // Ends the present or the next Wait. Any thread.
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
