#include "runtime/server/handler_pool.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

namespace trawl {

struct HandlerPool::State {
  std::mutex mutex;  // guards everything below
  std::condition_variable changed;
  std::deque<std::function<void()>> queue, patient;

  bool is_patient_running = false;

  bool HasWork() const { return !queue.empty() || (!patient.empty() && !is_patient_running); }
  // REQUIRES: HasWork().
  std::function<void()> Next(bool* is_patient) {
    *is_patient = queue.empty();
    std::deque<std::function<void()>>& first = *is_patient ? patient : queue;
    std::function<void()> work = std::move(first.front());
    first.pop_front();
    return work;
  }

  size_t most_waiting = 0;
  int idle = 0;  // threads that wait for work
  int alive = 0;
  bool is_leaving = false;
};

HandlerPool::HandlerPool(int threads, int waiting) : state_(std::make_shared<State>()) {
  state_->most_waiting = static_cast<size_t>(waiting);
  state_->alive = threads;
  state_->idle = threads;
  for (int i = 0; i < threads; ++i) threads_.emplace_back([state = state_] { Work(state); });
}

HandlerPool::~HandlerPool() {
  const bool all_ended = Leave(0);
  for (std::thread& thread : threads_) {
    if (all_ended) {
      thread.join();
    } else {
      thread.detach();
    }
  }
}

bool HandlerPool::Submit(std::function<void()> work, bool is_patient) {
  const std::lock_guard lock(state_->mutex);
  const size_t places = is_patient ? state_->most_waiting / 2 : state_->most_waiting;
  if (state_->is_leaving || state_->queue.size() + state_->patient.size() >= static_cast<size_t>(state_->idle) + places)
    return false;
  (is_patient ? state_->patient : state_->queue).push_back(std::move(work));
  state_->changed.notify_one();
  return true;
}

bool HandlerPool::Leave(int64_t ms) {
  std::unique_lock lock(state_->mutex);
  state_->is_leaving = true;
  const std::deque<std::function<void()>> dropped = std::exchange(state_->queue, {});
  const std::deque<std::function<void()>> dropped_patient = std::exchange(state_->patient, {});
  state_->changed.notify_all();
  const auto limit = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
  // Idle threads always end; only those that work may be stuck.
  state_->changed.wait(lock, [this] { return state_->idle == 0; });
  return state_->changed.wait_until(lock, limit, [this] { return state_->alive == 0; });
}

void HandlerPool::Work(const std::shared_ptr<State>& state) {
  std::unique_lock lock(state->mutex);
  while (true) {
    state->changed.wait(lock, [&state] { return state->is_leaving || state->HasWork(); });
    --state->idle;
    if (state->is_leaving) break;
    bool is_patient = false;
    std::function<void()> work = state->Next(&is_patient);
    if (is_patient) state->is_patient_running = true;
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
    if (is_patient) state->is_patient_running = false;
    ++state->idle;
  }
  --state->alive;
  state->changed.notify_all();
}

}  // namespace trawl
