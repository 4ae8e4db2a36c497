#include "jobs/politeness/turns.h"

namespace trawl {

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

}  // namespace trawl
