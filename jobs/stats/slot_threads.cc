#include "jobs/stats/slot_threads.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace trawl {

using arrow::Status;

Status ForEachSlotRange(int threads, int parts, const StopToken& stop,
                        const std::function<Status(SlotRange range, int number)>& work) {
  std::atomic<int> next{0};
  std::mutex mutex;
  Status failure;
  const auto run = [&] {
    for (int number = next++; number < parts; number = next++) {
      Status status = stop.Check();
      if (status.ok()) status = work(RangeOfPartition(number, parts), number);
      if (status.ok()) continue;
      const std::lock_guard<std::mutex> lock(mutex);
      if (failure.ok()) failure = status;
      next = parts;
    }
  };
  std::vector<std::thread> workers;
  for (int i = 1; i < std::min(threads, parts); ++i) workers.emplace_back(run);
  run();
  for (std::thread& worker : workers) worker.join();
  return failure;
}

}  // namespace trawl
