#include "runtime/shuffle/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMiB = 1 << 20;

TEST(ShuffleMemory, PartsNeverExceedTheWhole) {
  int checked = 0;
  for (const int64_t memory_mib : {4, 16, 64, 256, 1024, 65536}) {
    for (const int slots : {1, 2, 8, 64}) {
      for (const int partitions : {1, 8, 4065, 65536}) {
        const auto divided = DivideMemory({partitions, slots, slots, SpillCodec::kLz4}, memory_mib * kMiB);
        if (!divided.ok()) continue;
        ++checked;
        const auto total = static_cast<size_t>(memory_mib * kMiB);
        const auto count = static_cast<size_t>(slots);
        const ShuffleMemory& memory = *divided;
        const size_t writing = SpillSegmentWriter::MemoryBytes(memory.format);
        EXPECT_LE(count * (memory.sort_bytes + writing), total);
        EXPECT_LE(count * (memory.slot_merge_bytes + writing), total);
        EXPECT_LE(memory.seal_merge_bytes + writing, total / 2);
        EXPECT_LE(count * memory.ReadingBytes(total / 2, slots), total / 2);
        EXPECT_LE(count * memory.ReadingBytes(0, slots), total);
        // Two segments of largest records can be read wherever a merge may be needed.
        SpillSegment largest;
        largest.largest_record = memory.max_record_bytes;
        const size_t two = 2 * SpillSegmentReader::MemoryBytes(largest, memory.format.block_bytes);
        EXPECT_LE(two, memory.slot_merge_bytes);
        EXPECT_LE(two, memory.seal_merge_bytes);
        EXPECT_LE(two, memory.ReadingBytes(total / 2, slots));
        EXPECT_LE(memory.max_record_bytes + 16, memory.sort_bytes);
        EXPECT_GE(memory.max_record_bytes, size_t{64} << 10);
      }
    }
  }
  EXPECT_GT(checked, 50);
}

TEST(ShuffleMemory, UsualLimitsSuffice) {
  EXPECT_OK(DivideMemory({8, 8, 8, SpillCodec::kLz4}, 16 * kMiB));
  EXPECT_OK(DivideMemory({4065, 2, 2, SpillCodec::kLz4}, 16 * kMiB));
  const auto memory = DivideMemory({8, 2, 2, SpillCodec::kLz4}, 1024 * kMiB);
  ASSERT_OK(memory);
  EXPECT_GE(memory->max_record_bytes, size_t{100} << 20);
  EXPECT_EQ(memory->format.block_bytes, size_t{128} << 10);
}

TEST(ShuffleMemory, TooLittleSaysHowMuchIsEnough) {
  const auto refused = DivideMemory({8, 64, 64, SpillCodec::kLz4}, 16 * kMiB);
  ASSERT_TRUE(refused.status().IsInvalid());
  EXPECT_THAT(refused.status().message(), HasSubstr("64 map and 64 reduce tasks at once"));
  const std::string& message = refused.status().message();
  const int64_t enough = std::stoll(message.substr(message.find("give it ") + 8));
  EXPECT_OK(DivideMemory({8, 64, 64, SpillCodec::kLz4}, enough * kMiB));
  EXPECT_FALSE(DivideMemory({8, 64, 64, SpillCodec::kLz4}, (enough - 1) * kMiB).ok());
  EXPECT_FALSE(DivideMemory({1, 1, 1, SpillCodec::kLz4}, -5).ok());
}

}  // namespace
}  // namespace trawl
