// What only a scan of all URLs and hosts tells: counted once per snapshot, by the thread that prepares views. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "formats/rows/host_row.h"
#include "jobs/select/url_rank.h"
#include "jobs/stats/holds.h"
#include "jobs/stats/url_counts.h"
#include "jobs/views/host_holds.h"
#include "jobs/views/views.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"

namespace trawl {

// When URLs come due: exact to a second for the first hour, to a minute for seven days. One thread fills it.
class DueTimes {
 public:
  static constexpr int64_t kSeconds = 3600;
  static constexpr int64_t kMinutes = 7 * 24 * 60;

  explicit DueTimes(TimeMs from_ms) : from_ms_(from_ms / 1000 * 1000), seconds_(kSeconds), minutes_(kMinutes) {}
  void Add(TimeMs due_ms);
  void Merge(const DueTimes& other);

  // The URLs that are due then, at the whole second before it. REQUIRES: Knows(now_ms).
  int64_t DueAt(TimeMs now_ms) const;
  // Times before the count are not known, nor those after its last minute.
  bool Knows(TimeMs now_ms) const { return now_ms >= from_ms_ && now_ms < from_ms_ + kMinutes * 60'000; }
  // The first time after it at which a URL comes due, to the second or minute; kNever where none does.
  TimeMs NextAfter(TimeMs now_ms) const;
  // URLs that come due in each of the 168 hours after it.
  std::vector<int64_t> ByHour(TimeMs now_ms) const;
  TimeMs from_ms() const { return from_ms_; }

 private:
  TimeMs from_ms_;
  int64_t before_ = 0;            // due when counting began
  std::vector<int64_t> seconds_;  // the number i: in (from + i s, from + (i + 1) s]
  std::vector<int64_t> minutes_;  // the same in minutes, those of the first hour too
  TimeMs after_ms_ = kNever;      // the first that comes later
};

enum class HostTop { kSlowest, kFailing, kLargest, kWaiting, kTraps };
inline constexpr int kHostTops = 5;
inline constexpr std::array<const char*, kHostTops> kHostTopNames = {"slowest", "failing", "largest", "waiting",
                                                                     "traps"};

struct CrawlCounts {
  TimeMs at_ms = 0;
  UrlCounts urls;
  DueTimes due{0};
  std::array<int64_t, kTiers> pending_by_tier{};
  HostHolds holds;
  std::map<std::string, int64_t> more_holds;         // hosts by the kind of HostHold
  std::map<std::string, HostHold> held_tops;         // of the hosts of `tops` that have one, by their keys
  int64_t known_hosts = 0;                           // rows of the hosts table that tell of a host
  std::array<std::vector<HostRow>, kHostTops> tops;  // the first kMostTop of each, in order
  static constexpr size_t kMostTop = 1000;
};

// Counts the snapshot as of that time.
arrow::Result<CrawlCounts> CountCrawl(const View& view, TimeMs now_ms, const StopToken& stop);

// The counts of the view that serve that time: those that were prepared, or, where they do not know it, new ones.
arrow::Result<std::shared_ptr<const CrawlCounts>> CountsOf(const View& view, TimeMs now_ms, const StopToken& stop);
// Makes them.
void PrepareCounts(const View& view, TimeMs now_ms, const StopToken& stop);

}  // namespace trawl
