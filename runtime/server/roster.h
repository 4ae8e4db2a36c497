// Who is connected, in which phase, until when; and who goes first when there are too many. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/server/limits.h"

namespace trawl {

enum class GuestPhase : int8_t {
  kBetween,   // it waits between two requests
  kLinger,    // it has its last answer
  kHeader,    // it is to send a header
  kBody,      // it is to send a body
  kAnswer,    // it is to take an answer
  kPipeline,  // a handler works for it, on a request that it sent before it had the answer to the one before
  kHandler,   // a handler works for it, or will
};

// A connection, as the roster sees it.
class Guest {
 public:
  explicit Guest(std::string address) : address_(std::move(address)) {}
  virtual ~Guest() = default;
  // The deadline of its phase has passed. Called again and again until it is in another phase or gone: an operation that has
  // just ended when the first call comes cannot be cancelled any more, but the next one can.
  virtual void Expire() = 0;
  // It has to go at once.
  virtual void End() = 0;
  // Whether it waits until a handler has time for it.
  virtual bool IsWaiting() const = 0;

  GuestPhase phase() const { return phase_; }

 protected:
  // `deadline_ms` is INT64_MAX where the phase has none.
  void EnterPhase(GuestPhase phase, int64_t now_ms, int64_t deadline_ms) {
    phase_ = phase;
    since_ms_ = now_ms;
    deadline_ms_ = deadline_ms;
  }

 private:
  friend class Roster;
  const std::string address_;
  GuestPhase phase_ = GuestPhase::kHeader;
  int64_t since_ms_ = 0;
  int64_t deadline_ms_ = INT64_MAX;
  bool is_ending_ = false;
};

class Roster {
 public:
  explicit Roster(const ServerLimits& limits) : limits_(limits) {}

  // Whether a client of that address may connect now. Where its address or the server is full, another guest goes for it:
  // one that has nothing under way (kBetween, kLinger), else one that takes its time, else one that waits for a
  // handler; of several the one that is in its phase longest. So a good client, which is never long in a phase, stays.
  bool MakeRoom(const std::string& address);
  // `guest` stays until Remove.
  void Add(Guest* guest) { guests_.push_back(guest); }
  void Remove(Guest* guest);
  // Tells the guests whose deadline has passed.
  void Sweep(int64_t now_ms);
  // Ends all guests of a phase up to that one.
  void EndUpTo(GuestPhase phase);
  bool is_empty() const { return guests_.empty(); }

 private:
  // Ends one guest of the address (null: of any); false where none may go.
  bool EndOne(const std::string* address);

  const ServerLimits limits_;
  std::vector<Guest*> guests_;
};

}  // namespace trawl
