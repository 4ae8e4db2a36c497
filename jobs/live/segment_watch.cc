#include "jobs/live/segment_watch.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "runtime/root/layout.h"
#include "runtime/root/segment_data.h"

namespace trawl {

using arrow::Result;
using arrow::Status;

namespace {

// Chains lie in a store that answers after some milliseconds, so several are read at once.
constexpr size_t kThreads = 8;
constexpr size_t kChainsAThread = 4;
// A generate makes fewer lists.
constexpr int kMostChains = 100'000;
constexpr size_t kMostFaults = 20;

}  // namespace

Status SegmentWatch::ReadListsOnce(Store* store) {
  if (has_lists_ || segment_.lists.empty()) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const StepRecord record, ReadLists(store, segment_.id, segment_.job, segment_.lists));
  for (const StepTask& task : record.tasks) lists_.push_back(GetInt(task.facts, "urls").ValueOr(0));
  has_lists_ = true;
  return Status::OK();
}

Status SegmentWatch::ReadSteps(Store* store) {
  if (!is_fetched_) {
    ARROW_ASSIGN_OR_RAISE(is_fetched_, store->Exists(DatasetRecordPath(segment_.id, kFetchStep)));
  }
  if (is_fetched_ && !is_parsed_) {
    ARROW_ASSIGN_OR_RAISE(is_parsed_, store->Exists(DatasetRecordPath(segment_.id, kParseStep)));
  }
  return Status::OK();
}

Status SegmentWatch::FindChains(Store* store) {
  if (has_lists_ && begun_.size() >= lists_.size()) return Status::OK();
  const std::string first = AttemptFolder(segment_.id, 0);
  ARROW_ASSIGN_OR_RAISE(const auto entries, store->List(first.substr(0, first.rfind('/')), /*recursive=*/false));
  for (const StoreEntry& entry : entries) {
    // The folder of a task has no meaning of its own; its first entry has.
    const std::optional<Place> place = ParsePath(entry.path + "/0.json");
    if (!place || place->kind != PlaceKind::kAttempt || place->task > kMostChains) continue;
    if (begun_.insert(place->task).second) chains_.push_back(std::make_unique<ChainLog>(segment_.id, place->task));
  }
  std::sort(chains_.begin(), chains_.end(), [](const auto& a, const auto& b) { return a->task() < b->task(); });
  return Status::OK();
}

Status SegmentWatch::Update(Store* store, const Clock& clock, const StopToken& stop, const LiveBudget& budget,
                            std::vector<std::string>* faults) {
  const bool was_fetched = is_fetched_;
  ARROW_RETURN_NOT_OK(ReadListsOnce(store));
  ARROW_RETURN_NOT_OK(ReadSteps(store));
  // A fetch that has its record writes no more entries.
  if (was_fetched && is_whole_) return Status::OK();
  ARROW_RETURN_NOT_OK(FindChains(store));
  std::atomic<size_t> next{0};
  std::atomic<int64_t> left{budget.entries};
  std::mutex mutex;
  const auto most = std::max<int64_t>(budget.entries / static_cast<int64_t>(std::max<size_t>(chains_.size(), 1)), 20);
  const auto run = [&] {
    for (size_t i = next++; i < chains_.size(); i = next++) {
      if (stop.stopped() || left <= 0 || clock.MonotonicMs() >= budget.until_ms) return;
      ChainLog& chain = *chains_[i];
      if (chain.is_done()) continue;
      const Status status = chain.Update(store, most);
      left -= chain.read();
      if (status.ok()) continue;
      const std::lock_guard<std::mutex> lock(mutex);
      if (faults->size() < kMostFaults) faults->push_back(status.message());
    }
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min(kThreads, chains_.size() / kChainsAThread); ++i) threads.emplace_back(run);
  run();
  for (std::thread& thread : threads) thread.join();
  ARROW_RETURN_NOT_OK(stop.Check());
  is_whole_ = std::all_of(chains_.begin(), chains_.end(),
                          [](const auto& chain) { return chain->is_done() || chain->is_whole(); });
  return Status::OK();
}

}  // namespace trawl
