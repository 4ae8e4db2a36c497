// Who asks whom among the lists that one process fetches at once: a robots.txt may lead a task to a host that another
// task's list holds. Any thread.
//
// What has a turn is a unit of politeness, a host or a domain, by the hash of its name.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace trawl {

struct HostTurn {
  int64_t ended_ms = 0;  // the last answer; 0: there was none
  int64_t next_ms = 0;   // when, to whoever had it, the unit may be asked again
};

class HostTurns {
 public:
  // From here until End or Release nobody else asks the unit. The turn before; nothing where the unit is being asked.
  std::optional<HostTurn> Begin(uint64_t unit);
  // An answer has ended.
  void End(uint64_t unit, const HostTurn& turn);
  // It was not asked.
  void Release(uint64_t unit);

 private:
  struct Unit {
    HostTurn last;
    bool is_busy = false;
  };
  std::mutex mutex_;
  std::unordered_map<uint64_t, Unit> units_;
};

}  // namespace trawl
