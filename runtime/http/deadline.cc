#include "runtime/http/deadline.h"

#include <algorithm>

namespace trawl {

int64_t HttpDeadline::StepMs() const {
  return std::max<int64_t>(limits_.speed_window_ms / static_cast<int64_t>(kMarks), 1);
}

void HttpDeadline::Sent(int64_t now_ms) { sent_ms_ = now_ms; }

void HttpDeadline::FirstByte(int64_t now_ms) {
  if (first_byte_ms_ >= 0) return;
  first_byte_ms_ = now_ms;
  next_mark_ms_ = now_ms + StepMs();
}

void HttpDeadline::Pause(int64_t now_ms) {
  if (paused_ms_ < 0) paused_ms_ = now_ms;
}

void HttpDeadline::Resume(int64_t now_ms) {
  if (paused_ms_ < 0) return;
  const int64_t paused_for = now_ms - paused_ms_;
  paused_ms_ = -1;
  GiveBack(paused_for);
}

void HttpDeadline::GiveBack(int64_t ms) {
  began_ms_ += ms;
  if (connect_began_ms_ >= 0) connect_began_ms_ += ms;
  if (address_began_ms_ >= 0) address_began_ms_ += ms;
  if (sent_ms_ >= 0) sent_ms_ += ms;
  if (first_byte_ms_ >= 0) {
    first_byte_ms_ += ms;
    next_mark_ms_ += ms;
  }
  if (paused_ms_ >= 0) paused_ms_ += ms;
}

// At each mark, the oldest mark is a whole window back. Missed marks are left out, never made up: the window is then
// longer, which is to the server's advantage.
bool HttpDeadline::IsTooSlow(int64_t now_ms, int64_t received) {
  if (now_ms < next_mark_ms_) return false;
  next_mark_ms_ += StepMs();
  if (next_mark_ms_ <= now_ms) next_mark_ms_ = now_ms + StepMs();
  int64_t& mark = marks_[static_cast<size_t>(marks_taken_) % kMarks];
  const int64_t window_ago = marks_taken_ >= static_cast<int64_t>(kMarks) ? mark : 0;
  mark = received;
  ++marks_taken_;
  const int64_t least = limits_.min_bytes_per_second * limits_.speed_window_ms / 1000;
  return marks_taken_ >= static_cast<int64_t>(kMarks) && received - window_ago < least;
}

}  // namespace trawl
