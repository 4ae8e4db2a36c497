// The chain of one fetch task, as far as it was read: who worked on the list, and what came of it. One thread at a time.
//
// Entries are numbered and never change, so each is read once. Times are those of the entries, by the crawl's clock.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/attempt_entry.h"
#include "jobs/live/live.h"
#include "jobs/stats/minutes.h"
#include "jobs/verb/live_gauges.h"
#include "runtime/store/store.h"

namespace trawl {

// What was done in a span of time: (from, at].
struct LiveSpan {
  TimeMs from_ms = 0;
  TimeMs at_ms = 0;
  int64_t pages = 0;
  int64_t bytes = 0;
  int64_t fetched = 0;
  int64_t errors = 0;
};

struct SeenAttempt {
  std::string attempt;
  int64_t begun_at = 0;  // the number of its first entry
  ProcessIdentity process;
  TimeMs since_ms = 0;
  TimeMs last_ms = 0;
  int64_t lease_ms = 0;
  bool has_ended = false;
  int64_t parts = 0;
  LiveSums sums;
  std::optional<FetchGauges> gauges;  // as it showed them last
  TimeMs gauges_ms = 0;
  // Parts of the last minutes, and after them what the gauges say of the time since.
  std::deque<LiveSpan> spans;
  LiveSpan tail;

  std::string id() const { return attempt + "-" + std::to_string(begun_at); }
};

class ChainLog {
 public:
  ChainLog(std::string segment, int task) : segment_(std::move(segment)), task_(task) {}

  // Reads what is new, at most `most` entries. The newest entry comes first, so that the worker of now is known at once;
  // then the others in their order.
  arrow::Status Update(Store* store, int64_t most);

  int task() const { return task_; }
  // Whether there is nothing more to read; what cannot be read is not waited for.
  bool is_whole() const { return next_ >= count_ || is_torn_; }
  // The whole list is done.
  bool is_done() const { return is_done_; }
  // In the order in which they began. While older entries are missing, the last one may know only its newest entry.
  std::vector<SeenAttempt> attempts() const;
  // Of all attempts.
  const Minutes& minutes() const { return minutes_; }
  const LiveSums& sums() const { return sums_; }
  // Entries read by the last call.
  int64_t read() const { return read_; }

 private:
  arrow::Status Find(Store* store);
  arrow::Status ReadNew(Store* store, int64_t most);
  arrow::Result<std::optional<AttemptEntry>> ReadEntry(Store* store, int64_t number);
  void Take(const AttemptEntry& entry, int64_t number);
  void TakeHead(const AttemptEntry& entry, int64_t number);
  SeenAttempt* AttemptOf(const AttemptEntry& entry, int64_t number);

  const std::string segment_;
  const int task_;
  int64_t next_ = 0;    // the first entry that is not taken yet
  int64_t count_ = -1;  // entries that are known to be there; -1: nothing is known
  int64_t read_ = 0;
  bool is_done_ = false;
  bool is_torn_ = false;             // the last call failed
  std::optional<SeenAttempt> head_;  // while entries before the newest are missing: its worker
  std::vector<SeenAttempt> attempts_;
  Minutes minutes_;
  LiveSums sums_;
};

}  // namespace trawl
