// Blocks from map tasks to a reducer, with Hadoop's sort between them, against a plain sort.
#include "runtime/blocks/stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "formats/digests/digest.h"
#include "runtime/blocks/sink.h"
#include "runtime/shuffle/trailer.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/values/byte_streams.h"
#include "tests/support/values/hadoop_sort.h"

namespace trawl {
namespace {

using namespace std::string_literals;
using Groups = std::map<std::string, std::vector<std::string>>;

constexpr int64_t kMiB = 1 << 20;

// Common beginnings, zeros at the end, all bytes, and the empty key.
std::string RandomKey(std::mt19937_64& random) {
  std::string key;
  const uint64_t kind = random() % 6;
  if (kind == 0) return key;
  if (kind == 1) key = "com,example,www)/a/long/path/that/many/share/";
  if (kind == 2) key = std::string(random() % 20, '\0');
  if (kind == 3) return "one key of many values";
  for (uint64_t n = random() % 12; n > 0; --n) {
    key.push_back(static_cast<char>(random() % 7 == 0 ? random() : random() % 3));
  }
  return key;
}

// Most values are small, some are larger than a block.
std::string RandomValue(std::mt19937_64& random, size_t largest) {
  const size_t most = random() % 50 == 0 ? largest : 80;
  return std::string(random() % most, static_cast<char>(random()));
}

// The frames of a map task that sends `records` records, which also go into the model.
std::string RunMap(const BlockSinkOptions& options, int records, size_t largest_value, std::vector<Groups>* model) {
  StringSink bytes;
  const auto sink = BlockSink::Make(&bytes, options).ValueOrDie();
  TrailerSink counted(sink.get(), options.map_task, options.partitions);
  std::mt19937_64 random(options.map_task + 100);
  for (int i = 0; i < records; ++i) {
    // The last partition stays empty, unless it is the only one.
    const int partition = static_cast<int>(random() % static_cast<uint64_t>(std::max(1, options.partitions - 1)));
    const std::string key = RandomKey(random);
    const std::string value = RandomValue(random, largest_value);
    EXPECT_OK(counted.Emit(partition, key, value));
    (*model)[static_cast<size_t>(partition)][key].push_back(value);
  }
  EXPECT_OK(counted.Finish());
  EXPECT_OK(sink->Finish());
  return bytes.written();
}

struct Reduced {
  Groups groups;
  int64_t blocks = 0;
  int64_t peak_bytes = 0;
  int64_t peak_open_blocks = 0;
};

Reduced Reduce(const std::string& frames, const BlockStreamOptions& options, size_t piece) {
  Reduced reduced;
  StringSource source(frames, piece);
  const auto blocks = BlockGroupStream::Make(&source, options).ValueOrDie();
  TrailerCheck groups(blocks.get(), static_cast<uint32_t>(options.map_tasks));
  std::string last;
  for (;;) {
    const auto more = groups.NextGroup();
    EXPECT_OK(more.status());
    if (!more.ok() || !*more) break;
    EXPECT_TRUE(reduced.groups.empty() || groups.key() > last);
    last = groups.key();
    std::vector<std::string>& values = reduced.groups[last];
    std::string_view value;
    while (groups.NextValue(&value).ValueOrDie()) values.emplace_back(value);
    std::sort(values.begin(), values.end());
  }
  reduced.blocks = blocks->blocks();
  reduced.peak_bytes = blocks->peak_bytes();
  reduced.peak_open_blocks = blocks->peak_open_blocks();
  return reduced;
}

TEST(BlockStream, GivesWhatAPlainSortWouldGive) {
  const TemporaryFolder folder;
  int cases = 0;
  for (const int64_t block_bytes : {1 << 10, 64 << 10, 1 << 20}) {
    for (const int maps : {1, 5, 200}) {
      for (const int partitions : {1, 4}) {
        SCOPED_TRACE(testing::Message() << block_bytes << " bytes, " << maps << " maps, " << partitions);
        std::vector<Groups> model(static_cast<size_t>(partitions));
        std::string frames;
        for (int map = 0; map < maps; ++map) {
          // Every third task sends nothing but its trailers.
          frames += RunMap({.partitions = partitions,
                            .map_task = static_cast<uint32_t>(map),
                            .attempt = static_cast<uint32_t>(map % 2 * 1000),
                            .block_bytes = block_bytes,
                            .sort_bytes = 32 * kMiB,
                            .temp_folder = folder.path()},
                           map % 3 == 2 ? 0 : 20'000 / maps, static_cast<size_t>(3 * block_bytes / maps + 100), &model);
        }
        for (int partition = 0; partition < partitions; ++partition) {
          Groups& expected = model[static_cast<size_t>(partition)];
          for (auto& [key, values] : expected) std::sort(values.begin(), values.end());
          const std::string sorted =
              SortedByHadoop(FramesOfPartition(frames, partition, partitions), static_cast<uint64_t>(cases));
          const Reduced reduced = Reduce(sorted, {.map_tasks = static_cast<size_t>(maps), .window_bytes = 64 * kMiB},
                                         cases % 2 == 0 ? 1 << 20 : 4099);
          EXPECT_TRUE(reduced.groups == expected);
          EXPECT_LE(reduced.peak_open_blocks, maps + 1);
          EXPECT_GE(reduced.blocks, maps);
        }
        ++cases;
      }
    }
  }
  EXPECT_EQ(cases, 18);
}

TEST(BlockStream, RecordsThatDoNotFitIntoMemoryAreTheSame) {
  const TemporaryFolder folder;
  std::vector<Groups> in_memory(2), spilled(2);
  const auto run = [&](int64_t sort_bytes, std::vector<Groups>* model) {
    return RunMap({.partitions = 2, .block_bytes = 8192, .sort_bytes = sort_bytes, .temp_folder = folder.path()},
                  100'000, 1000, model);
  };
  const std::string small = run(4 * kMiB, &spilled);
  const std::string large = run(256 * kMiB, &in_memory);
  for (int partition = 0; partition < 2; ++partition) {
    const auto groups = [&](const std::string& frames) {
      return Reduce(SortedByHadoop(FramesOfPartition(frames, partition, 2)), {.map_tasks = 1}, 1 << 20).groups;
    };
    EXPECT_TRUE(groups(small) == groups(large));
  }
}

// Sends records of one partition. Returns the frames.
std::string Send(BlockSinkOptions options, const std::vector<std::pair<std::string, std::string>>& records) {
  StringSink bytes;
  const auto sink = BlockSink::Make(&bytes, options).ValueOrDie();
  for (const auto& [key, value] : records) EXPECT_OK(sink->Emit(0, key, value));
  EXPECT_OK(sink->Finish());
  return bytes.written();
}

TEST(BlockStream, AFrameIsTheLabelTheFirstKeyAndABlock) {
  const std::vector<OwnFrame> frames =
      FramesIn(Send({.partitions = 7, .map_task = 3, .attempt = 1000, .block_bytes = 1024},
                    {{"b", "2"}, {"a", "1"}, {"c", std::string(1020, 'x')}, {"d", ""}}));
  ASSERT_EQ(frames.size(), 3u) << "a record that does not fit beside others has its own block";
  const PartitionLabel label = LabelOf(0, 7);
  const std::string label_text(label.data(), label.size());
  for (size_t i = 0; i < frames.size(); ++i) {
    EXPECT_EQ(frames[i].first, label_text + (i == 0 ? "a" : i == 1 ? "c" : "d"));
    ASSERT_OK_AND_ASSIGN(const RecordBlockHead head, RecordBlockDecoder::Check(frames[i].first, frames[i].second));
    EXPECT_EQ(head.Name(), "block " + std::to_string(i) + " of map task 3, attempt 1000");
    EXPECT_EQ(head.is_last, i == 2);
    EXPECT_EQ(head.records, i == 0 ? 2u : 1u);
  }
  EXPECT_EQ(frames[0].second.substr(32), "\1\1a1\1\1b2"s);
  EXPECT_EQ(frames[2].second.substr(32), "\1\0d"s);
}

// Map task 2 sends a record and its trailer to partition 3 of 7.
TEST(BlockStream, BytesThatTheDocsShow) {
  StringSink bytes;
  ASSERT_OK_AND_ASSIGN(const auto sink, BlockSink::Make(&bytes, {.partitions = 7, .map_task = 2}));
  ASSERT_OK(sink->Emit(3,
                       "\x12\x34"
                       "com",
                       "x"));
  ASSERT_OK(sink->Emit(3, kTrailerKey, "\2\0\0\0\1\0\0\0\0\0\0\0"s));
  ASSERT_OK(sink->Finish());
  const std::string head =
      "54424c02"
      "02000000"
      "00000000"
      "00000000"
      "02000080"
      "19000000"
      "5d31337069d7f4e5";
  const std::string record =
      "0501"
      "1234636f6d"
      "78";
  const std::string trailer =
      "030c"
      "ffffff"
      "020000000100000000000000";
  EXPECT_EQ(ToHex(bytes.written()),
            "00000007"
            "0001"
            "1234636f6d"
            "00000039" +
                head + record + trailer);
}

TEST(BlockStream, ValuesLeftUnreadAreSkipped) {
  const std::string frames = SortedByHadoop(FramesIn(Send({}, {{"a", "1"}, {"a", "2"}, {"b", "3"}, {"b", "4"}})));
  StringSource source(frames);
  ASSERT_OK_AND_ASSIGN(const auto groups, BlockGroupStream::Make(&source, {.map_tasks = 1}));
  ASSERT_TRUE(groups->NextGroup().ValueOrDie());
  EXPECT_EQ(groups->key(), "a");
  ASSERT_TRUE(groups->NextGroup().ValueOrDie());
  EXPECT_EQ(groups->key(), "b");
  std::string_view value;
  ASSERT_TRUE(groups->NextValue(&value).ValueOrDie());
  EXPECT_FALSE(groups->NextGroup().ValueOrDie());
  EXPECT_FALSE(groups->NextValue(&value).ValueOrDie());
  EXPECT_FALSE(groups->NextGroup().ValueOrDie());
}

TEST(BlockStream, APartitionWithoutFramesIsEmpty) {
  StringSource source("");
  ASSERT_OK_AND_ASSIGN(const auto groups, BlockGroupStream::Make(&source, {.map_tasks = 3}));
  EXPECT_FALSE(groups->NextGroup().ValueOrDie());
}

TEST(BlockSink, WhatMakesNoSenseIsRefused) {
  StringSink bytes;
  ASSERT_OK_AND_ASSIGN(const auto sink, BlockSink::Make(&bytes, {.partitions = 2, .sort_bytes = 16 * kMiB}));
  EXPECT_FALSE(BlockSink::Make(&bytes, {.partitions = 2, .sort_bytes = 1000}).ok());
  ASSERT_OK(sink->Emit(1, "k", "v"));
  ASSERT_OK(sink->Finish());
  EXPECT_TRUE(sink->Emit(1, "k", "v").IsInvalid());
  EXPECT_TRUE(sink->Finish().IsInvalid());
  ASSERT_OK_AND_ASSIGN(const auto other, BlockSink::Make(&bytes, {.partitions = 2, .sort_bytes = 16 * kMiB}));
  EXPECT_TRUE(other->Emit(0, std::string((64 << 10) + 1, 'k'), "").IsCapacityError());
  EXPECT_FALSE(other->Finish().ok()) << "after a failure nothing counts";
}

}  // namespace
}  // namespace trawl
