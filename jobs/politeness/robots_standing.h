// The consequences of a row of the robots table for its origin now. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/rows/robots_row.h"
#include "jobs/policy/robots_options.h"

namespace trawl {

// Whether the row's rules count: the last request gave them, or they are a good copy that is young enough to stand in.
bool RulesServe(const RobotsRow& row, int64_t keep_ms, int64_t now_ms);

// Why the last request gave no rules: "robots.txt: status 403"; empty where it gave some.
std::string_view WhyOfRobots(const RobotsRow& row);

// Until when the pages of the origin wait for its robots.txt, which could not be reached, or for its host, which is dead;
// 0: they do not wait.
int64_t DeferredUntil(const RobotsRow& row, const RobotsOptions& options, int64_t now_ms);

// The outcome and reason of a page whose host is dead. REQUIRES: row.is_dead.
Outcome OutcomeOfDead(const RobotsRow& row);
std::string ReasonOfDead(const RobotsRow& row);
// What a URL of the origin waits for. REQUIRES: DeferredUntil(row, …) > 0.
std::string HoldTextOf(const RobotsRow& row);
inline constexpr std::string_view kNobodyThere = "nobody is there";  // how that reason begins

// Whether the robots.txt files of a host's origins keep the whole host waiting: each of those that are known does.
class HostWait {
 public:
  void Add(const RobotsRow& row, const RobotsOptions& options, int64_t now_ms);

  // When the first of them waits no longer; 0: the host does not wait.
  int64_t until_ms() const { return is_free_ ? 0 : until_ms_; }
  // As generate counts the URLs that wait. REQUIRES: it waits; the same for is_dead and text.
  const char* kind() const { return is_dead_ ? "dead_host" : "robots_deferred"; }
  bool is_dead() const { return is_dead_; }
  const std::string& text() const { return text_; }

 private:
  bool is_free_ = false;
  bool is_dead_ = false;
  int64_t until_ms_ = 0;
  std::string text_;
};

// How long after the n-th failure in a row robots.txt is asked for again: 1 h, doubling up to 24 h.
int64_t RobotsDeferralMs(int32_t failures);

}  // namespace trawl
