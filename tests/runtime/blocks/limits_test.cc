// The memory of blocks: for many map tasks, for one key of millions of values, and for records larger than blocks.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "formats/digests/digest.h"
#include "runtime/blocks/shares.h"
#include "runtime/blocks/sink.h"
#include "runtime/blocks/stream.h"
#include "tests/support/process/own_memory.h"
#include "tests/support/process/sanitized.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/values/byte_streams.h"
#include "tests/support/values/hadoop_sort.h"

namespace trawl {
namespace {

constexpr int64_t kMiB = 1 << 20;

struct Sum {
  int64_t values = 0;
  uint64_t hashes = 0;
  void Add(std::string_view key, std::string_view value) {
    ++values;
    hashes += Hash64(key) * 31 + Hash64(value);
  }
  bool operator==(const Sum&) const = default;
};

Sum SumOf(GroupStream* groups) {
  Sum sum;
  while (groups->NextGroup().ValueOrDie()) {
    for (std::string_view value; groups->NextValue(&value).ValueOrDie();) sum.Add(groups->key(), value);
  }
  return sum;
}

TEST(BlockShares, ABlockOfEachMapTaskFits) {
  for (const int64_t task_mb : {32, 468, 4000}) {
    for (const size_t maps : {0, 1, 7, 200, 5000}) {
      for (const int64_t wanted : {kLeastBlockBytes, int64_t{256} << 10, kMostBlockBytes}) {
        const BlockShares shares = BlockSharesOf(task_mb * kMiB, wanted, maps);
        EXPECT_GE(shares.block_bytes, kLeastBlockBytes);
        EXPECT_LE(shares.block_bytes, wanted);
        EXPECT_LE(shares.block_bytes * static_cast<int64_t>(maps + 1), shares.window_bytes);
        EXPECT_LT(shares.sort_bytes + shares.window_bytes, task_mb * kMiB);
      }
    }
  }
  EXPECT_EQ(BlockSharesOf(468 * kMiB, 256 << 10, 200).block_bytes, 256 << 10) << "the usual task, and many others";
}

// Two hundred map tasks whose blocks all overlap.
TEST(BlockLimits, ManyMapTasksStayWithinTheWindow) {
  constexpr uint32_t kMaps = 200;
  const BlockShares shares = BlockSharesOf(32 * kMiB, 256 << 10, kMaps);
  Sum sent;
  std::string sorted;
  {
    StringSink bytes;
    for (uint32_t map = 0; map < kMaps; ++map) {
      ASSERT_OK_AND_ASSIGN(const auto sink, BlockSink::Make(&bytes, {.map_task = map,
                                                                     .block_bytes = shares.block_bytes,
                                                                     .sort_bytes = shares.sort_bytes}));
      for (uint32_t i = 0; i < 2000; ++i) {
        const std::string key = std::to_string(100'000 + i * 7919 % 2000);
        const std::string value = std::string(100, 'v') + std::to_string(map * 2000 + i);
        ASSERT_OK(sink->Emit(0, key, value));
        sent.Add(key, value);
      }
      ASSERT_OK(sink->Finish());
    }
    sorted = SortedByHadoop(FramesIn(bytes.written()));
  }
  StringSource source(sorted);
  ASSERT_OK_AND_ASSIGN(const auto groups,
                       BlockGroupStream::Make(&source, {.map_tasks = kMaps, .window_bytes = shares.window_bytes}));
  EXPECT_EQ(SumOf(groups.get()), sent);
  EXPECT_LE(groups->peak_bytes(), shares.window_bytes);
  EXPECT_GT(groups->peak_bytes(), shares.window_bytes / 2) << "the test means to fill it";
  EXPECT_GE(groups->peak_open_blocks(), kMaps);
  EXPECT_LE(groups->peak_open_blocks(), kMaps + 1);
}

// The spill's merges and the block's buffers, beside what the sink's sort is given.
constexpr int64_t kSlack = 8 * kMiB;

// A sink that keeps frames in as little memory as possible: it is not what is measured.
class CountingSink : public ByteSink {
 public:
  arrow::Status Write(std::string_view bytes) override {
    written_ += static_cast<int64_t>(bytes.size());
    return arrow::Status::OK();
  }
  int64_t written() const { return written_; }

 private:
  int64_t written_ = 0;
};

TEST(BlockLimits, AMapTaskSortsWithinItsMemory) {
  const TemporaryFolder folder;
  StartPeak();
  const int64_t before = ResidentBytes();
  CountingSink bytes;
  ASSERT_OK_AND_ASSIGN(
      const auto sink,
      BlockSink::Make(&bytes, {.partitions = 3, .sort_bytes = 16 * kMiB, .temp_folder = folder.path()}));
  const std::string value(400, 'v');
  for (uint64_t i = 0; i < 300'000; ++i)
    ASSERT_OK(sink->Emit(static_cast<int>(i % 3), ToHex(Hash64(std::to_string(i))), value));
  ASSERT_OK(sink->Finish());
  EXPECT_GT(sink->spills(), 5);
  EXPECT_GT(bytes.written(), 1 << 20);
  EXPECT_TRUE(!kMemoryIsMeasured || PeakResidentBytes() - before <= 16 * kMiB + kSlack) << PeakResidentBytes() - before;
}

// The key of five million values fills hundreds of blocks of each task; other keys stand before and after it.
TEST(BlockLimits, AKeyOfMillionsOfValuesStreams) {
  constexpr uint32_t kMaps = 2;
  constexpr uint32_t kValues = kSanitized ? 200'000 : 5'000'000;
  const TemporaryFolder folder;
  Sum sent;
  std::string sorted;
  {
    StringSink bytes;
    for (uint32_t map = 0; map < kMaps; ++map) {
      ASSERT_OK_AND_ASSIGN(const auto sink, BlockSink::Make(&bytes, {.map_task = map,
                                                                     .block_bytes = 64 << 10,
                                                                     .sort_bytes = 32 * kMiB,
                                                                     .temp_folder = folder.path()}));
      for (uint32_t i = 0; i < kValues / kMaps; ++i) {
        const std::string_view key = i % 1000 == 0 ? (i % 3 == 0 ? "a" : "z") : "the key";
        const std::string value = std::to_string(i);
        ASSERT_OK(sink->Emit(0, key, value));
        sent.Add(key, value);
      }
      ASSERT_OK(sink->Finish());
    }
    sorted = SortedByHadoop(FramesIn(bytes.written()), 7);
  }
  StartPeak();
  const int64_t before = ResidentBytes();
  StringSource source(sorted);
  ASSERT_OK_AND_ASSIGN(const auto groups,
                       BlockGroupStream::Make(&source, {.map_tasks = kMaps, .window_bytes = 192 << 10}));
  EXPECT_EQ(SumOf(groups.get()), sent);
  EXPECT_EQ(sent.values, kValues);
  EXPECT_LE(groups->peak_open_blocks(), kMaps + 1);
  EXPECT_LE(groups->peak_bytes(), 192 << 10);
  EXPECT_TRUE(!kMemoryIsMeasured || PeakResidentBytes() - before <= 2 * kMiB) << PeakResidentBytes() - before;
}

TEST(BlockLimits, RecordsLargerThanBlocksTakeNoPartOfTheWindow) {
  constexpr uint32_t kMaps = 20;
  StringSink bytes;
  Sum sent;
  for (uint32_t map = 0; map < kMaps; ++map) {
    ASSERT_OK_AND_ASSIGN(const auto sink,
                         BlockSink::Make(&bytes, {.map_task = map, .block_bytes = 1024, .sort_bytes = 16 * kMiB}));
    for (uint32_t i = 0; i < 50; ++i) {
      const std::string key = "key" + std::to_string(i % 10);
      const std::string value(i % 5 == 0 ? 200'000 : 10, static_cast<char>('a' + i % 20));
      ASSERT_OK(sink->Emit(0, key, value));
      sent.Add(key, value);
    }
    ASSERT_OK(sink->Finish());
  }
  const std::string sorted = SortedByHadoop(FramesIn(bytes.written()), 3);
  StringSource source(sorted);
  ASSERT_OK_AND_ASSIGN(const auto groups,
                       BlockGroupStream::Make(&source, {.map_tasks = kMaps, .window_bytes = (kMaps + 1) * 1024}));
  EXPECT_EQ(SumOf(groups.get()), sent);
  EXPECT_LE(groups->peak_bytes(), 200'100 + (kMaps + 1) * 1024);
}

}  // namespace
}  // namespace trawl
