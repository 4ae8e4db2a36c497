#include "runtime/spill/key_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace trawl {
namespace {

using Keys = std::vector<std::pair<int, std::string>>;  // with their partitions

Keys Sorted(const Keys& keys) {
  std::string arena;
  std::vector<size_t> offsets;
  for (const auto& [partition, key] : keys) {
    offsets.push_back(arena.size());
    arena.resize(arena.size() + PackedSize(key, "value"));
    PackRecord(key, "value", arena.data() + offsets.back());
  }
  std::vector<SortEntry> entries;
  for (size_t i = 0; i < keys.size(); ++i) {
    entries.push_back({SortPrefix(keys[i].first, keys[i].second), arena.data() + offsets[i]});
  }
  SortEntries(entries.data(), entries.data() + entries.size());
  Keys sorted;
  for (const SortEntry& entry : entries) {
    const PackedRecord record = UnpackRecord(entry.record);
    EXPECT_EQ(record.value(), "value");
    EXPECT_EQ(entry.prefix, SortPrefix(PartitionOf(entry), record.key()));
    sorted.emplace_back(PartitionOf(entry), record.key());
  }
  return sorted;
}

void ExpectSorted(Keys keys, const char* what) {
  const Keys sorted = Sorted(keys);
  // std::string compares as unsigned bytes.
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(sorted, keys) << what;
}

TEST(KeySort, OrdersByPartitionThenByUnsignedBytes) {
  using namespace std::string_literals;
  EXPECT_EQ(Sorted({{1, "a"}, {0, "\xFF"s}, {0, "a"}, {0, ""}, {65535, "a"}, {0, "\x7F"s}, {0, "ab"}, {0, "a\0"s}}),
            (Keys{{0, ""}, {0, "a"}, {0, "a\0"s}, {0, "ab"}, {0, "\x7F"s}, {0, "\xFF"s}, {1, "a"}, {65535, "a"}}));
  EXPECT_EQ(Sorted({}), Keys());
}

// Missing bytes count as zeros in a prefix: only zeros at their end distinguish these keys.
TEST(KeySort, ZerosAtTheEndCount) {
  Keys keys;
  for (int repeat = 0; repeat < 5; ++repeat) {
    for (size_t zeros = 0; zeros < 40; ++zeros) {
      keys.emplace_back(0, std::string(zeros, '\0'));
      keys.emplace_back(0, "abcdefgh" + std::string(zeros, '\0'));
      keys.emplace_back(0, "abcdefgh" + std::string(zeros, '\0') + "x");
    }
  }
  ExpectSorted(keys, "zeros");
}

TEST(KeySort, RandomKeysOfEveryKind) {
  std::mt19937_64 random(7);
  const struct {
    const char* what;
    size_t beginnings;  // number of common beginnings
    size_t common;      // bytes of each
    size_t rest;        // bytes after them, at most
    int letters;
  } kCases[] = {
      {"short, few letters", 1, 0, 6, 2},
      {"short, all bytes", 1, 0, 10, 256},
      {"one long beginning", 1, 100, 10, 3},
      {"many beginnings", 50, 30, 20, 10},
      {"all equal", 1, 37, 0, 1},
      {"long, few differences", 3, 2000, 3, 2},
  };
  for (const auto& c : kCases) {
    std::vector<std::string> beginnings;
    for (size_t i = 0; i < c.beginnings; ++i) {
      std::string beginning(c.common, 'p');
      for (size_t at = 0; at < c.common; at += 17) beginning[at] = static_cast<char>(random());
      beginnings.push_back(beginning);
    }
    Keys keys;
    for (int i = 0; i < 3000; ++i) {
      std::string key = beginnings[random() % c.beginnings];
      for (size_t n = c.rest == 0 ? 0 : random() % (c.rest + 1); n > 0; --n) {
        key.push_back(static_cast<char>(random() % static_cast<uint64_t>(c.letters)));
      }
      keys.emplace_back(static_cast<int>(random() % 3), key);
    }
    ExpectSorted(keys, c.what);
  }
}

// 64 KiB are 8,192 loads of a prefix: neither the stack nor the time may grow badly with them.
TEST(KeySort, LongestKeysThatDifferAtTheirEnd) {
  Keys keys;
  for (int i = 0; i < 100; ++i) keys.emplace_back(0, std::string(65535, 'k') + static_cast<char>(i * 37 % 100));
  ExpectSorted(keys, "long");
}

}  // namespace
}  // namespace trawl
