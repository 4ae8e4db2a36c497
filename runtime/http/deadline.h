// The time limits of one request, told apart by stage. Given the time, it knows none itself. One thread.
#pragma once

#include <array>
#include <cstdint>

#include "runtime/http/http.h"

namespace trawl {

class HttpDeadline {
 public:
  enum class Breach {
    kNone,
    kAddress,    // this address does not accept: the next one
    kConnect,    // none of them did, or the TLS handshake takes too long
    kFirstByte,  // the request is out and nothing comes
    kTooSlow,
    kTotal,
  };

  HttpDeadline(const HttpLimits& limits, int64_t now_ms) : limits_(limits), began_ms_(now_ms) {}

  void ConnectBegins(int64_t now_ms) { connect_began_ms_ = now_ms; }
  void AddressBegins(int64_t now_ms) { address_began_ms_ = now_ms; }
  // The request is on its way.
  void Sent(int64_t now_ms);
  void FirstByte(int64_t now_ms);
  // We ourselves stop receiving, and go on: what lies between counts against nobody.
  void Pause(int64_t now_ms);
  void Resume(int64_t now_ms);
  // Our loop was late by this much: all that runs gets it back.
  void GiveBack(int64_t ms);

  // What is over at `now_ms`, `received` bytes having come in all. To be called about every 100 ms; `tcp_connected` is
  // asked only where it matters.
  template <typename IsConnected>
  Breach Check(int64_t now_ms, int64_t received, IsConnected tcp_connected) {
    if (paused_ms_ >= 0) return Breach::kNone;
    if (now_ms - began_ms_ >= limits_.total_ms) return Breach::kTotal;
    if (sent_ms_ < 0) return CheckConnect(now_ms, tcp_connected);
    if (first_byte_ms_ < 0) return now_ms - sent_ms_ >= limits_.first_byte_ms ? Breach::kFirstByte : Breach::kNone;
    return IsTooSlow(now_ms, received) ? Breach::kTooSlow : Breach::kNone;
  }

 private:
  template <typename IsConnected>
  Breach CheckConnect(int64_t now_ms, IsConnected tcp_connected) const {
    if (connect_began_ms_ < 0) return Breach::kNone;  // names have their own limits
    if (now_ms - connect_began_ms_ >= limits_.connect_ms) return Breach::kConnect;
    if (now_ms - address_began_ms_ < limits_.connect_address_ms || tcp_connected()) return Breach::kNone;
    return Breach::kAddress;
  }
  bool IsTooSlow(int64_t now_ms, int64_t received);
  int64_t StepMs() const;

  // A window of marks: how much had come at the end of each tenth of it.
  static constexpr size_t kMarks = 10;
  HttpLimits limits_;
  int64_t began_ms_;
  int64_t connect_began_ms_ = -1;
  int64_t address_began_ms_ = -1;
  int64_t sent_ms_ = -1;
  int64_t first_byte_ms_ = -1;
  int64_t paused_ms_ = -1;
  int64_t next_mark_ms_ = 0;
  int64_t marks_taken_ = 0;
  std::array<int64_t, kMarks> marks_ = {};
};

}  // namespace trawl
