#include "jobs/politeness/turns.h"

namespace trawl {

namespace {

// Whoever asks next may know of a longer delay than the last asker did; few are longer than this.
constexpr int64_t kRememberedMs = 5 * 60'000;

}  // namespace

std::optional<HostTurn> HostTurns::Begin(uint64_t unit) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Unit& known = units_[unit];
  if (known.is_busy) return std::nullopt;
  known.is_busy = true;
  return known.last;
}

void HostTurns::End(uint64_t unit, const HostTurn& turn) {
  const std::lock_guard<std::mutex> lock(mutex_);
  units_[unit] = {turn, false};
}

void HostTurns::Release(uint64_t unit) {
  const std::lock_guard<std::mutex> lock(mutex_);
  units_[unit].is_busy = false;
}

void HostTurns::Forget(int64_t now_ms) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::erase_if(units_, [now_ms](const auto& known) {
    const HostTurn& last = known.second.last;
    return !known.second.is_busy && last.next_ms <= now_ms && last.ended_ms <= now_ms - kRememberedMs;
  });
}

}  // namespace trawl
