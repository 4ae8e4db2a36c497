// The time limits of one request, a separate one for each stage. It reads no clock: callers pass the time. One thread.
#pragma once

#include <array>
#include <cstdint>

#include "runtime/http/http.h"

namespace trawl {

class HttpDeadline {
 public:
  enum class Breach {
    kNone,
    kAddress,    // this address does not accept: try the next one
    kConnect,    // no address accepted, or the TLS handshake takes too long
    kFirstByte,  // the request is sent and no answer comes
    kTooSlow,
    kTotal,
  };

  HttpDeadline(const HttpLimits& limits, int64_t now_ms) : limits_(limits), began_ms_(now_ms) {}

  void ConnectBegins(int64_t now_ms) { connect_began_ms_ = now_ms; }
  void AddressBegins(int64_t now_ms) { address_began_ms_ = now_ms; }
  // The request has been sent.
  void Sent(int64_t now_ms);
  void FirstByte(int64_t now_ms);
  // We ourselves stop receiving, and later resume: the time between counts against nobody.
  void Pause(int64_t now_ms);
  void Resume(int64_t now_ms);
  // Our loop was late by this much: every running limit is extended by it.
  void GiveBack(int64_t ms);

  // Returns the limit that is passed at `now_ms`, when `received` bytes have come in all. Call it about every 100 ms;
  // `tcp_connected` is called only where it matters.
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
    if (connect_began_ms_ < 0) return Breach::kNone;  // name lookups have their own limits
    if (now_ms - connect_began_ms_ >= limits_.connect_ms) return Breach::kConnect;
    if (now_ms - address_began_ms_ < limits_.connect_address_ms || tcp_connected()) return Breach::kNone;
    return Breach::kAddress;
  }
  bool IsTooSlow(int64_t now_ms, int64_t received);
  int64_t StepMs() const;

  // A window of marks: how many bytes had come by the end of each tenth of it.
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
