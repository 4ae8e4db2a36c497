// A few threads that work off a short queue. Any thread may submit.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace trawl {

class HandlerPool {
 public:
  HandlerPool(int threads, int waiting);
  // Does not wait for work that is still running: Leave does.
  ~HandlerPool();
  HandlerPool(const HandlerPool&) = delete;
  HandlerPool& operator=(const HandlerPool&) = delete;

  // Has a thread call `work`. False where every thread is busy and the queue is full. `is_patient`: it waits until nothing
  // else does and no other patient work runs, and may fill but half of the queue.
  bool Submit(std::function<void()> work, bool is_patient = false);

  // Drops what waits, takes nothing more, and waits up to `ms` for what runs. Returns whether all of it has ended.
  bool Leave(int64_t ms);

 private:
  struct State;
  static void Work(const std::shared_ptr<State>& state);

  // The threads share it, so that a stuck one may outlive the pool.
  const std::shared_ptr<State> state_;
  std::vector<std::thread> threads_;
};

}  // namespace trawl
