// What may happen to blocks on their way is noticed, and the message names the block.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/blocks/sink.h"
#include "runtime/blocks/stream.h"
#include "runtime/shuffle/trailer.h"
#include "tests/support/values/assert_ok.h"
#include "tests/support/values/byte_streams.h"
#include "tests/support/values/hadoop_sort.h"

namespace trawl {
namespace {

using arrow::Status;
using testing::HasSubstr;
using namespace std::string_literals;
using Frames = std::vector<OwnFrame>;

constexpr uint32_t kMaps = 3;

// Three map tasks; task 0 sends one block, the others several. The frames are sorted, as a reducer gets them.
Frames ThreeTasks(int attempt = 0, int partition = 0) {
  StringSink bytes;
  for (uint32_t map = 0; map < kMaps; ++map) {
    const auto sink = BlockSink::Make(&bytes, {.partitions = 2,
                                               .map_task = map,
                                               .attempt = static_cast<uint32_t>(attempt),
                                               .block_bytes = 1024,
                                               .sort_bytes = 4 << 20})
                          .ValueOrDie();
    TrailerSink counted(sink.get(), map, 2);
    for (uint32_t i = 0; i < 100 * map + 3; ++i) {
      const std::string key = "\1\2key" + std::to_string(1000 + i);
      EXPECT_OK(counted.Emit(partition, key, "value " + std::to_string(i * map)));
    }
    EXPECT_OK(counted.Finish());
    EXPECT_OK(sink->Finish());
  }
  return FramesIn(SortedByHadoop(FramesOfPartition(bytes.written(), partition, 2)));
}

Status ReadAll(const std::string& bytes, int64_t window_bytes = 1 << 20, size_t maps = kMaps) {
  StringSource source(bytes);
  const auto blocks = BlockGroupStream::Make(&source, {.map_tasks = maps, .window_bytes = window_bytes}).ValueOrDie();
  return TrailerCheck(blocks.get(), static_cast<uint32_t>(maps)).Finish();
}

RecordBlockHead HeadOf(const OwnFrame& frame) {
  return RecordBlockDecoder::Check(frame.first, frame.second).ValueOrDie();
}

// The place of a block among the frames.
size_t Find(const Frames& frames, uint32_t map, uint32_t number) {
  for (size_t i = 0; i < frames.size(); ++i) {
    if (HeadOf(frames[i]).map_task == map && HeadOf(frames[i]).number == number) return i;
  }
  ADD_FAILURE() << "no block " << number << " of " << map;
  return 0;
}

// Puts other records into a frame, with a head and a checksum that fit.
void Rewrite(OwnFrame* frame, const std::string& records, uint32_t count) {
  RecordBlockHead head = HeadOf(*frame);
  head.records = count;
  const auto encoder = RecordBlockEncoder::Make().ValueOrDie();
  frame->second = encoder->Encode(head, frame->first, records).ValueOrDie();
}

TEST(BlockDamage, IsNamed) {
  const Frames whole = ThreeTasks();
  ASSERT_OK(ReadAll(BytesOf(whole)));
  ASSERT_GT(whole.size(), 5u);
  const struct {
    const char* what;
    std::function<void(Frames&)> damage;
    const char* message;
  } kCases[] = {
      {"a flipped bit in the records", [](Frames& f) { f[Find(f, 2, 1)].second[40] ^= 4; },
       "damaged bytes: they say that they are block 1 of map task 2, attempt 0, and their checksum does not fit"},
      {"a flipped bit in the number of records", [](Frames& f) { f[Find(f, 2, 1)].second[16] ^= 1; },
       "block 1 of map task 2, attempt 0, and their checksum"},
      {"a flipped bit in the key", [](Frames& f) { f[Find(f, 0, 0)].first.back() ^= 1; },
       "block 0 of map task 0, attempt 0, and their checksum"},
      {"a flipped bit in the mark", [](Frames& f) { f[Find(f, 2, 1)].second[0] ^= 1; }, "damaged bytes"},
      {"a block that ends early", [](Frames& f) { f[Find(f, 2, 1)].second.pop_back(); }, "block 1 of map task 2"},
      {"a block without its head", [](Frames& f) { f[Find(f, 2, 1)].second.resize(20); }, "a block of 20 bytes"},
      {"a block twice",
       [](Frames& f) {
         const size_t at = Find(f, 2, 1);
         f.insert(f.begin() + static_cast<std::ptrdiff_t>(at), OwnFrame(f[at]));
       },
       "block 1 of map task 2, attempt 0 came twice"},
      {"a block missing", [](Frames& f) { f.erase(f.begin() + static_cast<std::ptrdiff_t>(Find(f, 2, 1))); },
       "block 1 of map task 2, attempt 0 is missing"},
      {"the last block missing",
       [](Frames& f) {
         uint32_t last = 0;
         for (const OwnFrame& frame : f) {
           if (HeadOf(frame).map_task == 1) last = std::max(last, HeadOf(frame).number);
         }
         f.erase(f.begin() + static_cast<std::ptrdiff_t>(Find(f, 1, last)));
       },
       "of map task 1, attempt 0 is missing"},
      {"all blocks of a task missing",
       [](Frames& f) { std::erase_if(f, [](const OwnFrame& frame) { return HeadOf(frame).map_task == 1; }); },
       "no trailer of map task 1"},
      {"a block of another attempt", [](Frames& f) { f[Find(f, 2, 1)] = ThreeTasks(7)[Find(f, 2, 1)]; },
       "block 1 of map task 2, attempt 7 came after blocks of the task's attempt 0"},
      {"blocks in another order", [](Frames& f) { std::swap(f[1], f.back()); }, "the keys do not ascend"},
      {"another partition's block", [](Frames& f) { f.back() = ThreeTasks(0, 1).back(); }, "of another partition"},
      {"a key without a label", [](Frames& f) { f[0].first = "\1"; }, "without a label"},
      {"records as an older version sends them",
       [](Frames& f) {
         f = {{f[0].first, "v"}, {f[0].first.substr(0, 2) + "\xFF\xFF\xFF"s, std::string(12, '\0')}};
       },
       "no block, but a record alone, as an older trawl sends it"},
      {"a block of a newer version", [](Frames& f) { f[0].second[3] = 3; },
       "a block of version 3 where this program knows version 2"},
      {"a first record with another key", [](Frames& f) { Rewrite(&f[0], "\3\1" + f[0].first.substr(2, 3) + "v", 2); },
       "does not begin with its key"},
      {"a record cut off", [](Frames& f) { Rewrite(&f[0], "\x09\x05" + f[0].first.substr(2) + "v", 1); },
       "ends within a record"},
      {"bytes after the records",
       [](Frames& f) {
         Rewrite(&f[0], std::string(1, static_cast<char>(f[0].first.size() - 2)) + '\0' + f[0].first.substr(2) + "rest",
                 1);
       },
       "has bytes after its records"},
      {"records out of order",
       [](Frames& f) {
         const std::string key = f[0].first.substr(2);
         Rewrite(&f[0], std::string(1, static_cast<char>(key.size())) + '\0' + key + "\1\0\1"s, 2);
       },
       "is not sorted"},
  };
  for (const auto& c : kCases) {
    Frames frames = whole;
    c.damage(frames);
    const Status status = ReadAll(BytesOf(frames));
    EXPECT_FALSE(status.ok()) << c.what;
    EXPECT_THAT(status.message(), HasSubstr(c.message)) << c.what;
  }
}

TEST(BlockDamage, EveryFlippedBitIsNoticed) {
  const std::string whole = BytesOf(ThreeTasks());
  for (size_t at = 0; at < whole.size(); at += 3) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
    EXPECT_FALSE(ReadAll(damaged).ok()) << at;
  }
}

TEST(BlockDamage, EveryCutIsNoticed) {
  const std::string whole = BytesOf(ThreeTasks());
  for (size_t size = 0; size < whole.size(); size += 7) EXPECT_FALSE(ReadAll(whole.substr(0, size)).ok()) << size;
}

TEST(BlockDamage, AnotherNumberOfMapTasksIsNoticed) {
  const std::string whole = BytesOf(ThreeTasks());
  EXPECT_THAT(ReadAll(whole, 1 << 20, 2).message(), HasSubstr("came where the job has 2 map tasks"));
  EXPECT_THAT(ReadAll(whole, 1 << 20, 4).message(), HasSubstr("no trailer of map task 3"));
}

TEST(BlockDamage, BlocksThatDoNotFitIntoTheWindowAreRefused) {
  const std::string whole = BytesOf(ThreeTasks());
  ASSERT_OK(ReadAll(whole, 4 << 10));
  const Status status = ReadAll(whole, 1500);
  EXPECT_TRUE(status.IsCapacityError()) << status;
  EXPECT_THAT(status.message(), HasSubstr("--streaming.task_memory"));
}

TEST(BlockDamage, AFailureStays) {
  const Frames frames = {{"\0\1k"s, "no block"}};
  const std::string bytes = BytesOf(frames);
  StringSource source(bytes);
  ASSERT_OK_AND_ASSIGN(const auto groups, BlockGroupStream::Make(&source, {.map_tasks = 1}));
  EXPECT_FALSE(groups->NextGroup().ok());
  EXPECT_FALSE(groups->NextGroup().ok());
}

}  // namespace
}  // namespace trawl
