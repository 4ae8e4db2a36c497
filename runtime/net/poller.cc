#include "runtime/net/poller.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

constexpr int kEventsAtOnce = 256;
constexpr uint32_t kRead = EPOLLIN, kWrite = EPOLLOUT;

}  // namespace

Result<std::unique_ptr<Poller>> Poller::Make() {
  const int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
  if (epoll_fd < 0) return Status::IOError("epoll: ", std::strerror(errno));
  const int wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  epoll_event event = {};
  event.events = EPOLLIN;
  event.data.u64 = static_cast<uint32_t>(wake_fd);
  if (wake_fd < 0 || epoll_ctl(epoll_fd, EPOLL_CTL_ADD, wake_fd, &event) != 0) {
    const Status status = Status::IOError("eventfd: ", std::strerror(errno));
    close(epoll_fd);
    if (wake_fd >= 0) close(wake_fd);
    return status;
  }
  return std::unique_ptr<Poller>(new Poller(epoll_fd, wake_fd));
}

Poller::~Poller() {
  close(wake_fd_);
  close(epoll_fd_);
}

void Poller::Watch(int fd, uint32_t owner, bool want_read, bool want_write) {
  if (static_cast<size_t>(fd) >= by_fd_.size()) by_fd_.resize(static_cast<size_t>(fd) + 64);
  Watched& watched = by_fd_[static_cast<size_t>(fd)];
  watched.owner = owner;
  watched.wanted = static_cast<uint8_t>((want_read ? kRead : 0) | (want_write ? kWrite : 0));
  if ((watched.wanted & ~watched.registered) != 0) Register(fd, watched);
}

void Poller::Register(int fd, Watched& watched) {
  epoll_event event = {};
  event.events = watched.wanted;
  event.data.u64 = static_cast<uint64_t>(watched.generation) << 32 | static_cast<uint32_t>(fd);
  const int first_try = watched.known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  if (epoll_ctl(epoll_fd_, first_try, fd, &event) != 0) {
    epoll_ctl(epoll_fd_, watched.known ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &event);
  }
  watched.known = true;
  watched.registered = watched.wanted;
}

void Poller::Forget(int fd) {
  if (static_cast<size_t>(fd) >= by_fd_.size()) return;
  Watched& watched = by_fd_[static_cast<size_t>(fd)];
  if (watched.known) epoll_ctl(epoll_fd_, EPOLL_CTL_DEL, fd, nullptr);
  // Another socket may get the number while events of this one are still to be reported.
  const uint32_t generation = watched.generation + 1;
  watched = Watched();
  watched.generation = generation;
}

void Poller::Wait(int timeout_ms, std::vector<Event>* events) {
  events->clear();
  epoll_event ready[kEventsAtOnce];
  const int count = epoll_wait(epoll_fd_, ready, kEventsAtOnce, timeout_ms);
  for (int i = 0; i < count; ++i) {
    const int fd = static_cast<int>(static_cast<uint32_t>(ready[i].data.u64));
    if (fd == wake_fd_) {
      uint64_t calls;
      while (read(wake_fd_, &calls, sizeof calls) > 0) {
      }
      continue;
    }
    Watched& watched = by_fd_[static_cast<size_t>(fd)];
    if (watched.generation != ready[i].data.u64 >> 32) continue;
    const bool broken = (ready[i].events & (EPOLLERR | EPOLLHUP)) != 0;
    const uint32_t wanted = watched.wanted & (ready[i].events | (broken ? kRead | kWrite : 0));
    if (wanted != 0) {
      events->push_back({fd, watched.owner, (wanted & kRead) != 0, (wanted & kWrite) != 0});
    } else if (watched.wanted == 0) {
      // epoll reports errors even where nothing is wanted, until the socket is removed.
      epoll_ctl(epoll_fd_, EPOLL_CTL_DEL, fd, nullptr);
      watched.known = false;
      watched.registered = 0;
    } else {
      Register(fd, watched);
    }
  }
}

void Poller::Wake() {
  const uint64_t one = 1;
  // A full counter wakes as well.
  [[maybe_unused]] const ssize_t written = write(wake_fd_, &one, sizeof one);
}

}  // namespace trawl
