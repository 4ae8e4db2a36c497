// The chain of a fetch task: who may work on a list, and which of its files count.
//
// An attempt begins behind the chain's head, appends a part each time some of its rows are safe, and beats when it has
// none. Every entry is one exclusive create. Whoever finds its number taken has lost the list and asks no more; a
// successor begins only where the attempt before it has ended, is known dead, or has shown nothing for its whole lease.
// So that the two never ask at once, an attempt asks only until AsksUntilMs: its lease from the last entry that it
// knows it has written. Start at Begin.
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
  // Called while another attempt is waited out, some times a second. May be empty.
  std::function<void(const AttemptEntry& head)> waiting;
};

class AttemptChain {
 public:
  // Waits until the list is free, and takes it. Where an attempt before did all of it, nothing is taken: done() says
  // so. `store` and `clock` must outlive it.
  static arrow::Result<std::unique_ptr<AttemptChain>> Begin(Store* store, const Clock& clock, StopToken stop,
                                                            AttemptChainOptions options);
  // Ends the beats; writes nothing.
  ~AttemptChain();
  AttemptChain(const AttemptChain&) = delete;
  AttemptChain& operator=(const AttemptChain&) = delete;

  // Of the attempts before this one.
  bool done() const { return done_; }
  bool continues() const { return continues_; }
  // The number of its first entry: no other attempt has the same.
  int64_t begun_at() const { return begun_at_; }
  // The parts of all attempts so far, in order. Not while another thread adds one.
  const std::vector<AttemptEntry>& parts() const { return parts_; }

  // Any thread. Once one of these has failed the list may be another's.
  arrow::Status AddPart(std::map<std::string, std::vector<FileReceipt>> files, Json counters);
  arrow::Status End(bool done);

  // Any thread. Until this time by the clock's MonotonicMs the list is this attempt's alone.
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

  std::mutex mutex_;  // guards what follows, and the order of entries
  int64_t next_ = 0;
  AttemptEntry head_;
  std::string begun_by_;  // the attempt that began last, as far as was read
  std::vector<AttemptEntry> parts_;
  std::map<std::string, int64_t> named_files_;  // of those parts, by the number of the entry
  std::atomic<int64_t> asks_until_ms_ = 0;

  std::mutex beat_mutex_;
  std::condition_variable beat_stop_;
  bool ends_ = false;
  std::thread beats_;
};

}  // namespace trawl
