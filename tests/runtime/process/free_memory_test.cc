#include "runtime/process/free_memory.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/process/own_memory.h"

namespace trawl {
namespace {

constexpr int64_t kMiB = 1 << 20;

constexpr size_t kLarge = 64 << 10;
constexpr size_t kBetween = 2 << 10;  // too large for most holes that others have left

// Blocks that each lie between two that stay, so that freeing alone gives little back.
std::vector<std::string> Scatter(size_t blocks) {
  std::vector<std::string> all;
  all.reserve(2 * blocks);
  for (size_t i = 0; i < 2 * blocks; ++i) all.emplace_back(i % 2 == 0 ? kLarge : kBetween, 'x');
  return all;
}

TEST(ReturnFreeMemory, WhatWasFreedAmongOthersGoesBack) {
  if (!kMemoryIsMeasured) GTEST_SKIP() << "a sanitizer keeps what was freed";
  // What earlier tests have freed is used first, so the process grows by less than the blocks have.
  GiveBackFreeMemory();
  std::vector<std::string> blocks = Scatter(1600);
  const int64_t full = ResidentBytes();
  for (std::string& block : blocks) {
    if (block.size() == kLarge) std::string().swap(block);
  }
  ASSERT_LT(full - ResidentBytes(), 10 * kMiB) << "freeing was enough";
  const ReturnFreeMemory returning(/*grown_bytes=*/-1, /*every_ms=*/1);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (full - ResidentBytes() < 60 * kMiB && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  EXPECT_GE(full - ResidentBytes(), 60 * kMiB);
}

}  // namespace
}  // namespace trawl
