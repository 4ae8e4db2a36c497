// The chain of a fetch task: decides who may work on a list, and which of its files count.
//
// An attempt begins after the chain's head, appends a part each time some of its rows are safe, and beats when it has
// no part to append. Every entry is one exclusive create. An attempt that finds its number taken has lost the list and
// sends no more requests. A successor begins only where the attempt before it has ended, is known to be dead, or has
// shown nothing for its whole lease. So that the two never ask at once, an attempt asks only until AsksUntilMs: its
// lease, counted from the last entry that it knows it has written. Start at Begin.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "arrow/result.h"
#include "arrow/status.h"
#include "formats/documents/attempt_entry.h"
#include "runtime/process/clock.h"
#include "runtime/process/stop.h"
#include "runtime/store/store.h"

namespace trawl {

struct AttemptChainOptions {
  std::string segment;
  int task = 0;
  std::string attempt;
  std::string lists_job;
  int64_t lease_ms = 60'000;
  // The crawl's time, for the entries.
  std::function<TimeMs()> now_ms;
  // Whether the step of all lists is done, so that no attempt need be waited for. May be empty.
  std::function<arrow::Result<bool>()> is_over = {};
  // Called several times per second while another attempt is waited for. May be empty.
  std::function<void(const AttemptEntry& head)> waiting;
};

class AttemptChain {
 public:
  // Waits until the list is free, and takes it. Where an earlier attempt did all of it, or the step is over, nothing is
  // taken, and done() is true. `store` and `clock` must outlive the chain.
  static arrow::Result<std::unique_ptr<AttemptChain>> Begin(Store* store, const Clock& clock, StopToken stop,
                                                            AttemptChainOptions options);
  // Ends the beats; writes nothing.
  ~AttemptChain();
  AttemptChain(const AttemptChain&) = delete;
  AttemptChain& operator=(const AttemptChain&) = delete;

  // Whether an earlier attempt did the whole list. If the step is over, parts() may lack some.
  bool done() const { return done_; }
  bool continues() const { return continues_; }
  // The number of its first entry: no other attempt has the same.
  int64_t begun_at() const { return begun_at_; }
  // The parts of all attempts so far, in order. Do not call it while another thread adds a part.
  const std::vector<AttemptEntry>& parts() const { return parts_; }

  // Any thread. After one of these has failed, the list may be another's.
  arrow::Status AddPart(std::map<std::string, std::vector<FileReceipt>> files, Json counters);
  arrow::Status End(bool done);
  // Any thread. What the task does now: the entries from here on say so. It costs no entry of its own.
  void Show(Json gauges);

  // Any thread. Until this time by the clock's MonotonicMs the list belongs to this attempt alone.
  int64_t AsksUntilMs() const { return asks_until_ms_.load(); }
  bool lost() const { return asks_until_ms_.load() == kLost; }
  int64_t lease_ms() const { return options_.lease_ms; }

 private:
  static constexpr int64_t kLost = INT64_MIN;

  AttemptChain(Store* store, const Clock& clock, StopToken stop, AttemptChainOptions options);
  arrow::Status WaitForTurn();
  arrow::Result<bool> TakeTurn();
  arrow::Status ReadNew();
  arrow::Status CheckFollows(const AttemptEntry& entry);
  bool IsFree(int64_t head_seen_ms) const;
  AttemptEntry Entry(AttemptEvent event) const;
  arrow::Status Append(const AttemptEntry& entry);
  arrow::Result<bool> Create(const AttemptEntry& entry);
  arrow::Result<bool> FollowsOne();
  void Beat();
  void Pause(int64_t ms) const;

  Store* const store_;
  const Clock& clock_;
  const StopToken stop_;
  const AttemptChainOptions options_;
  const ProcessIdentity process_;
  bool done_ = false;
  bool continues_ = false;
  int64_t begun_at_ = 0;

  std::mutex mutex_;  // guards the members after it, and the order of entries
  int64_t next_ = 0;
  AttemptEntry head_;
  std::string begun_by_;  // the attempt that began last, as far as the chain was read
  std::vector<AttemptEntry> parts_;
  std::map<std::string, int64_t> named_files_;  // files of those parts, by the number of the entry
  std::atomic<int64_t> asks_until_ms_ = 0;

  mutable std::mutex gauges_mutex_;
  Json gauges_;

  std::mutex beat_mutex_;
  std::condition_variable beat_stop_;
  bool ends_ = false;
  std::thread beats_;
};

// Removes the chains of a segment that is applied. Attempts that wake up later find out that they have lost their list,
// as long as they look for the record of the fetch before they ask.
arrow::Status RemoveAttempts(Store* store, const std::string& segment);

}  // namespace trawl
