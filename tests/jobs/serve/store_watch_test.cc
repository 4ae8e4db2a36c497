// A store that is slow or dead is noticed by a thread that nobody waits for.
#include "jobs/serve/store_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <latch>
#include <mutex>
#include <thread>

#include "tests/support/process/manual_clock.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

// A store whose answer the test decides.
class Probe {
 public:
  std::function<arrow::Status()> function() {
    return [this] {
      ++begun_;
      const std::lock_guard lock(gate_);
      const std::lock_guard answer_lock(answer_mutex_);
      return answer_;
    };
  }
  void Answer(arrow::Status status) {
    const std::lock_guard lock(answer_mutex_);
    answer_ = std::move(status);
  }
  // From now on probes hang, until the result is destroyed. Returns when one does.
  std::unique_lock<std::mutex> Hang() {
    std::unique_lock lock(gate_);
    const int before = begun_;
    while (begun_ == before) std::this_thread::yield();
    return lock;
  }

 private:
  std::atomic<int> begun_ = 0;
  std::mutex gate_, answer_mutex_;
  arrow::Status answer_;
};

void WaitUntil(const std::function<bool()>& is_so) {
  while (!is_so()) std::this_thread::yield();
}

TEST(StoreWatch, TellsTheFailureOfTheLastProbe) {
  ManualClock clock;
  Probe probe;
  StoreWatch watch(probe.function(), clock, {.every_ms = 1});
  EXPECT_OK(watch.State());
  probe.Answer(arrow::Status::IOError("connection refused"));
  WaitUntil([&watch] { return !watch.State().ok(); });
  EXPECT_THAT(watch.State().message(), HasSubstr("connection refused"));
  probe.Answer(arrow::Status::OK());
  WaitUntil([&watch] { return watch.State().ok(); });
  EXPECT_TRUE(watch.Stop());
}

TEST(StoreWatch, AProbeThatHangsMeansThatTheStoreIsAway) {
  ManualClock clock;
  Probe probe;
  StoreWatch watch(probe.function(), clock, {.every_ms = 1, .patience_ms = 5'000});
  {
    const auto hanging = probe.Hang();
    clock.Advance(4'999);
    EXPECT_OK(watch.State());
    clock.Advance(2'001);
    EXPECT_THAT(watch.State().message(), HasSubstr("the store has not answered for 7 s"));
    EXPECT_FALSE(watch.Stop());
  }
  WaitUntil([&watch] { return watch.Stop(); });
}

}  // namespace
}  // namespace trawl
