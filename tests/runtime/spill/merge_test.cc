#include "runtime/spill/merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "runtime/spill/sort_buffer.h"
#include "tests/support/values/assert_ok.h"

namespace trawl {
namespace {

std::unique_ptr<SortBuffer> Buffer(size_t capacity = 1 << 20) { return SortBuffer::Make(capacity).ValueOrDie(); }

TEST(MergedRecords, AnyNumberOfSourcesComesInOrder) {
  std::mt19937_64 random(5);
  for (const size_t count : {0, 1, 2, 3, 4, 5, 7, 8, 17, 64}) {
    std::vector<std::unique_ptr<SortBuffer>> buffers;
    std::vector<std::unique_ptr<RecordSource>> sources;
    std::vector<std::string> expected;
    for (size_t i = 0; i < count; ++i) {
      buffers.push_back(Buffer());
      // Some sources are empty; some keys are in many.
      for (uint64_t n = random() % 50; n > 0; --n) {
        expected.push_back("common beginning " + std::to_string(random() % 100));
        ASSERT_TRUE(buffers.back()->Append(0, expected.back(), "v"));
      }
      sources.push_back(std::make_unique<IndexedRecords>(buffers.back()->Sort(0, buffers.back()->records())));
    }
    std::sort(expected.begin(), expected.end());
    MergedRecords merged(std::move(sources));
    std::vector<std::string> keys;
    PackedRecord record;
    while (merged.Next(&record).ValueOrDie()) keys.emplace_back(record.key());
    EXPECT_EQ(keys, expected) << count;
    EXPECT_FALSE(merged.Next(&record).ValueOrDie());
  }
}

TEST(MergedRecords, FailureOfASourceIsHandedOn) {
  class Broken : public RecordSource {
    arrow::Result<bool> Next(PackedRecord*) override { return arrow::Status::IOError("broken"); }
  };
  std::vector<std::unique_ptr<RecordSource>> sources;
  sources.push_back(std::make_unique<Broken>());
  MergedRecords merged(std::move(sources));
  PackedRecord record;
  EXPECT_FALSE(merged.Next(&record).ok());
}

TEST(SortBuffer, FillsToTheLastByteAndNoFurther) {
  // A record of 1 + 1 + 4 + 10 bytes and its index entry of 16.
  const auto buffer = Buffer(32 * 100);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(buffer->Append(0, "key ", "0123456789")) << i;
  EXPECT_EQ(buffer->used_bytes(), 3200U);
  EXPECT_FALSE(buffer->Append(0, "", ""));
  EXPECT_EQ(buffer->records(), 100U);
  buffer->Clear();
  EXPECT_EQ(buffer->used_bytes(), 0U);
  EXPECT_TRUE(buffer->Append(0, "key ", "0123456789"));
}

TEST(SortBuffer, RollingBackForgetsWhatCameAfter) {
  const auto buffer = Buffer();
  ASSERT_TRUE(buffer->Append(1, "b", "1"));
  ASSERT_TRUE(buffer->Append(0, "a", "2"));
  const SortBuffer::Mark mark = buffer->mark();
  ASSERT_TRUE(buffer->Append(0, "c", "3"));
  // Each part is sorted separately.
  EXPECT_EQ(UnpackRecord(buffer->Sort(2, 3)[0].record).value(), "3");
  EXPECT_EQ(UnpackRecord(buffer->Sort(0, 2)[0].record).value(), "2");
  buffer->RollBack(mark);
  buffer->ReleaseUnused();
  const auto entries = buffer->Sort(0, buffer->records());
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(UnpackRecord(entries[0].record).value(), "2");
  EXPECT_EQ(UnpackRecord(entries[1].record).value(), "1");
  EXPECT_EQ(EntriesOfPartition(entries, 0).size(), 1U);
  EXPECT_EQ(EntriesOfPartition(entries, 1).size(), 1U);
  EXPECT_TRUE(EntriesOfPartition(entries, 2).empty());
}

TEST(PackedRecord, SizesOfEveryLength) {
  for (const size_t key_size : {0, 1, 127, 128, 16383, 16384, 65536}) {
    for (const size_t value_size : {0, 127, 128, 2097151, 2097152}) {
      const std::string key(key_size, 'k');
      const std::string value(value_size, 'v');
      std::string packed(PackedSize(key, value), '\0');
      EXPECT_EQ(PackRecord(key, value, packed.data()), packed.data() + packed.size());
      PackedRecord record;
      ASSERT_TRUE(UnpackHeader(packed.data(), packed.data() + packed.size(), &record));
      EXPECT_EQ(record.bytes(), packed);
      EXPECT_EQ(record.key(), key);
      EXPECT_EQ(record.value(), value);
      for (size_t cut = 0; cut < record.header_size; ++cut) {
        EXPECT_FALSE(UnpackHeader(packed.data(), packed.data() + cut, &record));
      }
    }
  }
  PackedRecord record;
  const std::string endless(20, '\xFF');
  EXPECT_FALSE(UnpackHeader(endless.data(), endless.data() + endless.size(), &record));
}

}  // namespace
}  // namespace trawl
