#include "runtime/server/handler_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <string>
#include <thread>

namespace trawl {
namespace {

constexpr int64_t kLongMs = 20'000;

TEST(HandlerPool, RefusesWhatNobodyCanTake) {
  std::latch begun(2), end(1);
  std::atomic<int> done = 0;
  HandlerPool pool(2, 1);
  const auto work = [&] {
    begun.count_down();
    end.wait();
    ++done;
  };
  EXPECT_TRUE(pool.Submit(work));
  EXPECT_TRUE(pool.Submit(work));
  begun.wait();
  EXPECT_TRUE(pool.Submit([&done] { ++done; }));
  EXPECT_FALSE(pool.Submit([] {})) << "both threads work, and one waits";
  end.count_down();
  while (done < 3) std::this_thread::yield();
  EXPECT_TRUE(pool.Leave(kLongMs));
  EXPECT_FALSE(pool.Submit([] {})) << "it is leaving";
}

TEST(HandlerPool, ThePatientComeLast) {
  std::latch begun(1), end(1);
  std::string order;
  HandlerPool pool(1, 4);
  EXPECT_TRUE(pool.Submit([&] {
    begun.count_down();
    end.wait();
  }));
  begun.wait();
  EXPECT_TRUE(pool.Submit([&order] { order += 'p'; }, /*is_patient=*/true));
  EXPECT_TRUE(pool.Submit([&order] { order += 'q'; }, /*is_patient=*/true));
  EXPECT_FALSE(pool.Submit([] {}, /*is_patient=*/true)) << "half of the queue is for others";
  EXPECT_TRUE(pool.Submit([&order] { order += 'a'; }));
  std::latch last(1);
  EXPECT_TRUE(pool.Submit([&order] { order += 'b'; }));
  EXPECT_FALSE(pool.Submit([] {}));
  end.count_down();
  while (!pool.Submit([] {}, /*is_patient=*/true)) std::this_thread::yield();
  while (!pool.Submit([&last] { last.count_down(); }, /*is_patient=*/true)) std::this_thread::yield();
  last.wait();
  EXPECT_EQ(order, "abpq");
  EXPECT_TRUE(pool.Leave(kLongMs));
}

TEST(HandlerPool, LeavingDropsWhatWaitsAndSaysWhetherSomeoneIsStuck) {
  std::latch begun(1), end(1);
  std::atomic<bool> was_dropped_called = false;
  HandlerPool pool(1, 4);
  EXPECT_TRUE(pool.Submit([&] {
    begun.count_down();
    end.wait();
  }));
  begun.wait();
  EXPECT_TRUE(pool.Submit([&] { was_dropped_called = true; }));
  EXPECT_FALSE(pool.Leave(1));
  end.count_down();
  EXPECT_TRUE(pool.Leave(kLongMs));
  EXPECT_FALSE(was_dropped_called);
}

}  // namespace
}  // namespace trawl
