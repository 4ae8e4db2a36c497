#include "jobs/serve/store_watch.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "runtime/terminal/units.h"

namespace trawl {

using arrow::Status;

// The thread shares it, because a probe that hangs may outlive the watch.
struct StoreWatch::Shared {
  std::function<Status()> probe;
  const Clock& clock;
  const Rhythm rhythm;
  std::mutex mutex = {};  // guards what follows
  std::condition_variable changed = {};
  Status last = Status::OK();
  int64_t probing_since_ms = -1;  // -1: no probe is under way
  bool is_stopping = false;
  bool has_ended = false;
};

StoreWatch::StoreWatch(std::function<Status()> probe, const Clock& clock, Rhythm rhythm)
    : shared_(new Shared{.probe = std::move(probe), .clock = clock, .rhythm = rhythm}) {
  std::thread([shared = shared_] { Watch(shared); }).detach();
}

StoreWatch::~StoreWatch() { Stop(); }

void StoreWatch::Watch(const std::shared_ptr<Shared>& shared) {
  std::unique_lock lock(shared->mutex);
  while (!shared->is_stopping) {
    shared->probing_since_ms = shared->clock.MonotonicMs();
    lock.unlock();
    Status status = shared->probe();
    lock.lock();
    shared->probing_since_ms = -1;
    shared->last = std::move(status);
    shared->changed.wait_for(lock, std::chrono::milliseconds(shared->rhythm.every_ms),
                             [&shared] { return shared->is_stopping; });
  }
  shared->probe = nullptr;
  shared->has_ended = true;
  shared->changed.notify_all();
}

Status StoreWatch::State() const {
  const std::lock_guard lock(shared_->mutex);
  const int64_t since_ms = shared_->probing_since_ms;
  const int64_t waited_ms = since_ms < 0 ? 0 : shared_->clock.MonotonicMs() - since_ms;
  if (waited_ms < shared_->rhythm.patience_ms) return shared_->last;
  return Status::IOError("the store has not answered for ", ReadableDuration(waited_ms));
}

bool StoreWatch::Stop() {
  constexpr auto kPatience = std::chrono::seconds(1);
  std::unique_lock lock(shared_->mutex);
  shared_->is_stopping = true;
  shared_->changed.notify_all();
  return shared_->changed.wait_for(lock, kPatience, [this] { return shared_->has_ended; });
}

}  // namespace trawl
