// The turns in which the tasks of one process parse huge bodies. Any thread.
//
// Parsing a body takes up to 60 MiB. A larger one takes 100 MiB by a scan of HTML, and 150 MiB by anything else. Of all
// tasks of the process only kMostHugeBodies at a time parse a larger one, and only one of these by more than a scan:
// hostile pages would make the process grow with its threads.
#pragma once

#include <cstddef>
#include <mutex>
#include <semaphore>
#include <utility>

namespace trawl {

inline constexpr size_t kHugeBodyBytes = size_t{2} << 20;
inline constexpr int kMostHugeBodies = 2;

// Shared by the tasks of a process.
struct HugeBodies {
  std::counting_semaphore<kMostHugeBodies> places{kMostHugeBodies};
  std::mutex heavy;
};

// The turn of a task at a huge body.
class HugeTurn {
 public:
  explicit HugeTurn(HugeBodies* all) : all_(*all), heavy_(all->heavy, std::defer_lock) {}
  ~HugeTurn() { End(); }
  HugeTurn(const HugeTurn&) = delete;
  HugeTurn& operator=(const HugeTurn&) = delete;

  void Begin(size_t body_bytes) {
    if (body_bytes <= kHugeBodyBytes) return;
    all_.places.acquire();
    is_on_ = true;
  }
  void BecomeHeavy() {
    if (is_on_ && !heavy_.owns_lock()) heavy_.lock();
  }
  void End() {
    if (heavy_.owns_lock()) heavy_.unlock();
    if (std::exchange(is_on_, false)) all_.places.release();
  }

 private:
  HugeBodies& all_;
  std::unique_lock<std::mutex> heavy_;
  bool is_on_ = false;
};

}  // namespace trawl
