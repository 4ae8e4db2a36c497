// Writes the rows of a fetch task, part by part, on its own thread, so that a slow store never delays the task's loop.
//
// A part is its files and then one entry of the attempt's chain. Its rows are safe once that entry is written. All
// public functions are for the loop's thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "arrow/status.h"
#include "formats/rows/content_row.h"
#include "formats/rows/fetch_row.h"
#include "formats/rows/host_row.h"
#include "formats/rows/robots_row.h"
#include "jobs/fetch/shared_bodies.h"
#include "runtime/job/counters.h"
#include "runtime/root/attempt_chain.h"
#include "runtime/store/store.h"

namespace trawl {

struct FetchedPage {
  FetchRow fetch;
  // Present where the body is to be stored.
  std::optional<ContentRow> content;
};

// The rows and counters that end a part, beside its pages.
struct PartEnd {
  std::vector<HostRow> hosts;
  std::vector<RobotsRow> robots;
  Json counters = Json::object();
};

class FetchPartWriter {
 public:
  // Files are named `prefix`-<part>-0.orc. `chain`, `bodies` and `store` must outlive the writer, which alone uses
  // `bodies`. It calls `wake` from its thread when the loop should look at IsBehind or status. `tasks` run on this machine
  // at once and share its memory.
  FetchPartWriter(Store* store, std::string segment, std::string prefix, AttemptChain* chain, SharedBodies* bodies,
                  int tasks, std::function<void()> wake);
  // Loses the part that is not closed.
  ~FetchPartWriter();
  FetchPartWriter(const FetchPartWriter&) = delete;
  FetchPartWriter& operator=(const FetchPartWriter&) = delete;

  void Add(FetchedPage page);
  void ClosePart(PartEnd end);
  // Whether too many pages wait for the disk: no more should be asked for now.
  bool IsBehind() const { return queued_bytes_.load() > most_queued_bytes_; }
  // The first failure. Nothing is written after it.
  arrow::Status status() const;
  // Waits until everything that was added is written.
  arrow::Status Finish();

 private:
  struct Writers;
  struct Piece {
    std::optional<FetchedPage> page;
    std::optional<PartEnd> end;
    int64_t bytes = 0;
  };

  void Push(Piece piece);
  void Work();
  arrow::Status Write(Piece piece);
  arrow::Status WritePage(FetchedPage page);
  arrow::Status WriteEnd(PartEnd end);

  Store* const store_;
  const std::string segment_;
  const std::string prefix_;
  AttemptChain* const chain_;
  // Bodies of parts that are closed, and of the open one. A part that fails is the last one.
  SharedBodies& bodies_;
  const int64_t most_queued_bytes_;
  const std::function<void()> wake_;

  // Used by the thread alone.
  std::unique_ptr<Writers> writers_;
  int next_part_ = 0;
  Counters shared_;  // of the open part

  std::atomic<int64_t> queued_bytes_ = 0;
  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::deque<Piece> pieces_;
  bool ends_ = false;
  bool is_idle_ = true;
  arrow::Status status_;
  std::thread thread_;
};

}  // namespace trawl
