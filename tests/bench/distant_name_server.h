// A name server that is far away: it gives another server's answers `answer_ms` milliseconds later.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <thread>
#include <unordered_map>

#include "tests/bench/bench_main.h"

namespace trawl {

inline int UdpSocket() {
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const int bytes = 4 << 20;  // a few hundred questions come at once
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  return fd;
}

inline sockaddr_in Loopback(uint16_t port) {
  sockaddr_in where = {};
  where.sin_family = AF_INET;
  where.sin_port = htons(port);
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return where;
}

// Passes questions on to `server`, and returns its answers `answer_ms` after they came.
class DistantNameServer {
 public:
  DistantNameServer(const std::string& server, int answer_ms) : answer_ms_(answer_ms) {
    sockaddr_in where = Loopback(0);
    socklen_t size = sizeof where;
    if (bind(near_, reinterpret_cast<sockaddr*>(&where), size) != 0) Check(arrow::Status::IOError("bind"));
    getsockname(near_, reinterpret_cast<sockaddr*>(&where), &size);
    port_ = ntohs(where.sin_port);
    where = Loopback(static_cast<uint16_t>(std::stoi(server.substr(server.rfind(':') + 1))));
    if (connect(far_, reinterpret_cast<sockaddr*>(&where), size) != 0) Check(arrow::Status::IOError("connect"));
    thread_ = std::thread([this] { Loop(); });
  }
  ~DistantNameServer() {
    stopped_ = true;
    thread_.join();
    close(near_);
    close(far_);
  }

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  // A question in flight, by its number on the way to the server.
  struct Asker {
    sockaddr_in where;
    std::string number;  // the asker's own number
  };
  struct Held {
    std::chrono::steady_clock::time_point until;
    sockaddr_in where;
    std::string answer;
  };

  void Loop() {
    while (!stopped_) {
      pollfd sockets[] = {{near_, POLLIN, 0}, {far_, POLLIN, 0}};
      poll(sockets, 2, held_.empty() ? 20 : 1);
      if ((sockets[0].revents & POLLIN) != 0) TakeQuestions();
      if ((sockets[1].revents & POLLIN) != 0) TakeAnswers();
      for (; !held_.empty() && held_.front().until <= std::chrono::steady_clock::now(); held_.pop_front()) {
        const Held& due = held_.front();
        sendto(near_, due.answer.data(), due.answer.size(), 0, reinterpret_cast<const sockaddr*>(&due.where),
               sizeof due.where);
      }
    }
  }

  void TakeQuestions() {
    sockaddr_in from = {};
    socklen_t from_size = sizeof from;
    for (ssize_t size; (size = recvfrom(near_, buffer_, sizeof buffer_, MSG_DONTWAIT,
                                        reinterpret_cast<sockaddr*>(&from), &from_size)) >= 2;) {
      const uint16_t number = ++last_number_;
      askers_[number] = {from, {buffer_, 2}};
      buffer_[0] = static_cast<char>(number >> 8);
      buffer_[1] = static_cast<char>(number);
      send(far_, buffer_, static_cast<size_t>(size), 0);
    }
  }

  void TakeAnswers() {
    for (ssize_t size; (size = recv(far_, buffer_, sizeof buffer_, MSG_DONTWAIT)) >= 2;) {
      const auto number =
          static_cast<uint16_t>(static_cast<unsigned char>(buffer_[0]) << 8 | static_cast<unsigned char>(buffer_[1]));
      const Asker& asker = askers_[number];
      held_.push_back({std::chrono::steady_clock::now() + std::chrono::milliseconds(answer_ms_), asker.where,
                       asker.number + std::string(buffer_ + 2, static_cast<size_t>(size) - 2)});
    }
  }

  const int answer_ms_;
  const int near_ = UdpSocket();
  const int far_ = UdpSocket();
  uint16_t port_ = 0;
  uint16_t last_number_ = 0;
  std::unordered_map<uint16_t, Asker> askers_;
  std::deque<Held> held_;  // all wait equally long
  char buffer_[4096];
  std::atomic<bool> stopped_ = false;
  std::thread thread_;
};

}  // namespace trawl
