#include "runtime/shuffle/shuffle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/shuffle/trailer.h"
#include "runtime/spill/key_sort.h"
#include "tests/support/store/temporary_folder.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

using ::testing::HasSubstr;

// The content of each partition: sorted values by key.
using Model = std::vector<std::map<std::string, std::vector<std::string>>>;

constexpr int64_t kMiB = 1 << 20;

ShuffleOptions Options(int partitions, int64_t memory_mib, const TemporaryFolder& folder,
                       SpillCodec codec = SpillCodec::kLz4) {
  ShuffleOptions options;
  options.shape = {.partitions = partitions, .map_slots = 2, .reduce_slots = 2, .codec = codec};
  options.memory_bytes = memory_mib * kMiB;
  options.temp_folder = folder.path();
  return options;
}

// Common beginnings, zeros at the end, all bytes, and the empty key.
std::string RandomKey(std::mt19937_64& random) {
  std::string key;
  const uint64_t kind = random() % 5;
  if (kind == 0) return key;
  if (kind == 1) key = "com,example,www)/a/long/path/that/many/share/";
  if (kind == 2) key = std::string(random() % 20, '\0');
  for (uint64_t n = random() % 12; n > 0; --n) {
    key.push_back(static_cast<char>(random() % 7 == 0 ? random() : random() % 3));
  }
  return key;
}

// Reads the whole of a partition, and checks that keys ascend.
Model::value_type ReadPartition(Shuffle* shuffle, int partition) {
  Model::value_type groups;
  const auto stream = shuffle->OpenPartition(partition).ValueOrDie();
  std::string last;
  while (stream->NextGroup().ValueOrDie()) {
    EXPECT_TRUE(groups.empty() || stream->key() > last);
    last = stream->key();
    std::vector<std::string>& values = groups[last];
    std::string_view value;
    while (stream->NextValue(&value).ValueOrDie()) values.emplace_back(value);
    std::sort(values.begin(), values.end());
  }
  EXPECT_FALSE(stream->NextGroup().ValueOrDie());
  return groups;
}

void ExpectHolds(Shuffle* shuffle, Model model) {
  for (size_t p = 0; p < model.size(); ++p) {
    for (auto& [key, values] : model[p]) std::sort(values.begin(), values.end());
    EXPECT_TRUE(ReadPartition(shuffle, static_cast<int>(p)) == model[p]) << "partition " << p;
  }
}

struct Input {
  const char* what;
  std::string (*key)(std::mt19937_64&);
  int (*partition)(std::mt19937_64&, int partitions);
};

const Input kInputs[] = {
    {"random", RandomKey,
     [](std::mt19937_64& random, int n) { return static_cast<int>(random() % static_cast<uint64_t>(n)); }},
    {"all to the last partition", RandomKey, [](std::mt19937_64&, int n) { return n - 1; }},
    {"one key", [](std::mt19937_64&) { return std::string("the key of all"); },
     [](std::mt19937_64&, int) { return 0; }},
};

TEST(Shuffle, GivesWhatAMapWouldGive) {
  const TemporaryFolder folder;
  int cases = 0;
  for (const Input& input : kInputs) {
    for (const int partitions : {1, 2, 5, 8}) {
      for (const int64_t memory_mib : {4, 16, 1024}) {
        std::mt19937_64 random(static_cast<uint64_t>(partitions));
        const SpillCodec codecs[] = {SpillCodec::kNone, SpillCodec::kLz4, SpillCodec::kZstd};
        const auto options = Options(partitions, memory_mib, folder, codecs[cases % 3]);
        ASSERT_OK_AND_ASSIGN(const auto shuffle, Shuffle::Make(options));
        Model model(static_cast<size_t>(partitions));
        constexpr int kTasks = 5;
        constexpr int kRecords = 5000;
        for (int task = 0; task < kTasks; ++task) {
          ASSERT_OK_AND_ASSIGN(const auto output, shuffle->StartMap());
          for (int i = 0; i < kRecords; ++i) {
            const int partition = input.partition(random, partitions);
            const std::string key = input.key(random);
            const std::string value(random() % 900, static_cast<char>(random()));
            ASSERT_OK(output->Emit(partition, key, value));
            model[static_cast<size_t>(partition)][key].push_back(value);
          }
          ASSERT_OK(output->Commit());
        }
        ASSERT_OK(shuffle->Seal());
        SCOPED_TRACE(input.what + (" " + std::to_string(partitions)) + " " + std::to_string(memory_mib));
        ExpectHolds(shuffle.get(), std::move(model));
        EXPECT_EQ(shuffle->stats().records, kTasks * kRecords);
        EXPECT_EQ(shuffle->stats().spills > 0, memory_mib < 1024);
        ++cases;
      }
    }
  }
  EXPECT_EQ(cases, 36);
}

TEST(Shuffle, ManyMapsAndPartitionsOnThreadsWithTrailers) {
  const TemporaryFolder folder;
  constexpr int kMaps = 40;
  constexpr int kPartitions = 300;
  constexpr int kRecords = 10000;
  for (const int64_t memory_mib : {4, 256}) {
    ASSERT_OK_AND_ASSIGN(const auto shuffle, Shuffle::Make(Options(kPartitions, memory_mib, folder)));
    const auto on_threads = [](int items, const auto& work) {
      std::atomic<int> next{0};
      std::vector<std::jthread> threads;
      for (int thread = 0; thread < 2; ++thread) {
        threads.emplace_back([&] {
          for (int item = next++; item < items; item = next++) work(item);
        });
      }
    };
    on_threads(kMaps, [&](int map) {
      std::mt19937_64 random(static_cast<uint64_t>(map));
      const auto output = shuffle->StartMap().ValueOrDie();
      TrailerSink sink(output.get(), static_cast<uint32_t>(map), kPartitions);
      for (int i = 0; i < kRecords; ++i) {
        const std::string key = "\x01\x02host" + std::to_string(random() % 1000);
        ASSERT_OK(sink.Emit(static_cast<int>(random() % (kPartitions - 1)), key, "value"));
      }
      ASSERT_OK(sink.Finish());
      ASSERT_OK(output->Commit());
    });
    ASSERT_OK(shuffle->Seal());
    std::atomic<int64_t> records{0};
    on_threads(kPartitions, [&](int partition) {
      const auto groups = shuffle->OpenPartition(partition).ValueOrDie();
      TrailerCheck check(groups.get(), kMaps);
      ASSERT_OK(check.Finish());
      records += check.records();
      EXPECT_EQ(check.records() > 0, partition < kPartitions - 1);
    });
    EXPECT_EQ(records, kMaps * kRecords);
    EXPECT_EQ(shuffle->stats().spills > 0, memory_mib == 4);
  }
}

TEST(Shuffle, FailedAttemptLeavesNoRecord) {
  const TemporaryFolder folder;
  // Small attempts stay in the buffer, large ones are spilled before they fail.
  for (const int records : {10, 30000}) {
    ASSERT_OK_AND_ASSIGN(const auto shuffle, Shuffle::Make(Options(2, 4, folder)));
    Model model(2);
    for (int attempt = 0; attempt < 9; ++attempt) {
      const bool fails = attempt % 3 != 1;
      ASSERT_OK_AND_ASSIGN(auto output, shuffle->StartMap());
      for (int i = 0; i < records; ++i) {
        const std::string key = std::to_string(i % 100);
        const std::string value = "attempt " + std::to_string(attempt) + std::string(100, 'v');
        ASSERT_OK(output->Emit(i % 2, key, value));
        if (!fails) model[static_cast<size_t>(i % 2)][key].push_back(value);
      }
      if (fails) continue;
      ASSERT_OK(output->Commit());
    }
    ASSERT_OK(shuffle->Seal());
    EXPECT_EQ(shuffle->stats().records, 3 * records);
    ExpectHolds(shuffle.get(), std::move(model));
  }
}

TEST(Shuffle, AttemptsAtOnceDoNotMix) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(const auto shuffle, Shuffle::Make(Options(1, 16, folder)));
  ASSERT_OK_AND_ASSIGN(auto kept, shuffle->StartMap());
  ASSERT_OK_AND_ASSIGN(auto dropped, shuffle->StartMap());
  EXPECT_THAT(shuffle->StartMap().status().message(), HasSubstr("more than 2 map attempts"));
  for (int i = 0; i < 100; ++i) {
    ASSERT_OK(kept->Emit(0, "key", "kept"));
    ASSERT_OK(dropped->Emit(0, "key", "dropped"));
  }
  EXPECT_THAT(shuffle->Seal().message(), HasSubstr("while a map attempt is at work"));
  dropped.reset();
  ASSERT_OK(kept->Commit());
  ASSERT_OK(shuffle->Seal());
  ExpectHolds(shuffle.get(), {{{"key", std::vector<std::string>(100, "kept")}}});
}

TEST(Shuffle, NothingSentIsNothingRead) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(const auto shuffle, Shuffle::Make(Options(3, 16, folder)));
  ASSERT_OK_AND_ASSIGN(const auto output, shuffle->StartMap());
  ASSERT_OK(output->Commit());
  ASSERT_OK(shuffle->Seal());
  ExpectHolds(shuffle.get(), Model(3));
}

TEST(Shuffle, PartitionMayBeReadAgain) {
  const TemporaryFolder folder;
  ASSERT_OK_AND_ASSIGN(const auto shuffle, Shuffle::Make(Options(1, 4, folder)));
  ASSERT_OK_AND_ASSIGN(const auto output, shuffle->StartMap());
  for (int i = 0; i < 40000; ++i) ASSERT_OK(output->Emit(0, std::to_string(i), std::string(100, 'v')));
  ASSERT_OK(output->Commit());
  ASSERT_OK(shuffle->Seal());
  // One reduce attempt that fails half-way, then two at once.
  {
    ASSERT_OK_AND_ASSIGN(const auto half, shuffle->OpenPartition(0));
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(half->NextGroup().ValueOrDie());
  }
  ASSERT_OK_AND_ASSIGN(auto first, shuffle->OpenPartition(0));
  ASSERT_OK_AND_ASSIGN(const auto second, shuffle->OpenPartition(0));
  EXPECT_THAT(shuffle->OpenPartition(0).status().message(), HasSubstr("more than 2 partitions are open"));
  int groups = 0;
  while (first->NextGroup().ValueOrDie()) {
    ASSERT_TRUE(second->NextGroup().ValueOrDie());
    ASSERT_EQ(first->key(), second->key());
    ++groups;
  }
  EXPECT_EQ(groups, 40000);
  first.reset();
  EXPECT_OK(shuffle->OpenPartition(0));
}

TEST(Shuffle, ValuesLeftUnreadAreSkipped) {
  const TemporaryFolder folder;
  for (const int64_t memory_mib : {4, 256}) {
    ASSERT_OK_AND_ASSIGN(const auto shuffle, Shuffle::Make(Options(1, memory_mib, folder)));
    ASSERT_OK_AND_ASSIGN(const auto output, shuffle->StartMap());
    for (int i = 0; i < 60000; ++i) ASSERT_OK(output->Emit(0, std::to_string(i % 3), std::string(100, 'v')));
    ASSERT_OK(output->Commit());
    ASSERT_OK(shuffle->Seal());
    ASSERT_OK_AND_ASSIGN(const auto groups, shuffle->OpenPartition(0));
    std::string_view value;
    EXPECT_FALSE(groups->NextValue(&value).ValueOrDie());
    std::string keys;
    for (int read = 0; groups->NextGroup().ValueOrDie(); ++read) {
      keys += groups->key();
      for (int i = 0; i < read; ++i) ASSERT_TRUE(groups->NextValue(&value).ValueOrDie());
    }
    EXPECT_EQ(keys, "012");
    EXPECT_FALSE(groups->NextValue(&value).ValueOrDie());
  }
}

TEST(Shuffle, StopCancelsBetweenRecords) {
  const TemporaryFolder folder;
  std::atomic<bool> stop{false};
  ShuffleOptions options = Options(1, 16, folder);
  options.stop = &stop;
  ASSERT_OK_AND_ASSIGN(const auto shuffle, Shuffle::Make(options));
  ASSERT_OK_AND_ASSIGN(const auto output, shuffle->StartMap());
  for (int i = 0; i < 10; ++i) ASSERT_OK(output->Emit(0, "key", "value"));
  stop = true;
  EXPECT_TRUE(output->Emit(0, "key", "value").IsCancelled());
  stop = false;
  EXPECT_TRUE(output->Commit().IsCancelled());
  ASSERT_OK_AND_ASSIGN(const auto again, shuffle->StartMap());
  for (int i = 0; i < 10; ++i) ASSERT_OK(again->Emit(0, "key", "value"));
  ASSERT_OK(again->Commit());
  // The stopped attempt still has its slot until it is dropped.
  EXPECT_FALSE(shuffle->Seal().ok());
}

TEST(Shuffle, StopCancelsReading) {
  const TemporaryFolder folder;
  std::atomic<bool> stop{false};
  ShuffleOptions options = Options(1, 16, folder);
  options.stop = &stop;
  ASSERT_OK_AND_ASSIGN(const auto shuffle, Shuffle::Make(options));
  ASSERT_OK_AND_ASSIGN(const auto output, shuffle->StartMap());
  for (int i = 0; i < 10; ++i) ASSERT_OK(output->Emit(0, i < 5 ? "a" : "b", "value"));
  ASSERT_OK(output->Commit());
  ASSERT_OK(shuffle->Seal());
  ASSERT_OK_AND_ASSIGN(const auto groups, shuffle->OpenPartition(0));
  ASSERT_TRUE(groups->NextGroup().ValueOrDie());
  std::string_view value;
  ASSERT_TRUE(groups->NextValue(&value).ValueOrDie());
  stop = true;
  EXPECT_TRUE(groups->NextValue(&value).status().IsCancelled());
  EXPECT_TRUE(groups->NextGroup().status().IsCancelled());
}

TEST(Shuffle, MisuseIsRefused) {
  const TemporaryFolder folder;
  EXPECT_FALSE(Shuffle::Make(Options(0, 16, folder)).ok());
  EXPECT_FALSE(Shuffle::Make(Options(kMaxPartitions + 1, 16, folder)).ok());
  ASSERT_OK_AND_ASSIGN(const auto shuffle, Shuffle::Make(Options(2, 16, folder)));
  EXPECT_FALSE(shuffle->OpenPartition(0).ok());  // not sealed
  for (const int partition : {-1, 2}) {
    ASSERT_OK_AND_ASSIGN(const auto output, shuffle->StartMap());
    EXPECT_TRUE(output->Emit(partition, "key", "value").IsInvalid());
    // After a failure the output takes nothing more.
    EXPECT_FALSE(output->Emit(0, "key", "value").ok());
    EXPECT_FALSE(output->Commit().ok());
  }
  {
    ASSERT_OK_AND_ASSIGN(const auto output, shuffle->StartMap());
    ASSERT_OK(output->Commit());
    EXPECT_FALSE(output->Commit().ok());
    EXPECT_FALSE(output->Emit(0, "key", "value").ok());
  }
  ASSERT_OK(shuffle->Seal());
  EXPECT_FALSE(shuffle->Seal().ok());
  EXPECT_FALSE(shuffle->StartMap().ok());
  EXPECT_FALSE(shuffle->OpenPartition(2).ok());
  EXPECT_FALSE(shuffle->OpenPartition(-1).ok());
}

}  // namespace
}  // namespace trawl
