#include "runtime/shuffle.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace trawl {
namespace {

using Records = std::multimap<std::string, std::string>;
// What each partition holds.
using Model = std::vector<std::map<std::string, std::multiset<std::string>>>;

struct Case {
  int partitions;
  int64_t memory_bytes;
  int slots;
  SpillCodec codec;
};

ShuffleOptions OptionsOf(const Case& c) {
  ShuffleOptions options;
  options.shape = {.partitions = c.partitions, .map_slots = c.slots, .reduce_slots = c.slots, .codec = c.codec};
  options.memory_bytes = c.memory_bytes;
  options.temp_folder = ::testing::TempDir();
  return options;
}

std::string RandomKey(std::mt19937_64& random) {
  // Common beginnings, zeros at the end, empty ones, all bytes.
  std::string key;
  switch (random() % 5) {
    case 0:
      key = "com,example,www)/a/long/path/that/many/share/";
      break;
    case 1:
      key = std::string(random() % 20, '\0');
      break;
    case 2:
      return key;
    default:
      break;
  }
  for (uint64_t n = random() % 12; n > 0; --n) key.push_back(static_cast<char>(random() % 7 == 0 ? random() : random() % 3));
  return key;
}

// Reads every partition and compares with the model; keys must ascend.
void ExpectEqual(Shuffle* shuffle, const Model& model) {
  for (size_t p = 0; p < model.size(); ++p) {
    auto stream = shuffle->OpenPartition(static_cast<int>(p)).ValueOrDie();
    auto expected = model[p].begin();
    while (stream->NextGroup().ValueOrDie()) {
      ASSERT_NE(expected, model[p].end());
      ASSERT_EQ(stream->key(), expected->first) << "partition " << p;
      std::multiset<std::string> values;
      std::string_view value;
      while (stream->NextValue(&value).ValueOrDie()) values.emplace(value);
      ASSERT_EQ(values, expected->second);
      ++expected;
    }
    ASSERT_EQ(expected, model[p].end());
    ASSERT_FALSE(stream->NextGroup().ValueOrDie());
  }
}

TEST(Shuffle, GivesWhatAMapWouldGive) {
  for (const SpillCodec codec : {SpillCodec::kNone, SpillCodec::kLz4, SpillCodec::kZstd}) {
    for (const int partitions : {1, 2, 5, 8}) {
      for (const int64_t memory : {int64_t{16} << 20, int64_t{1} << 30}) {
        std::mt19937_64 random(static_cast<uint64_t>(partitions));
        auto shuffle = Shuffle::Make(OptionsOf({partitions, memory, 2, codec})).ValueOrDie();
        Model model(static_cast<size_t>(partitions));
        for (int task = 0; task < 6; ++task) {
          auto output = shuffle->StartMap().ValueOrDie();
          for (int i = 0; i < 20000; ++i) {
            const int p = static_cast<int>(random() % static_cast<uint64_t>(partitions));
            const std::string key = RandomKey(random);
            const std::string value(random() % 300, static_cast<char>(random()));
            ASSERT_TRUE(output->Emit(p, key, value).ok());
            model[static_cast<size_t>(p)][key].insert(value);
          }
          ASSERT_TRUE(output->Commit().ok());
        }
        ASSERT_TRUE(shuffle->Seal().ok());
        ExpectEqual(shuffle.get(), model);
        EXPECT_EQ(shuffle->stats().records, 120000);
        EXPECT_EQ(shuffle->stats().spills > 0, memory == int64_t{16} << 20);
      }
    }
  }
}

}  // namespace
}  // namespace trawl
