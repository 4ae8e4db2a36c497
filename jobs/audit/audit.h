// The door of jobs/audit: whether a fetch was as polite as it was asked to be. It measures the time between the end of an
// answer and the next request to the same host, beside the delay that was in force when that request was begun.
//
// A fetch task has one; the round's document sums up those of all tasks. A host's first request in an attempt has no gap.
// One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/documents/json.h"

namespace trawl {

class PolitenessAudit {
 public:
  struct HostGaps {
    int64_t requests = 0;
    int64_t gaps = 0;        // measured, where a delay was in force
    int64_t violations = 0;  // gaps that were shorter than the delay
    // The gap that was the smallest part of its delay.
    int64_t gap_ms = 0;
    int64_t delay_ms = 0;

    double ratio() const { return static_cast<double>(gap_ms) / static_cast<double>(delay_ms); }
  };

  // A request to the host begins at that time of the crawl.
  void Begin(const std::string& host, int64_t at_ms, int64_t delay_ms);
  // Its answer has ended, or it failed.
  void End(const std::string& host, int64_t at_ms);

  // {"hosts", "requests", "gaps", "violations", "smallest_ratio" (null without gaps), "dots": [{"host", "requests",
  // "gap_ms", "delay_ms"}, …]}: a dot per host that has a gap, the smallest ratios first; where there are more than `most`,
  // a half of them are those with the smallest ratios and the others are spread over the rest.
  Json ToJson(size_t most) const;

 private:
  struct Host {
    HostGaps gaps;
    int64_t ended_ms = -1;
  };
  std::map<std::string, Host> hosts_;
};

// What a task's facts may hold, and a round's document.
inline constexpr size_t kMostDotsOfTask = 40;
inline constexpr size_t kMostDotsOfRound = 200;

// The sum of the tasks' facts; null where none has any, as in a fetch by an older version.
Json SumAudits(const std::vector<Json>& facts);

}  // namespace trawl
