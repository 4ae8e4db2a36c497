// Turns of the tasks of one process at the same host: a robots.txt may lead a task to a host of another task's list, or of
// a segment that was fetched just before and is not applied yet. Any thread.
//
// A turn is at a unit of politeness, which is a host or a domain, by the hash of its name.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace trawl {

struct HostTurn {
  int64_t ended_ms = 0;  // end of the last answer; 0: there was no answer
  int64_t next_ms = 0;   // when the unit may be asked again, by the delay that its last asker knew
};

class HostTurns {
 public:
  // Reserves the unit until End or Release, and returns its previous turn. Nothing where another task has reserved it.
  std::optional<HostTurn> Begin(uint64_t unit);
  // Ends a turn after an answer.
  void End(uint64_t unit, const HostTurn& turn);
  // Ends a turn without a request.
  void Release(uint64_t unit);
  // Forgets the units that may be asked again at that time and were not asked in the minutes before it: for those who keep
  // the turns from one fetch to the next.
  void Forget(int64_t now_ms);

 private:
  struct Unit {
    HostTurn last;
    bool is_busy = false;
  };
  std::mutex mutex_;
  std::unordered_map<uint64_t, Unit> units_;
};

}  // namespace trawl
